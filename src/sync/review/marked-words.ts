import { differenceOf } from './difference.ts';

/** A piece of two texts: in both, only in the first (`gone`), or only in the second (`come`). */
export interface Marked {
  readonly kind: 'same' | 'gone' | 'come';
  readonly text: string;
}

/** If more of the texts than this differs, they are shown one after the other: marked words would be a puzzle. */
const DIFFERING_MAX = 0.5;

/** Two texts as one, with the words marked in which they differ; as two whole ones if more than half of them differs. */
export function markedWords(before: string, after: string): readonly Marked[] {
  const marked = differenceOf(wordsOf(before), wordsOf(after)).flatMap((stretch): readonly Marked[] =>
    stretch.kind === 'same'
      ? [{ kind: 'same', text: stretch.before.join('') }]
      : [...piece('gone', stretch.before), ...piece('come', stretch.after)],
  );
  const length = (kinds: readonly Marked['kind'][]): number =>
    marked.reduce((sum, { kind, text }) => sum + (kinds.includes(kind) ? text.length : 0), 0);
  const differing = length(['gone', 'come']);
  return differing <= DIFFERING_MAX * (differing + 2 * length(['same']))
    ? marked
    : [...piece('gone', [before]), ...piece('come', [after])];
}

const piece = (kind: Marked['kind'], texts: readonly string[]): readonly Marked[] => {
  const text = texts.join('');
  return text === '' ? [] : [{ kind, text }];
};

/** Words, numbers, and what is between them, one by one; of a time such as 20270106T190000, day and clock. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\p{N}+|[\p{L}\p{M}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
