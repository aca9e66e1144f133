import { expect, test } from 'vitest';
import { fileNameAt, filesToDelete, nextBackup } from '../../../src/backup/due.ts';
import type { BackupRecord } from '../../../src/backup/records.ts';
import { bytesInWords } from '../../../src/backup/words.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const AT = Date.UTC(2027, 0, 15, 3);
const daily = (after: number): number => after + DAY;
const hourly = (after: number): number => after + 10 * MINUTE;

const ended = (problem: string | null): Pick<BackupRecord, 'startedAt' | 'endedAt' | 'problem'> => ({
  startedAt: new Date(AT),
  endedAt: new Date(AT + MINUTE),
  problem,
});
const after = (last: ReturnType<typeof ended> | undefined) => ({ last: last as BackupRecord | undefined });

test.each([
  ['nothing is planned without a schedule', after(ended(null)), undefined, undefined],
  ['the first one is due at once', after(undefined), daily, DAY],
  ['after a good one, the schedule says when', after(ended(null)), daily, AT + DAY],
  ['a failed one is repeated soon', after(ended('disk full')), daily, AT + MINUTE + HOUR / 4],
  [
    'a failed one is repeated no later than the schedule has the next one',
    after(ended('disk full')),
    hourly,
    AT + 10 * MINUTE,
  ],
] as const)('%s', (_, state, nextOf, due) => expect(nextBackup(state, nextOf, AT + HOUR)).toBe(due));

test('a clock that was ahead and has been set back does not delay the next one', () => {
  expect(nextBackup(after(ended(null)), daily, AT - DAY)).toBe(DAY);
  // Clocks of two machines may differ.
  expect(nextBackup(after(ended(null)), daily, AT - MINUTE)).toBe(AT + DAY);
});

const names = (days: readonly number[]): readonly string[] => days.map((day) => fileNameAt(Date.UTC(2027, 0, day, 3)));

test.each([
  ['the latest ones stay', names([3, 1, 4, 2]), 2, names([1, 2])],
  ['the newest always stays', names([1, 2]), 0, names([1])],
  ['one dated in the future is deleted first', names([17, 2, 3, 16]), 2, names([16, 17])],
  ['nothing is deleted while there are few', names([1, 2]), 7, []],
  ['other files are left alone', ['notes.txt', 'calsyncd-old.tar.zst', ...names([1])], 1, []],
  [
    'the unfinished file of a dead process is deleted',
    ['x.part-12', `${names([9])[0]}.part-12`],
    1,
    [`${names([9])[0]}.part-12`],
  ],
] as const)('%s', (_, found, keep, gone) => expect(filesToDelete(found, keep, Date.UTC(2027, 0, 15, 3))).toEqual(gone));

test('a file name contains the time in UTC, so that names sort by it', () => {
  expect(names([15])).toEqual(['calsyncd-20270115T030000Z.tar.zst']);
  const inOrder = [
    '2026-09-30T23:59:59Z',
    '2026-10-01T00:00:00Z',
    '2026-10-01T09:59:59Z',
    '2026-10-01T10:00:00Z',
    '2026-12-31T23:59:59Z',
    '2027-01-01T00:00:00Z',
  ].map((time) => fileNameAt(Date.parse(time)));
  expect(inOrder.toReversed().toSorted()).toEqual(inOrder);
  expect(new Set(inOrder).size).toBe(inOrder.length);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [48_200, '48 kB'],
  [1_250_000, '1.3 MB'],
  [3_200_000_000, '3.2 GB'],
])('%i is %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words));
