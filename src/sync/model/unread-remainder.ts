import type { EventDraft, EventFields, FeedReading } from './draft.ts';
import type { LinkedField } from './fields.ts';
import { canonical } from './json.ts';
import type { LedgerEntry } from './plan.ts';

/** The names of the terms, venues and organizers that an event links to. */
export interface LinkedNames {
  readonly fields: Pick<EventFields, LinkedField>;
}

/** An event in the window whose ledger entry already handles everything the feed says about it. */
export interface SettledEvent extends Pick<EventDraft, 'startsAt' | 'endsAt'> {
  readonly uid: string;
  readonly digest: string;
  readonly key: string;
}

/** What planning part of a source needs to know about the source's other events, all of which are settled. */
export interface UnreadRemainder {
  readonly count: number;
  /** How many have not ended. */
  readonly upcoming: number;
  readonly firstStart: number;
  readonly lastStart: number;
  /** Keys that new events must not be given. */
  readonly keys: ReadonlySet<string>;
  readonly naming: readonly LinkedNames[];
}

/** For a plan of the whole source. */
export const NO_REMAINDER: UnreadRemainder = {
  count: 0,
  upcoming: 0,
  firstStart: Number.POSITIVE_INFINITY,
  lastStart: Number.NEGATIVE_INFINITY,
  keys: new Set(),
  naming: [],
};

/** Summarises settled events; `now` is in epoch milliseconds. */
export function remainderOf(
  settled: readonly SettledEvent[],
  naming: readonly LinkedNames[],
  now: number,
): UnreadRemainder {
  let { upcoming, firstStart, lastStart } = NO_REMAINDER;
  for (const { startsAt, endsAt } of settled) {
    if (endsAt > now) upcoming += 1;
    firstStart = Math.min(firstStart, startsAt);
    lastStart = Math.max(lastStart, startsAt);
  }
  return {
    count: settled.length,
    upcoming,
    firstStart,
    lastStart,
    keys: new Set(settled.map(({ key }) => key)),
    naming,
  };
}

/** Makes the reading of a part cover what the whole feed covers, including the settled events. */
export const coveringRemainder = (reading: FeedReading, { lastStart }: UnreadRemainder): FeedReading => ({
  ...reading,
  coversUntil: Math.max(reading.coversUntil, lastStart),
});

/** The start of the whole feed's first event, in epoch milliseconds. */
export const firstStartOf = ({ drafts }: FeedReading, { firstStart }: UnreadRemainder): number =>
  drafts.reduce((first, { startsAt }) => Math.min(first, startsAt), firstStart);

/** Names, and the number of events that use exactly this set of names. */
export interface CountedLinkedNames extends LinkedNames {
  readonly events: number;
}

/** The names still in use when the events of some entries are left out. */
export function linkedNamesWithout(
  named: readonly CountedLinkedNames[],
  entries: Iterable<LedgerEntry>,
): readonly LinkedNames[] {
  const left = new Map(named.map((each) => [canonical(each.fields), each.events]));
  for (const { fields } of entries) {
    const key = canonical({
      categories: fields.categories?.feed ?? [],
      tags: fields.tags?.feed ?? [],
      venue: fields.venue?.feed ?? [],
      organizer: fields.organizer?.feed ?? [],
    });
    left.set(key, (left.get(key) ?? 0) - 1);
  }
  return named.filter(({ fields }) => (left.get(canonical(fields)) ?? 0) > 0);
}
