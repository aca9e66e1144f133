import { differenceOf } from '../../sync/review/difference.ts';

/** A line of a comparison: in both texts, only in the first, or only in the second. */
export interface DifferentLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Compares two texts line by line. */
export const lineDifference = (before: string, after: string): readonly DifferentLine[] =>
  differenceOf(before.split('\n'), after.split('\n')).flatMap(({ kind, before: own, after: others }) =>
    kind === 'same' ? lines('same', own) : [...lines('gone', own), ...lines('new', others)],
  );

const lines = (kind: DifferentLine['kind'], texts: readonly string[]): readonly DifferentLine[] =>
  texts.map((text) => ({ kind, text }));
