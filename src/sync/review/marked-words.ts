import { differenceOf } from './difference.ts';

/** A piece of two texts: in both, only in the first (`gone`), or only in the second (`come`). */
export interface Marked {
  readonly kind: 'same' | 'gone' | 'come';
  readonly text: string;
}

/**
 * If a larger share of the texts differs, they are shown one after the other, as marked words would be hard to read.
 */
const DIFFERING_MAX = 0.5;

/**
 * Merges two texts into one, with the differing words marked; if more than half differs, gives the one and then the
 * other.
 */
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

/** Splits a text into words, numbers and the characters between them; 20270106T190000 becomes its date, T and time. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\p{N}+|[\p{L}\p{M}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
