import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// What a backup may be written to.

let syncing: SyncingApp;

beforeAll(async () => {
  syncing = await syncingApp();
});
afterAll(() => syncing.close());

const backup = async (file: string): Promise<Said> =>
  commandIn(syncing, 'sources: {}\n', ['backup', file, '--yes', '--json']);

test('a named pipe is refused and left as it is', async () => {
  const pipe = path.join(syncing.directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const { code, json } = await backup(pipe);
  expect({ code, error: json['error'] }).toMatchObject({ code: 1, error: { code: 'backup-file' } });
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('a folder is refused', async () => {
  const folder = path.join(syncing.directory, 'folder');
  mkdirSync(folder);
  expect((await backup(folder)).json['error']).toEqual({
    code: 'backup-file',
    message: `${folder} is a folder: name a file in it.`,
  });
});

test('a symbolic link stays, and the file it points to is written', async () => {
  const [link, file] = [path.join(syncing.directory, 'latest'), path.join(syncing.directory, 'monday.tar.zst')];
  symlinkSync('monday.tar.zst', link);
  for (const _ of ['new', 'replaced']) expect(await backup(link)).toMatchObject({ code: 0, err: '' });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  // The magic number of zstd.
  expect(readFileSync(file).readUInt32LE()).toBe(0xfd2fb528);
});
