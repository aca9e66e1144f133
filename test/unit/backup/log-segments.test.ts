import { expect, test } from 'vitest';
import { neededSegments } from '../../../src/backup/physical/log-segments.ts';

const label = (file: string): string =>
  `START WAL LOCATION: 0/2000028 (file ${file})\nCHECKPOINT LOCATION: 0/2000080\nBACKUP METHOD: streamed\n`;
const MB = 1_048_576;

test.each([
  ['in one file', '000000010000000000000002', '0/2000158', 16, ['000000010000000000000002']],
  [
    'up to the end of a file, and not the next one',
    '000000010000000000000002',
    '0/3000000',
    16,
    ['000000010000000000000002'],
  ],
  [
    'in two files',
    '000000010000000000000002',
    '0/3000001',
    16,
    ['000000010000000000000002', '000000010000000000000003'],
  ],
  [
    'across the end of a log, on a later timeline',
    '0000000A00000000000000FE',
    '1/1000000',
    16,
    ['0000000A00000000000000FE', '0000000A00000000000000FF', '0000000A0000000100000000'],
  ],
  ['in larger files', '00000001000000010000003F', '2/10', 64, ['00000001000000010000003F', '000000010000000200000000']],
])('a copy needs the log %s', (_, first, end, megabytes, names) => {
  expect(neededSegments(label(first), end, megabytes * MB)).toEqual(names);
});

test.each([
  ['no label', 'BACKUP METHOD: streamed\n', '0/2000158'],
  ['an end before its beginning', label('000000010000000000000004'), '0/2000158'],
])('%s gives no segments', (_, text, end) => expect(neededSegments(text, end, 16 * MB)).toBeUndefined());
