import { differenceOf, type Stretch } from './difference.ts';
import { CHARACTERS_MAX, isStamp, linesOf, pairsIn, type Line, type Pair } from './feed-difference.ts';

/** A row of two feeds shown side by side; long unchanged stretches are left out. */
export type FeedRow =
  | {
      readonly kind: 'same' | 'changed' | 'gone' | 'come';
      readonly before: Line | null;
      readonly after: Line | null;
    }
  /** Stands for this many unchanged lines. */
  | { readonly kind: 'left-out'; readonly count: number };

/** The number of unchanged lines shown around a difference. */
const AROUND = 3;

/**
 * Two states of a feed side by side; null if one is too long to be compared. Changed time stamps count as unchanged.
 */
export function feedRows(before: string, after: string): readonly FeedRow[] | null {
  if (Math.max(before.length, after.length) > CHARACTERS_MAX) return null;
  const [was, is] = [linesOf(before), linesOf(after)];
  const stretches = differenceOf(
    was.map(({ text }) => text),
    is.map(({ text }) => text),
  );
  return foldedRows(stretches.flatMap((stretch) => rowsIn(stretch, was, is)));
}

const rowsIn = (stretch: Stretch, was: readonly Line[], is: readonly Line[]): readonly ShownRow[] =>
  (stretch.kind === 'same' ? samePairs(stretch) : inReadingOrder(pairsIn(stretch))).map(({ before, after }) => {
    const [own, other] = [before === null ? null : (was[before] ?? null), after === null ? null : (is[after] ?? null)];
    return { kind: kindOf(own, other), before: own, after: other };
  });

type ShownRow = Exclude<FeedRow, { readonly kind: 'left-out' }>;

const samePairs = ({ before, at }: Stretch): readonly Pair[] =>
  before.map((_, index) => ({ before: at.before + index, after: at.after + index }));

/** Moves lines that are only gone to where they used to be: before the first remaining line that followed them. */
function inReadingOrder(pairs: readonly Pair[]): readonly Pair[] {
  const gone = pairs.filter(({ after }) => after === null);
  let next = 0;
  const ordered: Pair[] = [];
  for (const pair of pairs.filter(({ after }) => after !== null)) {
    for (; pair.before !== null && (gone[next]?.before ?? Infinity) < pair.before; next += 1)
      ordered.push(...gone.slice(next, next + 1));
    ordered.push(pair);
  }
  return [...ordered, ...gone.slice(next)];
}

function kindOf(before: Line | null, after: Line | null): ShownRow['kind'] {
  const texts = { before: before?.text ?? null, after: after?.text ?? null };
  if (texts.before === null) return 'come';
  if (texts.after === null) return 'gone';
  return texts.before === texts.after || isStamp({ line: 0, ...texts }) ? 'same' : 'changed';
}

/** Leaves out unchanged rows, except a few around each difference. */
function foldedRows(rows: readonly ShownRow[]): readonly FeedRow[] {
  const isNear = new Uint8Array(rows.length);
  for (const [index, { kind }] of rows.entries())
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  const folded: FeedRow[] = [];
  let count = 0;
  const leaveOut = (): void => {
    if (count > 0) folded.push({ kind: 'left-out', count });
    count = 0;
  };
  for (const [index, row] of rows.entries()) {
    if (isNear[index] === 0) {
      count += 1;
      continue;
    }
    leaveOut();
    folded.push(row);
  }
  leaveOut();
  return folded;
}
