import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePlace, type Place } from '../../../src/db/embedded/home.ts';
import { refuseEmbeddedInUse, whileReplacing } from '../../../src/db/embedded/replace.ts';
import { settleReplacement, stageOf } from '../../../src/db/embedded/stage.ts';
import { markInUse } from '../../../src/db/embedded/users.ts';
import { scratchPath } from '../../support/scratch.ts';

// The data folder of the embedded server is replaced by two renames. Whenever the process dies, one folder remains.

let dataDir: string;
let place: Place;
beforeEach(() => {
  dataDir = mkdtempSync(scratchPath('replaced'));
  place = makePlace(dataDir);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function folder(at: string, content: string): void {
  mkdirSync(at, { recursive: true });
  writeFileSync(path.join(at, 'content'), content);
}
const found = (): string => readFileSync(path.join(place.data, 'content'), 'utf8');
const left = (): readonly string[] => readdirSync(place.root).toSorted();
const NOTHING_ELSE = ['data', 'lock', 'users'];

const replace = (): Promise<void> =>
  whileReplacing(dataDir, async ({ data, finish }) => {
    folder(data, 'new');
    await finish();
  });

test.each([true, false])('the folder is replaced, and nothing else is left (there was one: %s)', async (hadOne) => {
  if (hadOne) folder(place.data, 'old');
  await replace();
  expect([found(), left()]).toEqual(['new', NOTHING_ELSE]);
  await replace();
  expect([found(), left()]).toEqual(['new', NOTHING_ELSE]);
});

test('after a failure the old folder is there, and nothing else is left', async () => {
  folder(place.data, 'old');
  const failing = whileReplacing(dataDir, async ({ data }) => {
    folder(data, 'new');
    throw new Error('no space');
  });
  await expect(failing).rejects.toThrow('no space');
  expect([found(), left()]).toEqual(['old', NOTHING_ELSE]);
});

test.each([
  ['before the renames', ['data', 'staged'], 'old'],
  ['between the renames', ['replaced', 'staged'], 'old'],
  ['after the renames', ['replaced', 'new'], 'new'],
  ['while removing the old folder', ['replaced', 'new'], 'new'],
])('a process that dies %s leaves the old or the new folder', async (_, there, kept) => {
  const { data: staged, owners, replaced } = stageOf(place);
  if (there.includes('data')) folder(place.data, 'old');
  if (there.includes('new')) folder(place.data, 'new');
  if (there.includes('replaced')) folder(replaced, 'old');
  if (there.includes('staged')) folder(staged, 'new');
  mkdirSync(owners, { recursive: true });
  // The mark of a process that has gone.
  writeFileSync(path.join(owners, '1-1'), 'another start');
  await settleReplacement(place);
  expect([found(), left()]).toEqual([kept, NOTHING_ELSE]);
});

test('a folder that another process is preparing is left alone', async () => {
  const { data: staged, owners } = stageOf(place);
  folder(staged, 'new');
  mkdirSync(owners);
  markInUse(owners);
  await settleReplacement(place);
  expect(existsSync(staged)).toBe(true);
  await expect(replace()).rejects.toMatchObject({
    code: 'backup-in-use',
    message: expect.stringContaining('Another calsyncd is restoring'),
  });
  expect(existsSync(staged)).toBe(true);
});

test('a folder in use is not replaced', async () => {
  folder(place.data, 'old');
  const mark = markInUse(place.users);
  await expect(refuseEmbeddedInUse(dataDir)).rejects.toMatchObject({ code: 'backup-in-use' });
  await expect(replace()).rejects.toMatchObject({ code: 'backup-in-use' });
  expect([found(), left()]).toEqual(['old', NOTHING_ELSE]);
  rmSync(mark);
  await replace();
  expect(found()).toBe('new');
});
