import type { EventDraft, EventFields, FeedReading } from './draft.ts';
import type { LinkedField } from './fields.ts';
import { canonical } from './json.ts';
import type { LedgerEntry } from './plan.ts';

/** The names that events give to terms, venues and organizers. */
export interface Naming {
  readonly fields: Pick<EventFields, LinkedField>;
}

/** A settled event: its entry handles the whole of what the feed says of it, and it is in the window. */
export interface SettledEvent extends Pick<EventDraft, 'startsAt' | 'endsAt'> {
  readonly uid: string;
  readonly digest: string;
  readonly key: string;
}

/** What a plan for a part of a source's events has to know of the others, which are settled. */
export interface Besides {
  readonly count: number;
  /** How many have not ended. */
  readonly upcoming: number;
  readonly firstStart: number;
  readonly lastStart: number;
  /** No other event may get these. */
  readonly keys: ReadonlySet<string>;
  readonly naming: readonly Naming[];
}

/** For a plan of the whole. */
export const NOTHING_BESIDES: Besides = {
  count: 0,
  upcoming: 0,
  firstStart: Number.POSITIVE_INFINITY,
  lastStart: Number.NEGATIVE_INFINITY,
  keys: new Set(),
  naming: [],
};

/** Sums up settled events; `now` in epoch milliseconds. */
export function besidesOf(settled: readonly SettledEvent[], naming: readonly Naming[], now: number): Besides {
  let { upcoming, firstStart, lastStart } = NOTHING_BESIDES;
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

/** The reading of a part as one of the whole feed, which covers what is besides it, too. */
export const amid = (reading: FeedReading, { lastStart }: Besides): FeedReading => ({
  ...reading,
  coversUntil: Math.max(reading.coversUntil, lastStart),
});

/** When the first event of the whole feed begins. */
export const firstStartOf = ({ drafts }: FeedReading, { firstStart }: Besides): number =>
  drafts.reduce((first, { startsAt }) => Math.min(first, startsAt), firstStart);

/** Names, and how many events give just these to what they link to. */
export interface CountedNaming extends Naming {
  readonly events: number;
}

/** What is left of names without some of the events that give them. */
export function namingWithout(named: readonly CountedNaming[], entries: Iterable<LedgerEntry>): readonly Naming[] {
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
