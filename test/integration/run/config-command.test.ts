import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '../../../src/config/change/write-file.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { keepVersion } from '../../../src/run/watch/config-versions.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The latest good versions of the configuration file on the command line.

const GOOD = 'feeds: { all: { secret: s3cret-of-the-feed } }\n';
const BROKEN = 'feeds: { all: {\n';

let syncing: SyncingApp;
let app: OpenedApp;
const said = (yaml: string, ...words: readonly string[]): Promise<Said> =>
  commandIn(syncing, yaml, ['config', ...words]);
const file = (): string => readFileSync(path.join(syncing.directory, 'command.yaml'), 'utf8');

beforeAll(async () => {
  syncing = await syncingApp();
  app = await syncing.open('');
  for (const [text, changes] of [
    [GOOD, ''],
    ['feeds: {}\n', '1 feed removed'],
  ] as const)
    await keepVersion(
      app.state.database,
      { bytes: Buffer.from(text), hash: hashOf(text), by: { name: 'clerk', from: 'console' }, changes },
      async () => undefined,
    );
});
afterAll(() => syncing.close());

test('config lists the versions and marks the current one', async () => {
  const { code, out } = await said(GOOD);
  expect(code).toBe(0);
  expect(out).toMatch(/^ +2 .* clerk +1 feed removed\n +1 .* clerk +when calsyncd started {2}\(the current file\)\n$/);
});

test('config show hides secrets unless --secrets is given', async () => {
  expect((await said(GOOD, 'show', '1')).out).toBe('feeds: { all: { secret: •••••• } }\n');
  expect((await said(GOOD, 'show', '1', '--secrets')).out).toBe(GOOD);
});

test('config restore works on a broken file, needs --yes to discard an edit, and is in the history', async () => {
  const { code, err } = await said(BROKEN, 'restore', '1');
  expect([code, err]).toEqual([64, expect.stringContaining('has changed since the last version that is kept')]);
  expect(file()).toBe(BROKEN);
  const { code: done, out } = await said(BROKEN, 'restore', '1', '--yes');
  expect([done, out]).toEqual([0, expect.stringContaining('is as it was in version 1')]);
  expect(file()).toBe(GOOD);
  const [act] = await listActs(app.state.database.query(), {}, 1);
  expect(act).toMatchObject({
    kind: 'configure',
    by: { from: 'command' },
    details: { changes: '1 feed new', version: 1 },
  });
  expect((await said(GOOD, '--json')).json['versions']).toMatchObject([{ id: 3 }, { id: 2 }, { id: 1 }]);
});

test.each([
  [['restore'], 'Name a version by its number'],
  [['show', '4711'], 'There is no version 4711'],
  [['paint'], 'There is no "config paint"'],
] as const)('config %s is a usage error', async (words, message) => {
  const { code, err } = await said(GOOD, ...words);
  expect([code, err]).toEqual([64, expect.stringContaining(message)]);
});

test('runs, show, stop and backup work with a broken file, and say so', async () => {
  const backup = path.join(syncing.directory, 'town.tar.zst');
  const note = expect.stringMatching(/^Note: the configuration cannot be used. This command works without it:\n  .+/);
  for (const [words, result] of [
    [['runs'], [0, 'No run yet. "npm run -s calsyncd -- sync" makes one.\n']],
    [
      ['backup', backup],
      [0, expect.stringContaining(`Wrote ${backup}`)],
    ],
    [
      ['stop', 'last'],
      [64, ''],
    ],
    [
      ['show', 'last'],
      [64, ''],
    ],
  ] as const) {
    const { code, out, err } = await commandIn(syncing, BROKEN, words);
    expect([code, out, err]).toEqual([...result, note]);
  }
});

test('sync refuses a broken file', async () => {
  const { code, err } = await commandIn(syncing, BROKEN, ['sync']);
  expect([code, err]).toEqual([1, expect.stringContaining('The configuration cannot be used')]);
});
