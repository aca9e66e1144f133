import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BLOCK, readHeader, TAR_END, tarEntry } from '../../../src/backup/tar.ts';
import { scratchPath } from '../../support/scratch.ts';

const bytes = Buffer.from('1\tJazz\n2\tŻółw\n');

test('a written entry is read back, by this program and by tar', () => {
  const entry = tarEntry({ name: 'tables/site.events/000001', bytes }, 1_800_000_000);
  expect(entry.length % BLOCK).toBe(0);
  expect(readHeader(entry)).toEqual({ name: 'tables/site.events/000001', size: bytes.length });
  const folder = mkdtempSync(scratchPath('tar'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'x.tar'), Buffer.concat([entry, TAR_END]));
  execFileSync('tar', ['-xf', 'x.tar'], { cwd: folder });
  expect(readFileSync(path.join(folder, 'tables/site.events/000001'))).toEqual(bytes);
});

test.each([
  ['the end', TAR_END.subarray(0, BLOCK), null],
  ['any text', Buffer.from('x'.repeat(BLOCK)), undefined],
  ['a header with a byte changed', tarEntry({ name: 'b', bytes }, 0).fill('c', 0, 1), undefined],
])('%s is not an entry', (_, block, says) => expect(readHeader(block)).toBe(says));

const summed = (block: Buffer): number => block.subarray(0, BLOCK).reduce((sum, byte) => sum + byte, 0);

test.each([...'123456xgL'])(
  'an entry of the type “%s”, such as a link, a device or a folder, is not accepted',
  (type) => {
    const header = tarEntry({ name: 'b', bytes }, 0);
    const before = summed(header);
    header.write(type, 156);
    const sum = Number.parseInt(header.toString('latin1', 148, 154), 8) + summed(header) - before;
    header.write(sum.toString(8).padStart(6, '0'), 148);
    expect(readHeader(header)).toBeUndefined();
  },
);

test('a name that does not fit is refused', () =>
  expect(() => tarEntry({ name: 'x'.repeat(101), bytes }, 0)).toThrow('too long'));
