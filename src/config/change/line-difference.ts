/** A line of two texts: in both, only in the first, or only in the second. `number` is that in the text which has it. */
export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
  readonly number: number;
}

/** Beyond this, what lies between equal beginnings and ends is told as replaced as a whole. */
const CELLS_MAX = 4_000_000;

/** What differs between two texts, line by line. */
export function lineDifference(before: string, after: string): readonly DifferentLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [middle, otherMiddle] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const same = (from: number, to: number): readonly DifferentLine[] =>
    other.slice(from, to).map((text, index) => ({ kind: 'same', text, number: from + index + 1 }));
  const between =
    middle.length * otherMiddle.length > CELLS_MAX ? replaced(middle, otherMiddle) : compared(middle, otherMiddle);
  return [
    ...same(0, start),
    ...between.map((line) => ({ ...line, number: line.number + start })),
    ...same(other.length - end, other.length),
  ];
}

const replaced = (one: readonly string[], other: readonly string[]): readonly DifferentLine[] => [
  ...one.map((text, index) => ({ kind: 'gone', text, number: index + 1 }) as const),
  ...other.map((text, index) => ({ kind: 'new', text, number: index + 1 }) as const),
];

/** By the longest common subsequence of the lines. */
function compared(one: readonly string[], other: readonly string[]): readonly DifferentLine[] {
  const common = commonRests(one, other);
  const lines: DifferentLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [gone, added] = [one[i], other[j]];
    if (gone !== undefined && gone === added) {
      lines.push({ kind: 'same', text: added, number: j + 1 });
      i += 1;
      j += 1;
    } else if (added === undefined || (gone !== undefined && common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ kind: 'gone', text: gone ?? '', number: i + 1 });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: added, number: j + 1 });
      j += 1;
    }
  }
  return lines;
}

/** How many lines the rests of both, from two lines on, have in common. */
function commonRests(one: readonly string[], other: readonly string[]): (i: number, j: number) => number {
  const width = other.length + 1;
  const common = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      common[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
