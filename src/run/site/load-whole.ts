import type { Event } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { slugsOf, type Known } from '../../sync/plan/plan-changes.ts';
import type { Policy, Snapshot } from '../../sync/model/plan.ts';
import { sourceKeyIn, sourceKeys } from '../../sync/model/slug.ts';
import { isOwnKey } from '../../sync/event/without-ledger.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadSnapshot } from './load-snapshot.ts';

/**
 * What the whole comparison of a source with its site has to know of that. Without a ledger these are all of the
 * source's events, and those that nobody's ledger has.
 */
export async function loadWhole(
  context: RunContext,
  setup: SourceSetup,
  known: Known,
  from: number,
): Promise<Snapshot> {
  const unlisted = !(known.wasEmpty ?? known.ledger.size === 0)
    ? undefined
    : { isOwn: isOwnKey(known.policy, known.others ?? new Set()), isStranger: await strangersOn(context, setup) };
  return loadSnapshot(setup.site.client, known.ledger, from, slugsOf(known), unlisted);
}

/**
 * Keys that other sources of the site have in their ledgers, of those that this one could give: a source that was
 * renamed has kept those of its old name.
 */
export async function loadOtherKeys(
  { database }: Pick<RunContext, 'database'>,
  { site, name }: SourceSetup,
  policy: Policy,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`select key from calsync.ledger
    where site = ${site.key} and source <> ${name} and exists (select 1 from unnest(${[...sourceKeys(policy)]}::text[]) as own where starts_with(key, own))`.execute(
    database.query<unknown>(),
  );
  return new Set(rows.map(({ key }) => key));
}

/** Tells the site's events that no source of ours has written from all others. */
export async function strangersOn(
  { database, sources, now }: RunContext,
  { site }: SourceSetup,
): Promise<(event: Pick<Event, 'id' | 'slug'>) => boolean> {
  const { rows } = await sql<{
    slug: string;
    id: number | null;
  }>`select slug, id from calsync.ledger where site = ${site.key}`.execute(database.query<unknown>());
  const [slugs, ids] = [new Set(rows.map(({ slug }) => slug)), new Set(rows.map(({ id }) => id))];
  const ours = new Set([...sources.values()].flatMap((setup) => sourceKeys(setup.policy(now(), false))));
  return ({ id, slug }) => !slugs.has(slug) && !ids.has(id) && !ours.has(sourceKeyIn(slug) ?? '');
}
