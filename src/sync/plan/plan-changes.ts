import { firstStartOf, NO_REMAINDER, type UnreadRemainder } from '../model/unread-remainder.ts';
import type { FeedReading } from '../model/draft.ts';
import { finder } from '../identity/find-on-site.ts';
import { foundEvents } from './found-events.ts';
import { heldFor, holdReasons, upcomingEntries } from './guards.ts';
import { identifyDraftsInSteps, type IdentifiedDrafts } from '../identity/identify-drafts.ts';
import { lowerRung, type Rung } from '../model/identity.ts';
import { refsIn, refsReplaced } from '../links/link.ts';
import { idsOfRefs, linksFor, type Links } from '../links/links.ts';
import { absencesIn, hasNoEvents, type Absence } from '../event/absence.ts';
import type { OnSite } from '../event/life.ts';
import { planAbsent } from '../event/plan-absent.ts';
import type { LeftBehindEvent } from '../event/other-name.ts';
import { planEvent, type PlannedEvent } from '../event/plan-event.ts';
import type { Action, LedgerChange, LedgerEntry, Plan, Policy, Snapshot } from '../model/plan.ts';
import { resultOf } from '../model/steps.ts';
import { sameJson } from '../model/json.ts';
import { nearMatches } from '../links/near-matches.ts';
import { beyondCoverage, foundWithoutLedger, notAllRead, notFound, unreadEvents } from './notices.ts';
import { newlyMissing } from './replacement.ts';
import { withClaimedCities, type VenueClaim } from '../links/venue-claims.ts';
import { differingIn, withoutLedger, withoutLedgerReasons } from '../event/without-ledger.ts';

export interface PlanInput {
  readonly reading: FeedReading;
  readonly snapshot: Snapshot;
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly policy: Policy;
  /** The source's current rung of identity; `uid` by default. */
  readonly rung?: Rung;
  /** The cities of the events that any source has put into the site's venues so far. */
  readonly claims?: readonly VenueClaim[];
  /** Keys in the ledgers of the site's other sources. */
  readonly others?: ReadonlySet<string>;
  /**
   * Events left on the site by sources that are no longer configured; compared only with a source that has no ledger.
   */
  readonly left?: readonly LeftBehindEvent[];
  /**
   * Whether the ledger was empty (new or lost) before this run adopted or recovered anything; by default, whether it is
   * now.
   */
  readonly wasEmpty?: boolean;
  /** Present if the reading and the ledger are only a part of the source: a summary of the rest, all of it settled. */
  readonly remainder?: UnreadRemainder;
}

/** The input of planning that is known before the site is asked. */
export type PlanInputWithoutSite = Omit<PlanInput, 'snapshot'>;

/**
 * Drafts × snapshot × ledger × policy → the complete plan, before the first write. An unchanged feed is planned like
 * any other, so absences are counted again. The snapshot must cover all of `slugsOf`; events that it lacks count as
 * absent from the site.
 */
export const planChanges = (planning: PlanInput): Plan => resultOf(planInSteps(planning));

/** The same in small steps, so that the caller can do other work in between. */
export function* planInSteps(planning: PlanInput): Generator<void, Plan> {
  const {
    reading,
    snapshot,
    ledger,
    policy,
    claims = [],
    others,
    wasEmpty = ledger.size === 0,
    remainder = NO_REMAINDER,
  } = planning;
  const { value, problems, rung: after } = yield* identifyInSteps(planning);
  const links = linksFor(
    [...reading.drafts, ...remainder.naming],
    { ...snapshot, venues: withClaimedCities(snapshot.venues, claims) },
    policy,
  );
  yield;
  const onSite = finder(snapshot);
  const isRead = isReadIn(snapshot);
  const read = value.filter(isRead);
  const unlisted = wasEmpty
    ? withoutLedger(read, snapshot, policy, others)
    : { identified: read, unsure: 0, alike: 0, orphans: [] };
  const { identified, orphans } = unlisted;
  const gap = upcomingEntries(ledger, policy).filter((entry) => isRead(entry) && onSite(entry) === undefined);
  const isSiteLost = holdReasons({ actions: [], ledger, remainder, policy, lost: gap.length, empty: false }).length > 0;
  const find = (known: Parameters<typeof onSite>[0]): OnSite => onSite(known) ?? (isSiteLost ? 'lost' : undefined);
  const decided: PlannedEvent[] = [];
  for (const known of identified) {
    decided.push(ifChanging(planEvent(known, find(known), links, policy), ledger));
    yield;
  }
  const drafted = new Set(identified.flatMap(({ entry }) => entry?.slug ?? []));
  const left = [...ledger.values()].filter((entry) => !drafted.has(entry.slug) && isRead(entry));
  const empty = hasNoEvents(reading);
  const absenceOf = absencesIn(reading, policy);
  const gone = left.map((entry) => planAbsent(entry, absenceOf(entry), find(entry), links, policy));
  const found = foundEvents(orphans, absenceOf);
  // Events that are neither in the feed nor on the site cannot be created again, so they do not hold the plan.
  const wanted = gap.filter(({ slug }) => drafted.has(slug));
  const lost = wanted.length > 0 ? gap.length : 0;
  const staying = left.filter(({ state, pinned }) => state === 'kept' && !pinned);
  yield;
  const actions = inOrder([...decided, ...gone]);
  yield;
  const leaving = newlyMissing(gone, ledger, firstStartOf(reading, remainder), policy);
  const guarded = holdReasons({ actions, ledger, remainder, policy, lost, empty, leaving });
  const ofLedger = withoutLedgerReasons(unlisted, wasEmpty ? differingIn(decided) : [], planning);
  yield;
  const absent = [...gone, ...found].map((part) => ifChanging(part, ledger));
  const whole = assembled(actions, [...decided, ...absent], links);
  yield;
  return {
    ...whole,
    ...counted(decided, reading, snapshot.unread?.size ?? 0, remainder),
    ...heldFor([...guarded, ...ofLedger]),
    rung: after,
    problems: [
      ...reading.problems,
      ...problems,
      ...unreadEvents(snapshot, value, ledger),
      ...beyondCoverage(staying.filter((entry) => isBeyond(absenceOf(entry)))),
      ...notAllRead(staying.filter((entry) => absenceOf(entry).kind === 'unread')),

      ...notFound(isSiteLost ? [] : wanted),
      ...foundWithoutLedger(found, policy),
      ...nearMatches(whole.actions, snapshot, policy.source),
    ],
  };
}

/** The slugs that a snapshot must cover: those of the drafts and of upcoming entries. */
export const slugsOf = (known: PlanInputWithoutSite): readonly string[] => [
  ...new Set([...identify(known).value, ...upcomingEntries(known.ledger, known.policy)].map(({ slug }) => slug)),
];

/** Matches the drafts of a reading with the ledger. */
export const identify = (known: PlanInputWithoutSite): IdentifiedDrafts => resultOf(identifyInSteps(known));

/** The same in steps. */
export function* identifyInSteps({
  reading,
  ledger,
  policy,
  rung = 'uid',
  others,
}: PlanInputWithoutSite): Generator<void, IdentifiedDrafts> {
  const known = identified.get(reading);
  const inputs = [ledger, policy.source, policy.now, rung, others];
  if (known?.inputs.every((input, index) => input === inputs[index])) return known.drafts;
  const drafts = yield* identifyDraftsInSteps({
    drafts: reading.drafts,
    ledger,
    source: policy.source,
    rung: lowerRung(rung, reading.rung ?? 'uid'),
    now: policy.now,
    others,
  });
  identified.set(reading, { inputs, drafts });
  return drafts;
}

// A run identifies the same reading several times: to list the slugs to ask for, then for the plan, round by round.
const identified = new WeakMap<
  FeedReading,
  { readonly inputs: readonly unknown[]; readonly drafts: IdentifiedDrafts }
>();

/** Whether the site let us look for an event; nothing is decided about events that it did not. */
const isReadIn =
  ({ unread }: Snapshot) =>
  ({ slug }: { readonly slug: string }): boolean =>
    unread?.has(slug) !== true;

const isBeyond = (absence: Absence): boolean => absence.kind === 'outside' && absence.isBeyond;

interface Part {
  readonly action: Action | null;
  readonly change: LedgerChange | null;
}

/** Drops a change that changes nothing: for an unchanged feed, those would amount to the whole ledger. */
const ifChanging = <P extends Part>(part: P, ledger: ReadonlyMap<string, LedgerEntry>): P | (P & { change: null }) =>
  part.action || !part.change || !sameJson(part.change.entry, ledger.get(part.change.entry.slug))
    ? part
    : { ...part, change: null };

/** Sorts actions by the start of their events. */
const inOrder = (parts: readonly Part[]): readonly Action[] =>
  parts
    .filter(({ action }) => action !== null)
    .sort((one, other) => startOf(one) - startOf(other) || (keyOf(one) < keyOf(other) ? -1 : 1))
    .flatMap(({ action }) => action ?? []);

const startOf = ({ change }: Part): number => change?.entry.startsAt ?? 0;
const keyOf = ({ change }: Part): string => change?.entry.key ?? '';

/** Assembles the actions (first the creates that the events' actions need), the known refs and the changed entries. */
function assembled(
  events: readonly Action[],
  parts: readonly Part[],
  links: Links,
): Pick<Plan, 'actions' | 'refs' | 'ledger'> {
  const named = new Set<string>();
  for (const action of events) for (const ref of refsIn(action)) named.add(ref);
  const used = [...named].sort();
  const creates = used.flatMap((ref) => links.get(ref)?.create ?? []);
  const refs = idsOfRefs([...used, ...events.flatMap(refsReplaced)], links);
  const changes = parts.flatMap(({ change }) => (change ? [[change.entry.slug, change] as const] : []));
  return { actions: [...creates, ...events], refs, ledger: Object.fromEntries(changes) };
}

const counted = (
  decided: readonly PlannedEvent[],
  reading: FeedReading,
  unread: number,
  remainder: UnreadRemainder,
): Pick<Plan, 'unchanged' | 'skipped' | 'conflicts'> => ({
  unchanged: decided.filter(({ action, skipped }) => !action && !skipped).length + remainder.count,
  skipped: decided.filter(({ skipped }) => skipped).length + reading.excluded.length + unread,
  conflicts: decided.flatMap(({ conflicts }) => conflicts),
});
