import { describe, expect, test } from 'vitest';
import { lineDifference } from '../../../src/operator/add/line-difference.ts';

const shown = (before: string, after: string): readonly string[] =>
  lineDifference(before, after).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`);

describe('the difference of two texts', () => {
  test.each([
    ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a\nb\nc\nd\ne', 'x\nb\nd\ny\ne', ['-a', '+x', ' b', '-c', ' d', '+y', ' e']],
  ])('%j and %j', (before, after, lines) => expect(shown(before, after)).toEqual(lines));

  test('contains both texts in full, whatever they are', () => {
    const texts = ['', 'a', 'a\n', 'a\nb\na\nb', 'b\na\nb', 'a\na\na', 'x\na\ny\nb'];
    for (const before of texts)
      for (const after of texts) {
        const lines = lineDifference(before, after);
        const without = (kind: string): string =>
          lines
            .filter((line) => line.kind !== kind)
            .map(({ text }) => text)
            .join('\n');
        expect([without('new'), without('gone')]).toEqual([before, after]);
      }
  });
});
