import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder } from '../../../src/files/make-folder.ts';
import { whyUnwritable } from '../../../src/files/why-unwritable.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-folder-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

function whyNot(folder: string): string {
  try {
    makeFolder(folder);
  } catch (error) {
    return whyUnwritable(error);
  }
  return '';
}

test('a folder is made, and an existing one stays as it is', () => {
  const folder = path.join(directory, 'a', 'b');
  mkdirSync(path.join(directory, 'a'), { mode: 0o755 });
  for (const mode of [0o700, 0o777]) makeFolder(folder, mode);
  expect([modeOf(folder), modeOf(path.dirname(folder))]).toEqual([0o700, 0o755]);
});

test('missing parents are made with the same mode', () => {
  const folder = path.join(directory, 'p', 'q', 'r');
  makeFolder(folder, 0o700);
  expect([folder, path.dirname(folder), path.join(directory, 'p')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

test('a file in the way is named as the reason', () => {
  const file = path.join(directory, 'file');
  writeFileSync(file, '');
  expect(whyNot(file)).toBe('there is a file of that name');
  expect(whyNot(path.join(file, 'x', 'y'))).toBe('a part of its path is a file, not a folder');
});

test.runIf(process.platform === 'linux')('a place where nobody can make a folder is named as the reason', () => {
  expect(whyNot('/proc/calsyncd/postgres')).toBe('nobody can make a folder in /proc');
});
