import { furtherCount, furtherProblems, REPORTED_PER_CODE, type Problem } from '../../problem.ts';
import type { ProblemCode } from '../../codes.ts';
import { NO_EVENTS } from '../drafts/no-events.ts';
import { inOrderOfOccurrences } from '../model/draft-order.ts';
import type { FeedReading } from '../model/draft.ts';
import type { CalendarPieces, Piece } from './calendar-pieces.ts';
import { isOfTheFrame } from './part-of-calendar.ts';

// A large calendar is read in parts, because its lines, properties and events take many times the memory of the drafts
// made from them.

/** The number of single events that are read at a time. */
const EVENTS_AT_ONCE = 1_000;

/**
 * Divides a calendar into parts to read; the first also has everything that cannot be read alone. Empty if one part is
 * enough.
 */
export function partsOf({ single }: CalendarPieces, most = EVENTS_AT_ONCE): readonly ((piece: Piece) => boolean)[] {
  const count = Math.ceil(single.size / most);
  if (count < 2) return [];
  // Events are dealt out in turn, so that what only some of them have is likely to be in every part.
  const partOf = new Map([...single.values()].map((piece, index) => [piece, index % count]));
  return Array.from({ length: count }, (_, part) => (piece) => (partOf.get(piece) ?? 0) === part);
}

/** Combines the readings of all parts into one. */
export function combineReadings(parts: readonly FeedReading[]): FeedReading {
  return {
    drafts: inOrderOfOccurrences(parts.flatMap(({ drafts }) => drafts)),
    excluded: parts.flatMap(({ excluded }) => excluded),
    outside: parts.flatMap(({ outside }) => outside),
    unread: parts.flatMap(({ unread }) => unread),
    coversUntil: parts.reduce((latest, { coversUntil }) => Math.max(latest, coversUntil), 0),
    ...windowOf(parts),
    wholeSeries: parts.flatMap(({ wholeSeries = [] }) => wholeSeries),
    problems: problemsOf(parts),
  };
}

/** All parts are read with the same window. */
const windowOf = ([first]: readonly FeedReading[]): Pick<FeedReading, 'windowTo'> =>
  first?.windowTo === undefined ? {} : { windowTo: first.windowTo };

/**
 * Reports no more problems of each code than for a calendar read whole, and what all parts report only once. A part
 * without events says nothing about the whole.
 */
function problemsOf(parts: readonly FeedReading[]): readonly Problem[] {
  const counts = new Map<ProblemCode, number>();
  const told: Problem[] = [];
  const wanted = parts.flatMap(({ problems }, part) =>
    problems.filter((problem) => problem.code !== NO_EVENTS && (part === 0 || !isOfTheFrame(problem))),
  );
  for (const problem of wanted) {
    const further = furtherCount(problem);
    const before = counts.get(problem.code) ?? 0;
    counts.set(problem.code, before + Math.max(1, further));
    if (further === 0 && before < REPORTED_PER_CODE) told.push(problem);
  }
  return [...told, ...furtherProblems(counts)];
}
