import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { scratchPath } from '../../support/scratch.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
let folder: string;
beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  folder = await mkdtemp(scratchPath('feeds'));
});
afterAll(() => Promise.all([syncing.close(), feeds.close(), rm(folder, { recursive: true })]));

const allowed = 'fetch: { allow_addresses: [127.0.0.1/32] }\n';
const said = (yaml: string, ...words: readonly string[]): Promise<Said> => commandIn(syncing, yaml, words);

test.each([
  [204, /\(204\)\.\n$/],
  [206, /\(206\)\.\n$/],
  // For an address that is not a source yet, the advice is that of the console.
  [429, / Try again in a few minutes\.\n$/],
  [500, / Try again later\.\n$/],
  [503, / Try again in a few minutes\.\n$/],
])('a status of %i: preview fails and promises nothing about later runs', async (code, advice) => {
  feeds.on(`/${code}.ics`, status(code));
  const address = `${feeds.url}/${code}.ics`;
  const ofSource = await said(`${allowed}sources: { town: { url: "${address}" } }\n`, 'preview', 'town');
  const ofAddress = await said(allowed, 'preview', address);
  for (const { code: exit, err } of [ofSource, ofAddress]) {
    expect(exit).toBe(1);
    expect(err).toMatch(new RegExp(`\\(${code}\\)\\.`));
    expect(err).not.toMatch(/tried again|is kept|last good/);
  }
  expect(ofAddress.err).toMatch(advice);
});

/** The lines that a preview suggests for the configuration. */
const suggestionIn = ({ out }: Said): string => out.split('To add it to the configuration:\n')[1] ?? '';

test.each([
  ['events.ics', '', ''],
  ['50% off, today.ics', '', ''],
  ['[1] ${HOME}.ics', '', ''],
  ['other.ics', 'fetch: { allow_files: [/srv/feeds] }\n', ''],
  [
    'several.ics',
    '',
    'sites: { one: { url: builtin }, two: { url: "https://two.example/wp-json", namespace: a/v1 } }\n',
  ],
])('for the file %s elsewhere, preview suggests a configuration that check accepts', async (name, fetch, sites) => {
  const file = path.join(folder, name);
  await writeFile(file, calendarText(feedEvents(3)));
  const suggested = suggestionIn(await said(`${fetch}${sites}`, 'preview', file));
  // Folders that are allowed already stay allowed.
  expect(suggested).toMatch(fetch === '' ? /allow_files: \[\/\S+feeds-/ : /allow_files: \[\/srv\/feeds, \/\S+feeds-/);
  const config = `${sites}${suggested}`;
  expect(await said(config, 'check', '--json')).toMatchObject({ code: 0, json: { ok: true } });
  expect((await said(config, 'preview', file)).out).toMatch(
    /\nThe source \S+ of the configuration reads it already\.\n$/,
  );
});

test('preview suggests allow_files for a link to a file elsewhere, not for a file beside the configuration', async () => {
  await mkdir(path.join(syncing.directory, 'own'), { recursive: true });
  const beside = path.join(syncing.directory, 'own', 'events.ics');
  await writeFile(beside, calendarText(feedEvents(3)));
  const lines = suggestionIn(await said('', 'preview', beside));
  expect(lines).not.toContain('fetch');
  expect(await said(lines, 'check')).toMatchObject({ code: 0 });
  const link = path.join(syncing.directory, 'linked.ics');
  await writeFile(path.join(folder, 'target.ics'), calendarText(feedEvents(3)));
  await symlink(path.join(folder, 'target.ics'), link);
  const followed = suggestionIn(await said('', 'preview', `file:${link}`));
  expect(followed).toContain(folder);
  expect(await said(followed, 'check')).toMatchObject({ code: 0 });
});

test('what a rule does to all dates of a series is reported once', async () => {
  feeds.on(
    '/series.ics',
    body(calendarText(feedEvents(3).map((event, at) => ({ ...event, title: at < 2 ? 'Chess' : 'Yoga' })))),
  );
  const { out } = await said(
    `${allowed}sources: { town: { url: "${feeds.url}/series.ics", skip: [{ field: title, matches: "." }] } }\n`,
    'preview',
    'town',
  );
  expect(out.split('\n').filter((line) => line.startsWith('  ~'))).toEqual([
    '  ~ Chess (2 dates): left out by the rule skip { field: title, matches: "." }',
    '  ~ Yoga: left out by the rule skip { field: title, matches: "." }',
  ]);
});

test('preview calls a table a table', async () => {
  feeds.on('/table.csv', body('Title,Start\nChess,2027-03-01 18:00\n', { 'content-type': 'text/csv' }));
  const { out } = await said(`${allowed}sources: { town: { url: "${feeds.url}/table.csv" } }\n`, 'preview', 'town');
  expect(out).toMatch(/^A table, times in /);
});
