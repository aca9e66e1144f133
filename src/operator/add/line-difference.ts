/** A line of two texts: in both, only in the first, or only in the second. */
export interface DifferentLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** What differs between two texts, line by line: what is the same at both ends is passed over first. */
export function lineDifference(before: string, after: string): readonly DifferentLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let top = 0;
  while (top < shorter && old[top] === now[top]) top += 1;
  let foot = 0;
  while (foot < shorter - top && old.at(-1 - foot) === now.at(-1 - foot)) foot += 1;
  return [
    ...old.slice(0, top).map(same),
    ...middle(old.slice(top, old.length - foot), now.slice(top, now.length - foot)),
    ...old.slice(old.length - foot).map(same),
  ];
}

const linesOf = (text: string): readonly string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

/** More cells than this are not worth their time: then all old lines go before all new ones. */
const CELLS_MAX = 1_000_000;

const same = (text: string): DifferentLine => ({ kind: 'same', text });
const removed = (text: string): DifferentLine => ({ kind: 'removed', text });
const added = (text: string): DifferentLine => ({ kind: 'added', text });

function lineOf(isSame: boolean, isRemoved: boolean, before: string, after: string): DifferentLine {
  if (isSame) return same(before);
  return isRemoved ? removed(before) : added(after);
}

function middle(old: readonly string[], now: readonly string[]): readonly DifferentLine[] {
  if (old.length * now.length > CELLS_MAX) return [...old.map(removed), ...now.map(added)];
  const common = commonLines(old, now);
  const lines: DifferentLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    const [before = '', after = ''] = [old[row], now[column]];
    const isSame = before === after;
    const isRemoved = !isSame && common(row + 1, column) >= common(row, column + 1);
    lines.push(lineOf(isSame, isRemoved, before, after));
    row += Number(isSame || isRemoved);
    column += Number(isSame || !isRemoved);
  }
  return [...lines, ...old.slice(row).map(removed), ...now.slice(column).map(added)];
}

/** How many lines two texts have in common, in their order, from a line of each on. */
function commonLines(old: readonly string[], now: readonly string[]): (row: number, column: number) => number {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  return at;
}
