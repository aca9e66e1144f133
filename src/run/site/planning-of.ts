import type { Event } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { withPauses } from '../../pauses.ts';
import type { LeftBehindEvent } from '../../sync/event/other-name.ts';
import { isOwnKey } from '../../sync/event/without-ledger.ts';
import { coveringRemainder, type LinkedNames } from '../../sync/model/unread-remainder.ts';
import type { LedgerEntry, Policy, Snapshot } from '../../sync/model/plan.ts';
import { sourceKeyIn, sourceKeys } from '../../sync/model/slug.ts';
import { identifyInSteps, slugsOf, type PlanInputWithoutSite } from '../../sync/plan/plan-changes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadVenueClaims } from '../state/ledger.ts';
import {
  listedEvents,
  loadLists,
  loadSnapshot,
  readWholeLists,
  type FromLists,
  type ReadAhead,
} from './load-snapshot.ts';
import { withoutOwnEvents } from './own-events.ts';

/**
 * Everything that a plan takes into account apart from the site's events: the same for a sync, a person's decision and
 * `explain`. Events that the feed has from our own exports are left out.
 */
export async function planningOf(
  context: Pick<RunContext, 'database' | 'sources'>,
  setup: SourceSetup,
  { reading: whole, policy, rung, remainder }: Pick<PlanInputWithoutSite, 'reading' | 'policy' | 'rung' | 'remainder'>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<PlanInputWithoutSite> {
  const own = await withoutOwnEvents(context, setup, whole);
  const reading = remainder ? coveringRemainder(own, remainder) : own;
  const others = await loadOtherKeys(context, setup, policy);
  return {
    reading,
    policy,
    rung: rung ?? 'uid',
    ledger,
    ...(remainder ? { remainder } : {}),
    claims: hasCities([...reading.drafts, ...(remainder?.naming ?? [])])
      ? await loadVenueClaims(context.database.query(), setup.site.key)
      : [],
    others: remainder ? new Set([...others, ...remainder.keys]) : others,
    ...(ledger.size === 0 ? { left: await loadLeft(context, setup) } : {}),
  };
}

const hasCities = (drafts: readonly LinkedNames[]): boolean =>
  drafts.some(({ fields: { venue } }) => venue?.some(({ city }) => city !== undefined));

/**
 * Keys in the ledgers of the site's other sources that this source could also produce, because a renamed source still
 * uses the keys of its former name.
 */
async function loadOtherKeys(
  { database }: Pick<RunContext, 'database'>,
  { site, name }: SourceSetup,
  policy: Policy,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`select key from calsync.ledger
    where site = ${site.key} and source <> ${name}
    and exists (select 1 from unnest(${[...sourceKeys(policy)]}::text[]) as own where starts_with(key, own))`.execute(
    database.query(),
  );
  return new Set(rows.map(({ key }) => key));
}

/** The events of sources that were on the site before and are no longer configured there. */
async function loadLeft(
  { database, sources }: Pick<RunContext, 'database' | 'sources'>,
  { site }: SourceSetup,
): Promise<readonly LeftBehindEvent[]> {
  const configured = [...sources.values()].filter((setup) => setup.site.key === site.key).map(({ name }) => name);
  const { rows } = await sql<LeftBehindEvent>`select source, key, title, starts_at as "startsAt"
    from (select source from calsync.sources where site = ${site.key}
      except select unnest(${configured}::text[])) as gone
      join calsync.ledger using (source) where site = ${site.key} and state = 'kept'`.execute(database.query());
  return rows;
}

/**
 * The snapshot for a full comparison of a source with its site. Without a ledger, it includes all of the source's
 * events and those that are in no ledger.
 */
export async function loadWhole(
  context: RunContext,
  setup: SourceSetup,
  known: PlanInputWithoutSite,
  from: number,
  ahead?: ReadAhead,
): Promise<Snapshot> {
  const unlisted = !(known.wasEmpty ?? known.ledger.size === 0)
    ? undefined
    : { isOwn: isOwnKey(known.policy, known.others ?? new Set()), isStranger: await strangerTest(context, setup) };
  await withPauses(identifyInSteps(known));
  return loadSnapshot(setup.site.client, known.ledger, from, slugsOf(known), unlisted, ahead);
}

/** Reads what a full comparison needs whatever the feed says, while the feed is being parsed. */
export async function readAhead(
  context: RunContext,
  setup: SourceSetup,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
): Promise<ReadAhead> {
  const { client } = setup.site;
  const [listed, lists, unlisted] = await Promise.all([
    listedEvents(client, ledger, from),
    loadLists(client),
    ledger.size === 0 ? unlistedAhead(context, setup) : undefined,
    // A first run will most likely write, so this right is checked now; the client remembers the answer.
    ledger.size === 0 ? client.rights() : undefined,
  ]);
  return { listed, lists, ...(unlisted ? { unlisted } : {}) };
}

async function unlistedAhead(context: RunContext, setup: SourceSetup): Promise<FromLists> {
  const keys = sourceKeys(setup.policy(context.now(), false));
  const isOwn = (key: string | null): boolean => key !== null && keys.some((own) => key.startsWith(own));
  return readWholeLists(setup.site.client, isOwn, await strangerTest(context, setup));
}

/** Returns a test for events of the site that none of our sources has written. */
export async function strangerTest(
  { database, sources, now }: RunContext,
  { site }: SourceSetup,
): Promise<(event: Pick<Event, 'id' | 'slug'>) => boolean> {
  const { rows } = await sql<{
    slug: string;
    id: number | null;
  }>`select slug, id from calsync.ledger where site = ${site.key}`.execute(database.query());
  const [slugs, ids] = [new Set(rows.map(({ slug }) => slug)), new Set(rows.map(({ id }) => id))];
  const ours = new Set([...sources.values()].flatMap((setup) => sourceKeys(setup.policy(now(), false))));
  return ({ id, slug }) => !slugs.has(slug) && !ids.has(id) && !ours.has(sourceKeyIn(slug) ?? '');
}
