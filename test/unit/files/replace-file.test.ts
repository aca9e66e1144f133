import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile } from '../../../src/files/replace-file.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replace-file-'));
  file = path.join(folder, 'all.ics');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A disk that is full after the first part. */
async function* untilFull(): AsyncGenerator<Buffer> {
  yield Buffer.from('BEGIN:VCALENDAR\r\n');
  throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
}

test('a write that fails halfway leaves what was there', async () => {
  writeFileSync(file, 'before');
  await expect(replaceFile(file, untilFull)).rejects.toThrow('no space');
  expect(readFileSync(file, 'utf8')).toBe('before');
  await expect(replaceFile(path.join(folder, 'new.ics'), untilFull)).rejects.toThrow('no space');
  expect(readdirSync(folder)).toEqual(['all.ics']);
});

test('a file keeps its mode', async () => {
  writeFileSync(file, 'before');
  chmodSync(file, 0o604);
  await replaceFile(file, () => 'after');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['after', 0o604]);
});

test.each(['there', 'not there yet'])('a link stays, and its target, %s, is written', async (is) => {
  if (is === 'there') writeFileSync(file, 'before');
  const link = path.join(folder, 'link.ics');
  symlinkSync('all.ics', link);
  await replaceFile(link, () => 'after');
  expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'after']);
});

test('a pipe is written to, and stays one', async () => {
  execFileSync('mkfifo', [file]);
  const reader = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = once(reader.stdout, 'data');
  await replaceFile(file, () => 'after');
  expect(String((await read)[0])).toBe('after');
  expect(lstatSync(file).isFIFO()).toBe(true);
});

test('a folder is not overwritten', async () => {
  await expect(replaceFile(folder, () => 'after')).rejects.toThrow('EISDIR');
});
