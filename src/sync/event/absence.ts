import type { FeedReading } from '../model/draft.ts';
import { identitiesOf, identityText, withoutOrdinal } from '../model/identity.ts';
import type { LedgerEntry, Policy } from '../model/plan.ts';
import { countInWords } from '../../count-in-words.ts';

/** Why an event in the ledger has no draft. Only `gone` adds to its count of absences. */
export type Absence =
  | { readonly kind: 'gone' }
  | { readonly kind: 'excluded'; readonly because: string }
  /** The feed has no events at all. Every upcoming event would be removed immediately, so a guard holds the run. */
  | { readonly kind: 'emptied' }
  /** In the feed but outside the window, or (`isBeyond`) later than the feed covers. */
  | { readonly kind: 'outside'; readonly isBeyond: boolean }
  | { readonly kind: 'past' }
  /** Part of the feed could not be read, so the event may still be in it. */
  | { readonly kind: 'unread' };

/** Returns a function that says why an entry has no draft in a reading. */
export function absencesIn(reading: FeedReading, policy: Pick<Policy, 'now'>): (entry: LedgerEntry) => Absence {
  let absenceOf: ReturnType<typeof absenceFinder> | undefined;
  // Built only when needed, as most readings have a draft for each entry.
  return (entry) => (absenceOf ??= absenceFinder(reading, policy))(entry);
}

function absenceFinder(reading: FeedReading, { now }: Pick<Policy, 'now'>): (entry: LedgerEntry) => Absence {
  const isEmpty = hasNoEvents(reading);
  const { windowTo = Number.POSITIVE_INFINITY } = reading;
  const excluded = excludedBy(reading);
  const drafted = new Set(reading.drafts.map(({ rungs }) => rungs.uid));
  // In the feed, but with nothing in the window: an event moved out of it, or a series that has ended or not begun.
  const elsewhere = new Set(reading.outside.filter((uid) => !drafted.has(uid)));
  const isCovered = coveredSeries(reading);
  return (entry) => {
    if (entry.endsAt <= now) return { kind: 'past' };
    if (isEmpty) return { kind: 'emptied' };
    const because = excluded(entry);
    if (because !== undefined) return { kind: 'excluded', because };
    // The window may have been longer. Its later events are not drafted, whether or not the feed still has them.
    if (entry.startsAt >= windowTo) return { kind: 'outside', isBeyond: false };
    if (!isCovered(entry)) {
      if (entry.uid !== null && elsewhere.has(entry.uid)) return { kind: 'outside', isBeyond: false };
      if (entry.startsAt > reading.coversUntil) return { kind: 'outside', isBeyond: true };
    }
    return reading.unread.length > 0 ? { kind: 'unread' } : { kind: 'gone' };
  };
}

/** Whether a feed has no events at all, not even ones that were left out or could not be read. */
export const hasNoEvents = ({ drafts, excluded, outside, unread }: FeedReading): boolean =>
  drafts.length + excluded.length + outside.length + unread.length === 0;

/**
 * Whether an entry is an occurrence of a series that the feed gives whole. If such an entry is missing, the series was
 * shortened or became a single event.
 */
function coveredSeries({ wholeSeries }: FeedReading): (entry: LedgerEntry) => boolean {
  const uids = new Set(wholeSeries);
  return ({ rung, uid, identity }) =>
    rung === 'uid' && uid !== null && uids.has(uid) && identity !== null && withoutOrdinal(identity) !== uid;
}

/** Why the feed's rules left an entry out. A component without RECURRENCE-ID takes all its occurrences with it. */
function excludedBy({ excluded }: FeedReading): (entry: LedgerEntry) => string | undefined {
  const whole = new Map(
    excluded.flatMap(({ rungs, because }) =>
      rungs.recurrenceId === null && rungs.uid !== null ? [[rungs.uid, because]] : [],
    ),
  );
  const single = new Map(
    excluded.flatMap((left) => identitiesOf(left, 'uid').map((identity) => [identityText(identity), left.because])),
  );
  return ({ uid, rung, identity }) =>
    (uid === null ? undefined : whole.get(uid)) ??
    (identity === null ? undefined : single.get(identityText({ rung, identity: withoutOrdinal(identity) })));
}

/** A number of good fetches, in words: only fetches of whole feeds count towards an event's absence. */
export const fetchesInWords = (count: number): string => countInWords(count, 'good fetch', 'good fetches');
