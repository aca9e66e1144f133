import type { UnreadRemainder } from '../model/unread-remainder.ts';
import { hidingOf, massMoveOf, retitlingOf, type MassChangeInput } from './mass-change.ts';
import { replacement, sameUnderNewNames } from './replacement.ts';
import type { Action, HoldReason, LedgerEntry, Plan, Policy, UpdateEvent } from '../model/plan.ts';
import { countInWords, grouped } from '../../count-in-words.ts';

/** The input of the guards. */
export interface GuardInput {
  readonly actions: readonly Action[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  /** The number of settled events outside the ledger. */
  readonly remainder?: Pick<UnreadRemainder, 'upcoming' | 'count'> | undefined;
  readonly policy: Policy;
  /** The number of upcoming events that are not on the site, not even in the trash. */
  readonly lost: number;
  /** Whether the feed is a complete calendar without events. */
  readonly empty: boolean;
  /** Upcoming entries that are missing from the feed for the first time. */
  readonly leaving?: readonly LedgerEntry[];
}

type Guard = (guarded: GuardInput) => HoldReason | null;

/** All reasons to review a plan first, the most telling one first; empty if it may run. */
export const holdReasons = (guarded: GuardInput): readonly HoldReason[] =>
  GUARDS.flatMap((guard) => guard(guarded) ?? []);

/** The `held` and `reasons` of a plan; null and absent if there are no reasons. */
export const heldFor = (reasons: readonly HoldReason[]): Pick<Plan, 'held' | 'reasons'> => {
  const [first] = reasons;
  return first === undefined ? { held: null } : { held: first.message, reasons };
};

const GUARDS: readonly Guard[] = [
  emptyCalendar,
  siteLost,
  massRemoval,
  massHiding,
  massMove,
  retitling,
  massReplacement,
  flood,
];

function emptyCalendar({ empty, actions, ledger, policy }: GuardInput): HoldReason | null {
  const removals = actions.filter((action) => action.kind === 'remove').length;
  if (!empty || removals === 0) return null;
  const all = upcomingEntries(ledger, policy).length;
  const message =
    `The feed is a calendar without any event, and ${countInWords(all, 'event')} of it on the site ` +
    `${all === 1 ? 'is' : 'are'} still to come. Approve only if the source really has no events any more.`;
  return { kind: 'emptied', count: removals, all, message };
}

function siteLost({ lost, policy, ...known }: GuardInput): HoldReason | null {
  const all = upcomingIn({ policy, ...known });
  if (!isMass(lost, all, policy) && !isAllOfSome(lost, all)) return null;
  const byHand = isMass(lost, all, policy)
    ? ''
    : ' If a person deleted them on purpose, move them to the trash afterwards: from there they do not come back.';
  const message =
    `Site lost or restored: ${lost} of ${all} upcoming events that were written before are not found on the ` +
    `site any more. Approving creates them again.${byHand}`;
  return { kind: 'site-lost', count: lost, all, limit: policy.hold, message };
}

// A few events are not many, but if all are gone, they disappeared together.
const isAllOfSome = (lost: number, all: number): boolean => all > 1 && lost === all;

function massRemoval({ actions, ledger, policy, remainder, empty }: GuardInput): HoldReason | null {
  // The guard of empty calendars reports these.
  if (empty) return null;
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  // Includes events removed earlier that came back because the site was restored.
  const removals = actions.flatMap((action) => {
    const entry = action.kind === 'remove' ? ledger.get(action.slug) : undefined;
    return entry && entry.endsAt > policy.now ? [entry] : [];
  });
  const others = remainder?.upcoming ?? 0;
  const all = new Set([...upcoming, ...removals.map(({ slug }) => slug)]).size + others;
  if (!isMass(removals.length, upcoming.size + others, policy)) return null;
  const message =
    `This would remove ${grouped(removals.length)} of ${grouped(all)} upcoming events (${percent(removals.length / all)}); ` +
    `more than ${policy.hold.moreThan} and more than ${percent(policy.hold.share)} at once wait for a ` +
    `person.${sameUnderNewNames(removals, actions)}`;
  return { kind: 'removals', count: removals.length, all, limit: policy.hold, message };
}

function massHiding(guarded: GuardInput): HoldReason | null {
  const { hold } = guarded.policy;
  const updating = updatingIn(guarded);
  const hidden = hidingOf(updating);
  if (!isMass(hidden.length, updating.all, guarded.policy)) return null;
  const message =
    `This would make ${grouped(hidden.length)} of ${grouped(updating.all)} upcoming events invisible to visitors ` +
    `(status ${hidden[0] ?? ''}); more than ${hold.moreThan} and more than ${percent(hold.share)} at once wait for a person.`;
  return { kind: 'hidden', count: hidden.length, all: updating.all, limit: hold, message };
}

function massMove(guarded: GuardInput): HoldReason | null {
  return massMoveOf(updatingIn(guarded));
}

function retitling(guarded: GuardInput): HoldReason | null {
  return retitlingOf(updatingIn(guarded));
}

/** The updates of upcoming events in a plan. */
function updatingIn({ actions, ledger, policy, remainder }: GuardInput): MassChangeInput {
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  const updates = actions.filter(
    (action): action is UpdateEvent => action.kind === 'update' && upcoming.has(action.slug),
  );
  return { updates, all: upcoming.size + (remainder?.upcoming ?? 0), moreThan: policy.hold.moreThan };
}

function massReplacement({ actions, leaving = [], policy, ...known }: GuardInput): HoldReason | null {
  return replacement({ actions, leaving, all: upcomingIn({ policy, ...known }), policy });
}

const FLOOD_MORE_THAN = 100;
const FLOOD_TIMES = 3;

/**
 * Far more new events than the source has had: it is the wrong calendar, or all UIDs have changed. A source without
 * upcoming events is measured by its past ones; one that never had any is on its first run.
 */
function flood({ actions, ledger, policy, remainder }: GuardInput): HoldReason | null {
  const upcoming = upcomingIn({ ledger, policy, remainder });
  const before = upcoming > 0 ? upcoming : ledger.size + (remainder?.count ?? 0);
  const creates = actions.filter((action) => action.resource === 'events' && action.kind === 'create').length;
  if (before === 0 || creates <= FLOOD_MORE_THAN || creates <= FLOOD_TIMES * before) return null;
  const known =
    upcoming > 0
      ? `${upcoming} upcoming ones of this source`
      : `${countInWords(before, 'event')} that this source has had, none of them still to come`;
  const message =
    `This would create ${creates} new events at once, beside the ${known}; ` +
    `more than ${FLOOD_MORE_THAN} and more than ${FLOOD_TIMES} times as many wait for a person.`;
  return { kind: 'flood', count: creates, all: upcoming, message };
}

/** Entries of events that we keep on the site and that have not ended. */
export const upcomingEntries = (ledger: ReadonlyMap<string, LedgerEntry>, { now }: Policy): readonly LedgerEntry[] =>
  [...ledger.values()].filter((entry) => entry.state === 'kept' && entry.endsAt > now);

const upcomingIn = ({ ledger, policy, remainder }: Pick<GuardInput, 'ledger' | 'policy' | 'remainder'>): number =>
  upcomingEntries(ledger, policy).length + (remainder?.upcoming ?? 0);

/** Whether `count` of `all` events are more than may change in one run without a review. */
export const isMass = (count: number, all: number, { hold }: Pick<Policy, 'hold'>): boolean =>
  count > hold.moreThan && count > hold.share * all;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
