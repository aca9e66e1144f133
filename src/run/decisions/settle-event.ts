import { AppError } from '../../error.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import type { LedgerEntry, Plan, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { planDismiss } from '../../sync/decisions/dismiss.ts';
import { lockFields, unlockFields } from '../../sync/decisions/lock.ts';
import { decidedBecause } from '../../sync/decisions/decided-because.ts';
import { planRestore, RESTORED } from '../../sync/decisions/restore.ts';
import { conflictsIn, siteDecides, unitOf } from '../../sync/decisions/settle.ts';
import { isInOurTrash, wantedBack } from '../../sync/event/life.ts';
import { lockedIn } from '../../sync/event/locks.ts';
import { planChanges } from '../../sync/plan/plan-changes.ts';
import { subPlan } from '../../sync/decisions/sub-plan.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import type { StartOutcome } from '../steps/keep-plan.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import type { ActRequest } from '../watch/acts.ts';
import { joinedPlans, planFromFeed, type FeedDecision } from './plan-from-feed.ts';
import { planningWith } from './planning-with.ts';
import { assertOnSite, entriesOf, entryOf, removedBySource } from './detach-event.ts';
import { startPlanned } from '../steps/start-planned.ts';

export type Winner = 'feed' | 'site';

/** Who wins in one field of an event, whatever its state, or in all of the event's conflicts. */
export interface FieldDecision {
  readonly slug: string;
  readonly field: FieldName | 'conflicts';
  readonly winner: Winner;
}

/**
 * Starts to settle an event's conflicts, or one field in any state: for the feed (its value is written) or for the site
 * (its value is kept as a person's edit).
 */
export const startSettle = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  field: FieldName | undefined,
  winner: Winner,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'settle', of: slug, winner },
    () => planOfOne(context, setup, { slug, field: field ?? 'conflicts', winner }),
    asked,
  );

/** Throws AppError if nothing can be decided. */
async function planOfOne(context: RunContext, setup: SourceSetup, decision: FieldDecision): Promise<Plan> {
  const plan = await settledPlan(context, setup, [decision]);
  const [silent] = plan.problems;
  if (silent) throw new AppError(silent.code === 'feed-silent' ? 'feed-silent' : 'nothing-to-settle', silent.message);
  return plan;
}

/**
 * Starts to settle several events of a source in one run. Fields that the feed no longer gives are left alone and
 * reported.
 */
export const startSettleAll = (
  context: RunContext,
  setup: SourceSetup,
  decisions: readonly FieldDecision[],
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'settle', events: new Set(decisions.map(({ slug }) => slug)).size },
    () => settledPlan(context, setup, decisions),
    asked,
  );

async function settledPlan(
  context: RunContext,
  setup: SourceSetup,
  decisions: readonly FieldDecision[],
): Promise<Plan> {
  const bySlug = Map.groupBy(decisions, (decision) => decision.slug);
  const settled = new Map(await entriesOf(context, setup, [...bySlug.keys()]));
  const forFeed: FeedDecision[] = [];
  const plans: Plan[] = [];
  for (const [slug, entry] of settled) {
    const own = bySlug.get(slug) ?? [];
    assertAttached(entry);
    const fields = fieldsFor(entry, own);
    const [feeds, sites] = [fields.feed, fields.site.filter((field) => !fields.feed.includes(field))];
    const plan = siteDecides(entry, sites);
    settled.set(slug, plan.ledger[slug]?.entry ?? entry);
    if (sites.length > 0) plans.push(plan);
    if (feeds.length > 0) forFeed.push({ slug, fields: feeds });
  }
  if (plans.length + forFeed.length === 0) throw nothingToSettle(decisions);
  return forFeed.length === 0
    ? joinedPlans(plans)
    : joinedPlans([
        ...plans,
        decidedBecause(await planFromFeed(context, setup, settled, forFeed), 'settled by a person for the feed'),
      ]);
}

/** The fields, extended to whole units, that are settled for each side. */
function fieldsFor(
  entry: LedgerEntry,
  decisions: readonly FieldDecision[],
): Readonly<Record<Winner, readonly FieldName[]>> {
  const of = (winner: Winner): readonly FieldName[] => [
    ...new Set(
      decisions
        .filter((decision) => decision.winner === winner)
        .flatMap(({ field }) => (field === 'conflicts' ? conflictsIn(entry) : unitOf(field, []))),
    ),
  ];
  return { feed: of('feed'), site: of('site') };
}

const nothingToSettle = (decisions: readonly FieldDecision[]): AppError =>
  new AppError(
    'nothing-to-settle',
    decisions.length === 1
      ? `${decisions[0]?.slug} is in no conflict. With --field one of its fields is settled anyway.`
      : 'None of these events is in conflict any more.',
  );

/** Starts to send a feed's picture again that the site refused. */
export const startRetry = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'retry', of: slug },
    async () =>
      decidedBecause(
        await planOfOne(context, setup, { slug, field: 'image', winner: 'feed' }),
        'a person had the picture tried again',
      ),
    asked,
  );

/** Starts to lock the unit of a field, or all fields, of an event, so that the feed does not change them. */
export const startLock = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  field: FieldName | undefined,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'lock', of: slug, ...(field === undefined ? {} : { field }) },
    async () => {
      const entry = await entryOf(context, setup, slug);
      assertAttached(entry);
      assertOnSite(entry, 'lock');
      return lockFields(entry, unitOf(field, FIELD_NAMES));
    },
    asked,
  );

/** Starts to unlock the unit of a field, or all locked fields, of an event. */
export const startUnlock = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  field: FieldName | undefined,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'unlock', of: slug, ...(field === undefined ? {} : { field }) },
    async () => {
      const entry = await entryOf(context, setup, slug);
      const locked = lockedIn(entry);
      const fields = unitOf(field, locked).filter((each) => locked.includes(each));
      if (fields.length === 0) throw new AppError('not-locked', notLocked(slug, field, locked));
      return unlockFields(entry, fields);
    },
    asked,
  );

/** Why nothing is unlocked: the field asked for is not locked, although others may be. */
function notLocked(slug: string, field: FieldName | undefined, locked: readonly FieldName[]): string {
  const [what, others] = [
    field === undefined ? slug : `${field} of ${slug}`,
    locked.length === 0 ? '' : ` What is locked: ${locked.join(', ')}.`,
  ];
  return `${what} is not locked: its feed may change it already.${others}`;
}

/** Starts to dismiss an event: takes it off the site and keeps it off, as if a person had removed it there. */
export const startDismiss = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'dismiss', of: slug },
    async () => {
      const entry = await entryOf(context, setup, slug);
      const snapshot = await loadEvents(setup.site.client, new Map([[slug, entry]]), [slug]);
      const onSite = eventIn(snapshot)(slug);
      if (entry.state === 'ignored' || (entry.state === 'detached' && !isThere(onSite)))
        throw new AppError(
          'not-kept',
          `${slug} is off the site already, and stays off: "npm run -s calsyncd -- restore ${slug}" brings it back.`,
        );
      return planDismiss(entry, onSite, snapshot, setup.policy(context.now(), false));
    },
    asked,
  );

/**
 * Starts to restore an event that a person removed: as the feed has it or, if the feed does not have it or the event is
 * detached, as it was before the trash.
 */
export const startRestore = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'restore', of: slug },
    async () => {
      const entry = await entryOf(context, setup, slug);
      const snapshot = await loadEvents(setup.site.client, new Map([[slug, entry]]), [slug]);
      const onSite = eventIn(snapshot)(slug);
      assertOff(entry, onSite);
      const asInFeed = entry.state === 'detached' ? null : await restoredFromFeed(context, setup, snapshot, entry);
      if (asInFeed) return asInFeed;
      if (!onSite)
        throw new AppError(
          'event-lost',
          `${slug} is not in the site's trash any more${entry.state === 'detached' ? '' : ', nor in the feed'}: ` +
            'nothing is left to restore it from.',
        );
      return planRestore(entry, onSite, snapshot, setup.policy(context.now(), false));
    },
    asked,
  );

/** The plan that restores an event as its feed has it; null if the feed does not have it. */
async function restoredFromFeed(
  context: RunContext,
  setup: SourceSetup,
  snapshot: Snapshot,
  entry: LedgerEntry,
): Promise<Plan | null> {
  const planning = await planningWith(context, setup, [entry]);
  const ledger = new Map(planning.ledger).set(entry.slug, wantedBack(entry));
  const plan = planChanges({ ...planning, ledger, snapshot });
  const own = subPlan(plan, (slug) => slug === entry.slug);
  return Object.keys(own.ledger).length > 0 ? { ...decidedBecause(own, RESTORED), problems: [] } : null;
}

const isThere = (onSite: SiteEvent | undefined): boolean => onSite !== undefined && onSite.status !== 'trash';

/**
 * Throws AppError for an event that no person has removed. The ledger may not know about a removal yet, so the site is
 * checked, too.
 */
function assertOff(entry: LedgerEntry, onSite: SiteEvent | undefined): void {
  const { slug, state } = entry;
  if (state === 'ignored' || !(isThere(onSite) || isInOurTrash(entry))) return;
  throw new AppError(
    'not-ignored',
    state === 'removed' ? removedBySource(entry) : `${slug} is on the site: there is nothing to restore.`,
  );
}

/** Throws AppError for a detached event, since its feed does not decide about it. */
function assertAttached({ slug, state }: LedgerEntry): void {
  if (state === 'detached')
    throw new AppError(
      'detached',
      `${slug} is a person's own: "npm run -s calsyncd -- detach ${slug} --off" gives it back to its source.`,
    );
}
