import type { EventDraft } from '../model/draft.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { foldedWords } from '../../ascii.ts';

export const HALF_DAY_MS = 43_200_000;
/** Nearer than half a week: in a series of which the rest stands, an occurrence was moved no farther. */
const NEAR_MS = 7 * HALF_DAY_MS;

/** A draft and an entry that belong together. */
export type Pair = readonly [EventDraft, LedgerEntry];
type Pairing = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[], key: string) => readonly Pair[];

/** The pairs of each group of drafts and entries with one key. */
export function groupedPairs(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  keyOfDraft: (draft: EventDraft) => string | null,
  keyOfEntry: (entry: LedgerEntry) => string | null,
  pair: Pairing,
): readonly Pair[] {
  if (drafts.length === 0 || entries.length === 0) return [];
  const others = Map.groupBy(entries, keyOfEntry);
  return [...Map.groupBy(drafts, keyOfDraft)].flatMap(([key, group]) =>
    key === null ? [] : pair(group, others.get(key) ?? [], key),
  );
}

/** Whether the feed had it as of the reading before this one: what it had left may stay on the site. */
export const isInFeed = ({ state, missing }: LedgerEntry): boolean => state !== 'removed' && missing <= 0;

/** What has begun stays where it was: it may be corrected within its day, and what comes later is another event. */
export const hasBegun = ({ startsAt }: LedgerEntry, now: number): boolean => startsAt <= now;

/** Whether there are as many of both, all apart by one and the same offset. */
export const hasMovedAsAWhole = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): boolean =>
  drafts.length === entries.length &&
  new Set(inOrder(drafts, entries).map(([draft, entry]) => draft.startsAt - entry.startsAt)).size === 1;

/** Those with the same title, start and place, one to one. */
export function pairAlike(drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): readonly Pair[] {
  // Words take time to compare: of a large source, few entries start when new drafts do.
  const starts = new Set(drafts.map(({ startsAt }) => startsAt));
  const near = entries.filter(({ startsAt }) => starts.has(startsAt));
  return groupedPairs(
    drafts,
    near,
    (draft) => `${wordsOfDraft(draft)}|${draft.startsAt}`,
    (entry) => `${wordsOfEntry(entry)}|${entry.startsAt}`,
    inOrder,
  );
}

/** Those that are the only ones with their key, on either side. */
export const pairOnly = (
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  keyOfDraft: (draft: EventDraft) => string | null,
  keyOfEntry: (entry: LedgerEntry) => string | null,
): readonly Pair[] =>
  groupedPairs(drafts, entries, keyOfDraft, keyOfEntry, (some, others) =>
    some.length === 1 && others.length === 1 ? inOrder(some, others) : [],
  );

/** Whether a draft has neither the title nor the start that its entry had. */
export const isUnlike = ({ fields, startsAt }: EventDraft, entry: LedgerEntry): boolean =>
  startsAt !== entry.startsAt && fields.title !== entry.title;

/** What is left beside the pairs. */
export function without(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  pairs: readonly Pair[],
): { readonly drafts: readonly EventDraft[]; readonly entries: readonly LedgerEntry[] } {
  const [paired, taken] = [new Set(pairs.map(([draft]) => draft)), new Set(pairs.map(([, entry]) => entry))];
  return {
    drafts: drafts.filter((draft) => !paired.has(draft)),
    entries: entries.filter((entry) => !taken.has(entry)),
  };
}

/** One to one in order of start, each draft with the nearest free entry that is no farther than `within`. */
export function nearest(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  within: number,
): readonly Pair[] {
  const free = [...entries].sort(byStart);
  return [...drafts].sort(byStart).flatMap((draft): Pair[] => {
    const index = nearestIndex(free, draft.startsAt);
    const entry = free[index];
    if (!entry || Math.abs(entry.startsAt - draft.startsAt) > within) return [];
    free.splice(index, 1);
    return [[draft, entry]];
  });
}

/** First those of one day, then those less than half a week apart that may have moved so far. */
export function nearInTime(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  mayMove: (entry: LedgerEntry) => boolean,
): readonly Pair[] {
  const days = nearest(drafts, entries, HALF_DAY_MS);
  const rest = without(drafts, entries, days);
  return [...days, ...nearest(rest.drafts, rest.entries.filter(mayMove), NEAR_MS)];
}

/** Where in a list sorted by start the nearest one is. */
function nearestIndex(sorted: readonly LedgerEntry[], startsAt: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.startsAt < startsAt) low = middle + 1;
    else high = middle;
  }
  const before = sorted[low - 1];
  const after = sorted[low];
  return before && (!after || startsAt - before.startsAt < after.startsAt - startsAt) ? low - 1 : low;
}

/** One to one in order of start. */
export const inOrder = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): readonly Pair[] => {
  const sorted = [...entries].sort(byStart);
  return [...drafts].sort(byStart).flatMap((draft, index): Pair[] => {
    const entry = sorted[index];
    return entry ? [[draft, entry]] : [];
  });
};

interface Placed {
  readonly startsAt: number;
  readonly endsAt: number;
}
const byStart = (one: Placed, other: Placed): number => one.startsAt - other.startsAt || one.endsAt - other.endsAt;

/** Title and place, as they are compared. */
export const wordsOfDraft = (draft: EventDraft): string => `${foldedWords(draft.fields.title)}|${placeOfDraft(draft)}`;
export const wordsOfEntry = (entry: LedgerEntry): string => `${foldedWords(entry.title)}|${placeOfEntry(entry)}`;

/** The place as it is compared; empty where there is none. */
export const placeOfDraft = ({ fields }: EventDraft): string => foldedWords(fields.venue?.[0]?.venue ?? '');

export function placeOfEntry({ fields }: LedgerEntry): string {
  const venues = fields.venue?.feed;
  const venue: unknown = Array.isArray(venues) ? venues[0] : undefined;
  return foldedWords(typeof venue === 'object' && venue !== null && 'venue' in venue ? String(venue.venue) : '');
}
