import type { Plan, SiteEvent, Snapshot } from '../sync/plan.ts';
import { adoptEvents, type Adoption } from '../sync/plan-adopt.ts';
import { slugsOf } from '../sync/plan-changes.ts';
import { keyOfSlug, sourceKey } from '../sync/slug.ts';
import { siteEventOf } from '../sync/site-values.ts';
import { subPlan } from '../sync/sub-plan.ts';
import { sql } from '../db/database.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { loadLedger } from './ledger.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { Started } from './keep-plan.ts';
import { planAgain, readAgain } from './plan-again.ts';
import { startPlanned } from './start-planned.ts';

/** What `adopt` would do: the pairs it found and what it would write to them. */
export async function planAdoption(context: RunContext, setup: SourceSetup): Promise<Plan> {
  const again = await readAgain(context, setup, 'now');
  const ledger = await loadLedger(context.database.query(), setup.site.key, setup.name);
  const snapshot = await loadSnapshot(setup.site.client, ledger, again.windowFrom, slugsOf(again.reading, ledger, again.policy, again.rung), sourceKey(setup.name));
  const strangers = await loadStrangers(context, setup);
  const adoption = adoptEvents({ ...again, ledger }, snapshot, strangers);
  const plan = planAgain(again, again.policy, adoption.ledger, withEvents(snapshot, strangers));
  const slugs = new Set(adoption.adopted.map(({ slug }) => slug));
  const own = subPlan(plan, (slug) => slugs.has(slug));
  return { ...own, ledger: { ...entriesOf(adoption), ...own.ledger }, unchanged: slugs.size - own.actions.filter((action) => 'slug' in action).length, skipped: 0, problems: adoption.problems };
}

/** Takes events that others made into the care of a source. */
export const startAdoption = (context: RunContext, setup: SourceSetup): Promise<Started> =>
  startPlanned(context, setup, 'adopt', () => planAdoption(context, setup));

const entriesOf = ({ adopted }: Adoption): Plan['ledger'] => Object.fromEntries(adopted.map((entry) => [entry.slug, { entry, awaits: [] }]));

const withEvents = (snapshot: Snapshot, events: readonly SiteEvent[]): Snapshot => ({ ...snapshot, events: new Map([...events.map((event) => [event.slug, event] as const), ...snapshot.events]) });

/** The site's events that no source of ours has written. */
async function loadStrangers({ database, sources }: RunContext, { site }: SourceSetup): Promise<readonly SiteEvent[]> {
  const { rows } = await sql<{ slug: string; id: number | null }>`select slug, id from calsync.ledger where site = ${site.key}`.execute(database.query<unknown>());
  const [slugs, ids] = [new Set(rows.map(({ slug }) => slug)), new Set(rows.map(({ id }) => id))];
  const ours = new Set([...sources.keys()].map((source) => sourceKey(source)));
  const strangers: SiteEvent[] = [];
  for await (const event of site.client.list('events', {})) {
    if (!slugs.has(event.slug) && !ids.has(event.id) && !ours.has(keyOfSlug(event.slug)?.slice(0, 4) ?? '')) strangers.push(siteEventOf(event));
  }
  return strangers;
}
