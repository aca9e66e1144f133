/** A stretch that two lists share, or one in which they differ. `at` is its position in each list, from 0. */
export interface Stretch {
  readonly kind: 'same' | 'differs';
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly at: { readonly before: number; readonly after: number };
}

/** How often a differing stretch is searched again for common lines; each search takes as long as sorting it. */
const DEPTH_MAX = 3;

/**
 * Returns the differences between two lists of texts, in order. Only texts that occur exactly once in each list are
 * matched, so the time is roughly linear in the lists' length, whatever they contain.
 */
export function differenceOf(before: readonly string[], after: readonly string[]): readonly Stretch[] {
  return merged(stretches(before, after, { before: 0, after: 0 }, 0));
}

type At = Stretch['at'];

function stretches(before: readonly string[], after: readonly string[], at: At, depth: number): readonly Stretch[] {
  const head = commonLength(before, after, (list, index) => list[index]);
  const [restBefore, restAfter] = [before.slice(head), after.slice(head)];
  const tail = commonLength(restBefore, restAfter, (list, index) => list[list.length - 1 - index]);
  const [own, others] = [restBefore.slice(0, restBefore.length - tail), restAfter.slice(0, restAfter.length - tail)];
  const from = moved(at, head, head);
  return [
    ...sameFrom(before.slice(0, head), at),
    ...middle(own, others, from, depth),
    ...sameFrom(restBefore.slice(restBefore.length - tail), moved(from, own.length, others.length)),
  ];
}

function middle(before: readonly string[], after: readonly string[], at: At, depth: number): readonly Stretch[] {
  if (before.length + after.length === 0) return [];
  const anchors = depth >= DEPTH_MAX || before.length === 0 || after.length === 0 ? [] : anchorsOf(before, after);
  if (anchors.length === 0) return [{ kind: 'differs', before, after, at }];
  const found: Stretch[] = [];
  let last = { before: 0, after: 0 };
  for (const anchor of [...anchors, { before: before.length, after: after.length }]) {
    found.push(
      ...stretches(
        before.slice(last.before, anchor.before),
        after.slice(last.after, anchor.after),
        moved(at, last.before, last.after),
        depth + 1,
      ),
    );
    last = anchor;
  }
  return found;
}

const moved = (at: At, before: number, after: number): At => ({
  before: at.before + before,
  after: at.after + after,
});

const sameFrom = (texts: readonly string[], at: At): readonly Stretch[] =>
  texts.length === 0 ? [] : [{ kind: 'same', before: texts, after: texts, at }];

function commonLength(
  before: readonly string[],
  after: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(before.length, after.length);
  let length = 0;
  while (length < most && at(before, length) === at(after, length)) length += 1;
  return length;
}

/** The longest selection of texts that occur exactly once in each list, in an order that both lists share. */
function anchorsOf(before: readonly string[], after: readonly string[]): readonly At[] {
  const places = placesOfUnique(before);
  const pairs = [...placesOfUnique(after)].flatMap(([text, place]): readonly At[] => {
    const own = places.get(text);
    return own === undefined ? [] : [{ before: own, after: place }];
  });
  return longestRise(pairs);
}

function placesOfUnique(texts: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const often = new Set<string>();
  for (const [index, text] of texts.entries()) {
    if (places.has(text)) often.add(text);
    places.set(text, index);
  }
  for (const text of often) places.delete(text);
  return places;
}

/** The longest increasing subsequence by `before` of pairs that are sorted by `after`. */
function longestRise(pairs: readonly At[]): readonly At[] {
  interface Link {
    readonly pair: At;
    readonly former: Link | undefined;
  }
  const ends: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((ends[half]?.pair.before ?? 0) < pair.before) low = half + 1;
      else high = half;
    }
    ends[low] = { pair, former: ends[low - 1] };
  }
  const rise: At[] = [];
  for (let link = ends.at(-1); link; link = link.former) rise.push(link.pair);
  return rise.reverse();
}

/** Joins neighbouring stretches of the same kind. */
function merged(list: readonly Stretch[]): readonly Stretch[] {
  const all: (Stretch & { readonly before: string[]; readonly after: string[] })[] = [];
  for (const { kind, before, after, at } of list) {
    const last = all.at(-1);
    if (last?.kind !== kind) all.push({ kind, before: [...before], after: [...after], at });
    else {
      // Pushed one by one, because a call takes a limited number of arguments.
      for (const text of before) last.before.push(text);
      for (const text of after) last.after.push(text);
    }
  }
  return all;
}
