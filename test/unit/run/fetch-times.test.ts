import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentHash } from '../../../src/run/fetch/content-hash.ts';
import { backoffFor, freshFor } from '../../../src/run/state/fetch-times.ts';

const MINUTE = 60_000;
const hash = (text: string): string => contentHash(Buffer.from(text));

describe('how long a feed is left alone', () => {
  test.each([
    ['no time is given', undefined, null, 0],
    ['max-age', 600_000, null, 600_000],
    ['REFRESH-INTERVAL', undefined, 3_600_000, 3_600_000],
    ['the longer of both', 600_000, 3_600_000, 3_600_000],
    ['never more than a day', 31_536_000_000, null, 86_400_000],
  ])('%s', (_, maxAge, refresh, expected) => expect(freshFor(maxAge, refresh)).toBe(expected));

  test('failures in a row double the wait, up to six hours', () => {
    expect([1, 2, 3, 4, 7, 8, 500].map((failures) => backoffFor(failures, 0.5) / MINUTE)).toEqual([
      5, 10, 20, 40, 320, 360, 360,
    ]);
  });
  test('chance spreads the wait by up to a fifth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
        const minutes = backoffFor(3, chance) / MINUTE;
        expect(minutes).toBeGreaterThanOrEqual(16 - 1e-9);
        expect(minutes).toBeLessThanOrEqual(24 + 1e-9);
      }),
    );
  });
});

describe('whether two bodies count as the same', () => {
  test.each([
    ['another DTSTAMP', 'A\r\nDTSTAMP:20260101T000000Z\r\nB', 'A\r\nDTSTAMP:20270101T000000Z\r\nB', true],
    ['another DTSTAMP with parameters, folded', 'A\nDTSTAMP;X=1:2026\n 0101\nB', 'A\nDTSTAMP:1\nB', true],
    ['another DTSTAMP at the end', 'A\nDTSTAMP:1', 'A\nDTSTAMP:2', true],
    ['a property of a similar name', 'A\nDTSTAMPED:1\nB', 'A\nDTSTAMPED:2\nB', false],
    ['DTSTAMP within a text', 'A\nSUMMARY:DTSTAMP:1\nB', 'A\nSUMMARY:DTSTAMP:2\nB', false],
    ['one more event', 'A\nDTSTAMP:1\nB', 'A\nDTSTAMP:1\nB\nB', false],
  ])('%s', (_, one, other, isSame) => expect(hash(one) === hash(other)).toBe(isSame));
});
