/** Has a start and an end, in epoch milliseconds. */
export interface Timed {
  readonly startsAt: number;
  readonly endsAt: number;
}

type Pairs<One, Other> = readonly (readonly [One, Other])[];

export const HALF_DAY_MS = 43_200_000;
/** While the rest of its series is unchanged, an occurrence is assumed to have moved no farther than this. */
export const HALF_WEEK_MS = 7 * HALF_DAY_MS;

/** Pairs the two if there is exactly one on each side. */
export function onlyOne<One, Other>(some: readonly One[], others: readonly Other[]): Pairs<One, Other> {
  const [[one, ...more], [other, ...further]] = [some, others];
  return one !== undefined && other !== undefined && more.length + further.length === 0 ? [[one, other]] : [];
}

/** Pairs in order of start. */
export function inOrder<One extends Timed, Other extends Timed>(
  some: readonly One[],
  others: readonly Other[],
): Pairs<One, Other> {
  const sorted = others.toSorted(byStart);
  return some.toSorted(byStart).flatMap((one, index) => {
    const other = sorted[index];
    return other ? [[one, other] as const] : [];
  });
}

/** Pairs in order of start, if both sides have the same number and all moved by the same offset. */
export function movedTogether<One extends Timed, Other extends Timed>(
  some: readonly One[],
  others: readonly Other[],
): Pairs<One, Other> {
  if (some.length !== others.length) return [];
  const pairs = inOrder(some, others);
  return new Set(pairs.map(([one, other]) => one.startsAt - other.startsAt)).size === 1 ? pairs : [];
}

/** Pairs each, in order of start, with the nearest free one that starts at most `within` milliseconds away. */
export function nearest<One extends Timed, Other extends Timed>(
  some: readonly One[],
  others: readonly Other[],
  within: number,
): Pairs<One, Other> {
  const free = others.toSorted(byStart);
  return some.toSorted(byStart).flatMap((one) => {
    const index = nearestIndex(free, one.startsAt);
    const other = free[index];
    if (!other || Math.abs(other.startsAt - one.startsAt) > within) return [];
    free.splice(index, 1);
    return [[one, other] as const];
  });
}

/** The index of the nearest one in a list sorted by start. */
function nearestIndex(sorted: readonly Timed[], startsAt: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.startsAt ?? Number.POSITIVE_INFINITY) < startsAt) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [sorted[low - 1], sorted[low]];
  return before && (!after || startsAt - before.startsAt < after.startsAt - startsAt) ? low - 1 : low;
}

const byStart = (one: Timed, other: Timed): number => one.startsAt - other.startsAt || one.endsAt - other.endsAt;
