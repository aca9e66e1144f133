import { foundEntries } from '../../sync/decisions/approve.ts';
import type { Plan, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { adoptEvents, type Adoption } from '../../sync/decisions/adopt.ts';
import { planChanges } from '../../sync/plan/plan-changes.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { subPlan } from '../../sync/decisions/sub-plan.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadLedger } from '../state/ledger.ts';
import { collect, livingEvents } from '../site/site-lists.ts';
import { loadWhole, planningOf, strangerTest } from '../site/planning-of.ts';
import type { StartOutcome } from '../steps/keep-plan.ts';
import type { ActRequest } from '../watch/acts.ts';
import { readAgain } from './fresh-reading.ts';
import { startPlanned } from '../steps/start-planned.ts';

/** What `adopt` would do: the events that it pairs, and what it would write to them. */
export const planAdoption = async (context: RunContext, setup: SourceSetup): Promise<Plan> =>
  (await decideAdoption(context, setup)).plan;

/** Starts an adoption: the source takes over events on the site that it did not create. */
export const startAdoption = (context: RunContext, setup: SourceSetup, asked?: ActRequest): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'adopt' },
    async () => {
      const { plan, found } = await decideAdoption(context, setup);
      return { ...plan, ledger: { ...found, ...plan.ledger } };
    },
    asked,
  );

/**
 * The plan of an adoption. After the ledger was lost, `found` holds the source's own events on the site, by slug. They
 * are recorded too, because the next run takes a non-empty ledger for a complete one.
 */
async function decideAdoption(
  context: RunContext,
  setup: SourceSetup,
): Promise<{ readonly plan: Plan; readonly found: Plan['ledger'] }> {
  const again = await readAgain(context, setup, 'now');
  const ledger = await loadLedger(context.database.query(), setup.site.key, setup.name);
  const known = await planningOf(context, setup, again, ledger);
  const snapshot = await loadWhole(context, setup, known, again.windowFrom);
  const strangers = snapshot.strangers ?? (await loadStrangers(context, setup));
  const adoption = adoptEvents(known, snapshot, strangers);
  const plan = planChanges({
    ...known,
    ledger: adoption.ledger,
    wasEmpty: ledger.size === 0,
    snapshot: withEvents(snapshot, strangers),
  });
  const slugs = new Set(adoption.adopted.map(({ slug }) => slug));
  const own = subPlan(plan, (slug) => slugs.has(slug));
  const unchanged = slugs.size - own.actions.filter((action) => 'slug' in action).length;
  const found = ledger.size === 0 && slugs.size > 0 ? foundEntries(plan, slugs) : {};
  const conflicts = plan.conflicts.filter(({ slug }) => slugs.has(slug) || found[slug] !== undefined);
  return {
    plan: {
      ...own,
      ledger: { ...entriesOf(adoption), ...own.ledger },
      adopted: [...slugs],
      unchanged,
      skipped: 0,
      conflicts,
      problems: adoption.problems,
    },
    found,
  };
}

const entriesOf = ({ adopted }: Adoption): Plan['ledger'] =>
  Object.fromEntries(adopted.map((entry) => [entry.slug, { entry, pendingFields: [] }]));

const withEvents = (snapshot: Snapshot, events: readonly SiteEvent[]): Snapshot => ({
  ...snapshot,
  events: new Map([...events.map((event) => [event.slug, event] as const), ...snapshot.events]),
});

/** The site's events that none of our sources has written. */
async function loadStrangers(context: RunContext, setup: SourceSetup): Promise<readonly SiteEvent[]> {
  const [isStranger, { client }] = [await strangerTest(context, setup), setup.site];
  return (
    await collect(client.list('events', await livingEvents(client)), (event) =>
      isStranger(event) ? [siteEventOf(event)] : [],
    )
  ).flat();
}
