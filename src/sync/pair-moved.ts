import type { EventDraft } from './draft.ts';
import type { LedgerEntry } from './plan.ts';
import { foldedWords } from './source-rules.ts';

const DAY_MS = 86_400_000;
/** Nearer than half a week: in a series of which the rest stands, an occurrence was moved no farther. */
const NEAR_MS = 3.5 * DAY_MS;

/** A draft and the entry that it continues; `by` tells what they share. */
export interface MovedPair { readonly draft: EventDraft; readonly entry: LedgerEntry; readonly by: 'uid' | 'likeness' | 'title' }

/**
 * Identities move: a series gets another start, a single event becomes a series, UIDs are renewed. Drafts and entries that found no partner
 * by identity are paired one to one: those of one UID, then those with the same title, start and place, then those with the same title and
 * place that are near in time. `standing` are the UIDs of which
 * some occurrence did find its partner.
 */
export function pairMoved(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], standing: ReadonlySet<string>): readonly MovedPair[] {
  const byUid = groupedPairs(drafts, entries, ({ rungs }) => rungs.uid, ({ uid }) => uid, (some, others, uid) => ofOneUid(some, others, standing.has(uid)));
  const left = without(drafts, entries, byUid);
  const alike = groupedPairs(left.drafts, left.entries, (draft) => `${wordsOfDraft(draft)}|${draft.startsAt}`, (entry) => `${wordsOfEntry(entry)}|${entry.startsAt}`, inOrder);
  const rest = without(left.drafts, left.entries, alike);
  const near = groupedPairs(rest.drafts, rest.entries, wordsOfDraft, wordsOfEntry, (some, others) => nearest(some, others, NEAR_MS));
  return [...named(byUid, 'uid'), ...named(alike, 'likeness'), ...named(near, 'title')];
}

const named = (pairs: readonly Pair[], by: MovedPair['by']): readonly MovedPair[] => pairs.map(([draft, entry]) => ({ draft, entry, by }));

type Pair = readonly [EventDraft, LedgerEntry];
type Pairing = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[], key: string) => readonly Pair[];

function groupedPairs(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], keyOfDraft: (draft: EventDraft) => string | null, keyOfEntry: (entry: LedgerEntry) => string | null, pair: Pairing): readonly Pair[] {
  const others = Map.groupBy(entries, keyOfEntry);
  return [...Map.groupBy(drafts, keyOfDraft)].flatMap(([key, group]) => (key === null ? [] : pair(group, others.get(key) ?? [], key)));
}

/** In order where all of a series have moved by one and the same offset; else first those that start together, then those that the feed had until now, then those that had left it. */
function ofOneUid(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], stands: boolean): readonly Pair[] {
  const present = entries.filter(isInFeed);
  if (!stands && hasMovedAsAWhole(drafts, present)) return inOrder(drafts, present);
  const exact = nearest(drafts, entries, 0);
  const left = without(drafts, entries, exact);
  const moved = movedApart(left.drafts, left.entries.filter(isInFeed), stands);
  const rest = without(left.drafts, left.entries, moved);
  return [...exact, ...moved, ...movedApart(rest.drafts, rest.entries, stands)];
}

// As of the reading before this one: what the feed had left may stay on the site.
const isInFeed = ({ state, missing }: LedgerEntry): boolean => state !== 'removed' && missing <= 0;

const hasMovedAsAWhole = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): boolean =>
  drafts.length === entries.length && new Set(inOrder(drafts, entries).map(([draft, entry]) => draft.startsAt - entry.startsAt)).size === 1;

/** First those of one day, then in order where the whole series has moved, else the nearest. */
function movedApart(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], stands: boolean): readonly Pair[] {
  const days = nearest(drafts, entries, DAY_MS / 2);
  const rest = without(drafts, entries, days);
  const moved = stands ? nearest(rest.drafts, rest.entries, NEAR_MS) : rest.drafts.length === rest.entries.length ? inOrder(rest.drafts, rest.entries) : nearest(rest.drafts, rest.entries, Number.POSITIVE_INFINITY);
  return [...days, ...moved];
}

function without(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], pairs: readonly Pair[]): { readonly drafts: readonly EventDraft[]; readonly entries: readonly LedgerEntry[] } {
  const [paired, taken] = [new Set(pairs.map(([draft]) => draft)), new Set(pairs.map(([, entry]) => entry))];
  return { drafts: drafts.filter((draft) => !paired.has(draft)), entries: entries.filter((entry) => !taken.has(entry)) };
}

/** One to one in order of start, each draft with the nearest free entry that is no farther than `within`. */
function nearest(drafts: readonly EventDraft[], entries: readonly LedgerEntry[], within: number): readonly Pair[] {
  const free = [...entries].sort(byStart);
  return [...drafts].sort(byStart).flatMap((draft): Pair[] => {
    const index = nearestIndex(free, draft.startsAt);
    const entry = free[index];
    if (!entry || Math.abs(entry.startsAt - draft.startsAt) > within) return [];
    free.splice(index, 1);
    return [[draft, entry]];
  });
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

const inOrder = (drafts: readonly EventDraft[], entries: readonly LedgerEntry[]): readonly Pair[] => {
  const sorted = [...entries].sort(byStart);
  return [...drafts].sort(byStart).flatMap((draft, index): Pair[] => { const entry = sorted[index]; return entry ? [[draft, entry]] : []; });
};

interface Placed { readonly startsAt: number; readonly endsAt: number }
const byStart = (one: Placed, other: Placed): number => one.startsAt - other.startsAt || one.endsAt - other.endsAt;

const wordsOfDraft = ({ fields }: EventDraft): string => `${foldedWords(fields.title)}|${foldedWords(fields.venue?.[0]?.venue ?? '')}`;

function wordsOfEntry({ title, fields }: LedgerEntry): string {
  const venues = fields.venue?.feed;
  const venue: unknown = Array.isArray(venues) ? venues[0] : undefined;
  const name = typeof venue === 'object' && venue !== null && 'venue' in venue ? String(venue.venue) : '';
  return `${foldedWords(title)}|${foldedWords(name)}`;
}
