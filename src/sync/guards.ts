import type { Action, LedgerEntry, Policy } from './plan.ts';

/** What the guards look at. */
export interface Guarded {
  readonly actions: readonly Action[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  readonly policy: Policy;
  /** Entries of upcoming events that the site does not hold at all, not even in the trash. */
  readonly lost: number;
  /** The feed is a whole calendar without any event. */
  readonly empty: boolean;
}

type Guard = (guarded: Guarded) => string | null;

/** Why a person must look at a plan first, in words and numbers; null when it may run. */
export const holdReason = (guarded: Guarded): string | null => GUARDS.map((guard) => guard(guarded)).find((reason) => reason !== null) ?? null;

// In the order in which they explain most.
const GUARDS: readonly Guard[] = [emptyCalendar, siteLost, massRemoval];

function emptyCalendar({ empty, actions, ledger, policy }: Guarded): string | null {
  if (!empty || actions.every((action) => action.kind !== 'remove')) return null;
  return `The feed is a calendar without any event, and ${inWords(upcomingEntries(ledger, policy).length)} of it on the site ${isAre(upcomingEntries(ledger, policy).length)} still to come. Approve only if the source really has no events any more.`;
}

function siteLost({ lost, ledger, policy }: Guarded): string | null {
  const all = upcomingEntries(ledger, policy).length;
  return isMass(lost, all, policy)
    ? `Site lost or restored: ${lost} of ${all} upcoming events that were written before are not found on the site any more. Approving creates them again.` : null;
}

function massRemoval({ actions, ledger, policy }: Guarded): string | null {
  const upcoming = new Map(upcomingEntries(ledger, policy).map((entry) => [entry.slug, entry]));
  const removals = actions.filter((action) => action.kind === 'remove' && upcoming.has(action.slug)).length;
  return isMass(removals, upcoming.size, policy)
    ? `This would remove ${removals} of ${upcoming.size} upcoming events (${percent(removals / upcoming.size)}); the guard is more than ${policy.hold.moreThan} and more than ${percent(policy.hold.share)}.` : null;
}

/** Entries of events that are on the site by our hand and have not ended. */
export const upcomingEntries = (ledger: ReadonlyMap<string, LedgerEntry>, { now }: Policy): readonly LedgerEntry[] =>
  [...ledger.values()].filter((entry) => entry.state === 'kept' && entry.endsAt > now);

const isMass = (count: number, all: number, { hold }: Policy): boolean => count > hold.moreThan && count > hold.share * all;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const inWords = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`;
const isAre = (count: number): string => (count === 1 ? 'is' : 'are');
