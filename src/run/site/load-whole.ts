import type { Event } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { slugsOf, type Known } from '../../sync/plan/plan-changes.ts';
import type { Policy, Snapshot } from '../../sync/model/plan.ts';
import { sourceKeyIn, sourceKeys } from '../../sync/model/slug.ts';
import { isOwnKey } from '../../sync/event/without-ledger.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadSnapshot } from './load-snapshot.ts';

/**
 * The snapshot for a whole comparison of a source with its site. Without a ledger it has all of the source's events,
 * and those that are in no ledger.
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
 * Keys in the ledgers of the site's other sources that this source could give, too: a renamed source still uses the
 * keys of its old name.
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

/** Tells whether an event of the site was written by none of our sources. */
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
