import type { EventDraft } from '../model/draft.ts';
import type { Rung } from '../model/identity.ts';
import type { LedgerEntry } from '../model/plan.ts';
import {
  groupedPairs,
  HALF_DAY_MS,
  hasBegun,
  hasMovedAsAWhole,
  inOrder,
  isInFeed,
  isUnlike,
  nearest,
  nearInTime,
  pairAlike,
  pairOnly,
  placeOfDraft,
  placeOfEntry,
  without,
  wordsOfDraft,
  wordsOfEntry,
  type Pair,
} from './pairs.ts';
import { foldedWords } from '../../ascii.ts';

/** A draft and the entry that it continues; `by` tells what they share. */
export interface MovedPair {
  readonly draft: EventDraft;
  readonly entry: LedgerEntry;
  readonly by: 'uid' | 'likeness' | 'title' | 'place';
}

export interface Moving {
  /** The UIDs of which some occurrence did find its partner. */
  readonly standing: ReadonlySet<string>;
  /** Entries whose identity is still in the feed: whoever bears it has been compared with them, and only what is just like them can be theirs. */
  readonly compared: ReadonlySet<LedgerEntry>;
  /** The source's rung. */
  readonly rung: Rung;
  readonly now: number;
}

/**
 * Identities move: a series gets another start, a single event becomes a series, UIDs are renewed. Drafts and entries that found no partner
 * by identity are paired one to one: those of one UID, then those with the same title, start and place, then those with the same title and
 * place that are near in time. Where the UIDs of a source have proved unreliable, they come second. Last come those of which one thing more
 * than the UID has changed, the place or the title, where there is just one on each side.
 */
export function pairMoved(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  moving: Moving,
): readonly MovedPair[] {
  const [byUid, alike, ...others] = STEPS;
  const steps: readonly Step[] = moving.rung === 'uid' ? STEPS : [alike, byUid, ...others];
  return steps.reduce<{ readonly pairs: readonly MovedPair[]; readonly left: Open }>(
    ({ pairs, left }, [by, step]) => {
      const found = step(left, moving);
      return {
        pairs: [...pairs, ...found.map(([draft, entry]) => ({ draft, entry, by }))],
        left: without(left.drafts, left.entries, found),
      };
    },
    { pairs: [], left: { drafts, entries } },
  ).pairs;
}

interface Open {
  readonly drafts: readonly EventDraft[];
  readonly entries: readonly LedgerEntry[];
}
type Step = readonly [MovedPair['by'], (open: Open, moving: Moving) => readonly Pair[]];

const STEPS: readonly [Step, Step, ...Step[]] = [
  [
    'uid',
    ({ drafts, entries }, { compared, standing, rung, now }) =>
      groupedPairs(
        drafts,
        entries.filter((entry) => !compared.has(entry)),
        ({ rungs }) => rungs.uid,
        ({ uid }) => uid,
        (some, others, uid) => ofOneUid(some, others, standing.has(uid), now),
      ).filter(([draft, entry]) => rung === 'uid' || !isUnlike(draft, entry)),
  ],
  ['likeness', ({ drafts, entries }) => pairAlike(drafts, entries)],
  [
    'title',
    ({ drafts, entries }, { compared, now }) =>
      groupedPairs(
        drafts,
        entries.filter((entry) => !compared.has(entry)),
        wordsOfDraft,
        wordsOfEntry,
        (some, others) => nearInTime(some, others, (entry) => !hasBegun(entry, now)),
      ),
  ],
  [
    'title',
    ({ drafts, entries }, { compared }) =>
      pairOnly(
        drafts,
        entries.filter((entry) => !compared.has(entry) && wasInFeed(entry)),
        ({ fields, startsAt }) => startAnd(foldedWords(fields.title), startsAt),
        ({ title, startsAt }) => startAnd(foldedWords(title), startsAt),
      ),
  ],
  // What a person removed would take with it whatever took its place.
  [
    'place',
    ({ drafts, entries }, { compared }) =>
      pairOnly(
        drafts,
        entries.filter((entry) => !compared.has(entry) && wasInFeed(entry) && entry.state === 'kept'),
        (draft) => startAnd(placeOfDraft(draft), draft.startsAt),
        (entry) => startAnd(placeOfEntry(entry), entry.startsAt),
      ).filter(([draft, entry]) => isOtherwiseAlike(draft, entry)),
  ],
];

/** What else has another text or another end is another event that has got the same room. */
const isOtherwiseAlike = (draft: EventDraft, entry: LedgerEntry): boolean =>
  draft.endsAt === entry.endsAt &&
  (['description', 'excerpt'] as const).every(
    (field) => (draft.fields[field] ?? '') === (entry.fields[field]?.feed ?? ''),
  );

/** No title and no place is none that two events share. */
const startAnd = (words: string, startsAt: number): string | null => (words === '' ? null : `${words}|${startsAt}`);

/** Whether the reading before this one had it; what a person has brought back is not in the feed. */
const wasInFeed = (entry: LedgerEntry): boolean => isInFeed(entry) && entry.missing === 0 && !entry.pinned;

/** In order where all of a series have moved by one and the same offset; else first those that start together, then those that the feed had until now, then those that had left it. */
function ofOneUid(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  stands: boolean,
  now: number,
): readonly Pair[] {
  const present = entries.filter(isInFeed);
  if (!stands && hasMovedAsAWhole(drafts, present)) return inOrder(drafts, present);
  const exact = nearest(drafts, entries, 0);
  const left = without(drafts, entries, exact);
  const moved = movedApart(left.drafts, left.entries.filter(isInFeed), stands, now);
  const rest = without(left.drafts, left.entries, moved);
  return [...exact, ...moved, ...movedApart(rest.drafts, rest.entries, stands, now)];
}

/** First those of one day, then in order where the whole series has moved, else the nearest. */
function movedApart(
  drafts: readonly EventDraft[],
  entries: readonly LedgerEntry[],
  stands: boolean,
  now: number,
): readonly Pair[] {
  if (stands) return nearInTime(drafts, entries, (entry) => !hasBegun(entry, now));
  const days = nearest(drafts, entries, HALF_DAY_MS);
  const rest = without(drafts, entries, days);
  return [
    ...days,
    ...(rest.drafts.length === rest.entries.length
      ? inOrder(rest.drafts, rest.entries)
      : nearest(rest.drafts, rest.entries, Number.POSITIVE_INFINITY)),
  ];
}
