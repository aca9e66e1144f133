import type { Besides } from '../model/besides.ts';
import { massChange } from './mass-change.ts';
import { replacement, sameUnderNewNames } from './replacement.ts';
import type { Action, LedgerEntry, Policy, UpdateEvent } from '../model/plan.ts';
import { countInWords } from '../../count-in-words.ts';

/** What the guards look at. */
export interface Guarded {
  readonly actions: readonly Action[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  /** What there is besides the ledger. */
  readonly besides?: Pick<Besides, 'upcoming' | 'count'> | undefined;
  readonly policy: Policy;
  /** Entries of upcoming events that are not on the site at all, not even in the trash. */
  readonly lost: number;
  /** The feed is a complete calendar without events. */
  readonly empty: boolean;
  /** Upcoming entries that are missing from the feed for the first time. */
  readonly leaving?: readonly LedgerEntry[];
}

type Guard = (guarded: Guarded) => string | null;

/** Why a plan needs a review first, in words and numbers; null if it may run. */
export const holdReason = (guarded: Guarded): string | null =>
  GUARDS.map((guard) => guard(guarded)).find((reason) => reason !== null) ?? null;

// The most telling reason first.
const GUARDS: readonly Guard[] = [emptyCalendar, siteLost, massRemoval, massChangeOf, massReplacement, flood];

function emptyCalendar({ empty, actions, ledger, policy }: Guarded): string | null {
  if (!empty || actions.every((action) => action.kind !== 'remove')) return null;
  const upcoming = upcomingEntries(ledger, policy).length;
  return `The feed is a calendar without any event, and ${countInWords(upcoming, 'event')} of it on the site ${upcoming === 1 ? 'is' : 'are'} still to come. Approve only if the source really has no events any more.`;
}

function siteLost({ lost, policy, ...known }: Guarded): string | null {
  const all = upcomingIn({ policy, ...known });
  if (!isMass(lost, all, policy) && !isAllOfSome(lost, all)) return null;
  const byHand = isMass(lost, all, policy)
    ? ''
    : ' If a person deleted them on purpose, move them to the trash afterwards: from there they do not come back.';
  return `Site lost or restored: ${lost} of ${all} upcoming events that were written before are not found on the site any more. Approving creates them again.${byHand}`;
}

// A few events are not many; but if all of them are gone, they went together.
const isAllOfSome = (lost: number, all: number): boolean => all > 1 && lost === all;

function massRemoval({ actions, ledger, policy, besides }: Guarded): string | null {
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  // Includes events removed earlier that are back because the site was restored.
  const removals = actions.flatMap((action) => {
    const entry = action.kind === 'remove' ? ledger.get(action.slug) : undefined;
    return entry && entry.endsAt > policy.now ? [entry] : [];
  });
  const others = besides?.upcoming ?? 0;
  const all = new Set([...upcoming, ...removals.map(({ slug }) => slug)]).size + others;
  return isMass(removals.length, upcoming.size + others, policy)
    ? `This would remove ${removals.length} of ${all} upcoming events (${percent(removals.length / all)}); more than ${policy.hold.moreThan} and more than ${percent(policy.hold.share)} at once wait for a person.${sameUnderNewNames(removals, actions)}`
    : null;
}

function massChangeOf({ actions, ledger, policy, besides }: Guarded): string | null {
  const upcoming = new Set(upcomingEntries(ledger, policy).map(({ slug }) => slug));
  const updates = actions.filter(
    (action): action is UpdateEvent => action.kind === 'update' && upcoming.has(action.slug),
  );
  return massChange({ updates, all: upcoming.size + (besides?.upcoming ?? 0), moreThan: policy.hold.moreThan });
}

function massReplacement({ actions, leaving = [], policy, ...known }: Guarded): string | null {
  return replacement({ actions, leaving, all: upcomingIn({ policy, ...known }), policy });
}

const FLOOD_MORE_THAN = 100;
const FLOOD_TIMES = 3;

/**
 * Far more new events than the source has had: a wrong calendar, or all UIDs have changed. A source without upcoming
 * events is compared with its past ones; a source that never had any is on its first run.
 */
function flood({ actions, ledger, policy, besides }: Guarded): string | null {
  const upcoming = upcomingIn({ ledger, policy, besides });
  const before = upcoming > 0 ? upcoming : ledger.size + (besides?.count ?? 0);
  const creates = actions.filter((action) => action.resource === 'events' && action.kind === 'create').length;
  return before > 0 && creates > FLOOD_MORE_THAN && creates > FLOOD_TIMES * before
    ? `This would create ${creates} new events at once, beside the ${upcoming > 0 ? `${upcoming} upcoming ones of this source` : `${countInWords(before, 'event')} that this source has had, none of them still to come`}; more than ${FLOOD_MORE_THAN} and more than ${FLOOD_TIMES} times as many wait for a person.`
    : null;
}

/** Entries of events that we keep on the site and that have not ended. */
export const upcomingEntries = (ledger: ReadonlyMap<string, LedgerEntry>, { now }: Policy): readonly LedgerEntry[] =>
  [...ledger.values()].filter((entry) => entry.state === 'kept' && entry.endsAt > now);

const upcomingIn = ({ ledger, policy, besides }: Pick<Guarded, 'ledger' | 'policy' | 'besides'>): number =>
  upcomingEntries(ledger, policy).length + (besides?.upcoming ?? 0);

const isMass = (count: number, all: number, { hold }: Policy): boolean =>
  count > hold.moreThan && count > hold.share * all;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
