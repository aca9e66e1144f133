import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf, writeConfigFile } from '../../../src/config/change/write-file.ts';
import { watchFile, type FileWatch } from '../../../src/config/change/watch-file.ts';

let folder = '';
let file = '';
let heard: string[] = [];
/** Long after the files were written, unless a test says otherwise. */
let clock = Date.now() + 60_000;

const watched = (known: string, fails = (): boolean => false): FileWatch =>
  watchFile(
    file,
    hashOf(known),
    async (content) => {
      if (fails()) throw new Error('the database is away');
      heard.push(content.kind === 'bytes' ? content.bytes.toString() : `unreadable: ${content.error.code}`);
    },
    () => clock,
  );

const looks = async (watch: FileWatch, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await watch.look();
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'watch-file-'));
  file = path.join(folder, 'calsyncd.yaml');
  heard = [];
  clock = Date.now() + 60_000;
  writeFileSync(file, 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a change is reported once, when two looks agree on it', () => {
  const WAYS: readonly (readonly [way: string, write: () => void | Promise<unknown>])[] = [
    ['written in place', () => writeFileSync(file, 'two')],
    [
      'another file renamed over it',
      () => {
        writeFileSync(`${file}.new`, 'two');
        renameSync(`${file}.new`, file);
      },
    ],
    [
      'a backup first, then a new file, as vim does',
      () => {
        renameSync(file, `${file}~`);
        writeFileSync(file, 'two');
      },
    ],
    ['written by the console', () => writeConfigFile(file, 'two', hashOf('one'))],
    [
      'in place, with the same size and the same time',
      () => {
        const at = new Date(clock - 1_000);
        utimesSync(file, at, at);
        writeFileSync(file, 'two');
        utimesSync(file, at, at);
      },
    ],
  ];

  test.each(WAYS)('%s', async (_, write) => {
    const watch = watched('one');
    await looks(watch, 3);
    expect(heard).toEqual([]);
    await write();
    await watch.look();
    expect(heard).toEqual([]);
    await looks(watch, 4);
    expect(heard).toEqual(['two']);
  });

  test('a folder swapped behind a link, as orchestrators do', async () => {
    for (const version of ['one', 'two']) {
      mkdirSync(path.join(folder, version));
      writeFileSync(path.join(folder, version, 'calsyncd.yaml'), version);
    }
    unlinkSync(file);
    symlinkSync('one', path.join(folder, '..data'));
    symlinkSync(path.join('..data', 'calsyncd.yaml'), file);
    const watch = watched('one');
    await looks(watch, 3);
    symlinkSync('two', path.join(folder, '..data_tmp'));
    renameSync(path.join(folder, '..data_tmp'), path.join(folder, '..data'));
    await looks(watch, 2);
    expect(heard).toEqual(['two']);
  });

  test('a half-written file is not reported', async () => {
    const watch = watched('one');
    writeFileSync(file, 'tw');
    await watch.look();
    writeFileSync(file, 'two');
    await watch.look();
    expect(heard).toEqual([]);
    await watch.look();
    expect(heard).toEqual(['two']);
  });

  test('a file that was missing for a moment has not changed', async () => {
    const watch = watched('one');
    unlinkSync(file);
    await watch.look();
    writeFileSync(file, 'one');
    await looks(watch, 3);
    expect(heard).toEqual([]);
  });

  test('a missing file is reported, and so is its return', async () => {
    const watch = watched('one');
    unlinkSync(file);
    await looks(watch, 4);
    expect(heard).toEqual(['unreadable: ENOENT']);
    writeFileSync(file, 'one');
    await looks(watch, 2);
    expect(heard).toEqual(['unreadable: ENOENT', 'one']);
  });
});

test('a pipe in place of the file is reported, and not waited for', async () => {
  const watch = watched('one');
  unlinkSync(file);
  execFileSync('mkfifo', [file]);
  await looks(watch, 3);
  expect(heard).toEqual(['unreadable: ENOTFILE']);
});

test('a file that has not changed for a while is not read', async () => {
  const watch = watched('one');
  await looks(watch, 2);
  const at = new Date(clock - 10_000);
  utimesSync(file, at, at);
  await looks(watch, 2);
  writeFileSync(file, 'two');
  utimesSync(file, at, at);
  await looks(watch, 3);
  expect(heard).toEqual([]);
});

test('on request the file is read at once, and reported only if it is new', async () => {
  const watch = watched('one');
  await watch.readNow();
  expect(heard).toEqual([]);
  writeFileSync(file, 'two');
  await watch.readNow();
  await watch.readNow();
  await looks(watch, 3);
  expect(heard).toEqual(['two']);
});

test('a change that could not be handled is reported again', async () => {
  let isAway = true;
  const watch = watched('one', () => isAway);
  writeFileSync(file, 'two');
  await watch.look();
  await expect(watch.look()).rejects.toThrow('the database is away');
  isAway = false;
  await looks(watch, 4);
  expect(heard).toEqual(['two']);
});
