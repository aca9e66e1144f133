import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourceOfToken, publisherLink } from '../../src/publisher/links.ts';
import { forgetSource, formerSources } from '../../src/run/decisions/forget-source.ts';
import { loadReportedEpisodes } from '../../src/run/deliveries/deliveries.ts';
import { dryRun } from '../../src/run/steps/dry-run.ts';
import { holdFirstRun } from '../../src/run/state/held.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// A source is renamed, and its events keep the keys of the old name.

let syncing: SyncingApp;
beforeEach(async () => {
  syncing = await syncingApp();
});
afterEach(() => syncing.close());

const put = (name: string, events: readonly FeedEvent[]): Promise<void> =>
  writeFile(path.join(syncing.directory, `${name}.ics`), calendarText(events));
const fileOf = (...sources: readonly string[]): string =>
  `builtin: { timezone: Europe/Warsaw }\nsources:\n${sources.map((source) => `  ${source}\n`).join('')}`;
const open = (...sources: readonly string[]): Promise<OpenedApp> => syncing.open(fileOf(...sources));
const opera: FeedEvent = { uid: 'opera', title: 'Opera', start: '20270408T180000' };

async function renamed(): Promise<OpenedApp> {
  await put('a', feedEvents(6));
  const before = await open('lib: { url: "file:a.ics" }');
  await before.sync('lib');
  await before.close();
  const after = await open('library: { url: "file:a.ics", was: lib }');
  await after.sync('library');
  return after;
}

const LOSS = 'truncate calsync.ledger, calsync.sources';

test.each([
  { name: 'nothing in common', events: [opera] },
  { name: 'some of the same events', events: [...feedEvents(2), opera] },
])('the old name, reused for a feed with $name, takes nothing from the renamed source', async ({ events }) => {
  await (await renamed()).close();
  await put('b', events);
  const app = await open('library: { url: "file:a.ics" }', 'lib: { url: "file:b.ics", missing: { after: 1 } }');
  const theirs = await app.events();
  expect(await app.sync('lib')).toMatchObject({ state: 'done', created: events.length, problems: [] });
  for (const source of ['lib', 'library', 'lib'])
    expect(await app.sync(source, true)).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
  // Only the ledger of the reused name is lost.
  for (const table of ['ledger', 'sources'])
    await app.context.database.pool.query(`delete from calsync.${table} where source = 'lib'`);
  expect(await app.sync('lib')).toMatchObject({
    state: 'unchanged',
    unchanged: events.length,
    writes: 0,
    problems: [],
  });
  await put('b', [opera]);
  await app.sync('lib');
  expect(await app.events()).toEqual(expect.arrayContaining([...theirs]));
  expect(await app.events()).toHaveLength(theirs.length + 1);
});

test('with the ledger lost, a renamed source finds its events under both names', async () => {
  const app = await renamed();
  await put('a', feedEvents(8));
  await app.sync('library');
  const before = await app.events();
  await put(
    'a',
    feedEvents(8).map((event, index) => (index === 0 ? { ...event, title: 'Renamed' } : event)),
  );
  await app.context.database.pool.query(LOSS);
  expect(await app.sync('library')).toMatchObject({ state: 'held', unchanged: 8, conflicts: 1, writes: 0 });
  expect((await app.events()).map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]));
});

test('a held first plan, the publisher’s page and sent alerts move along, even if the new name was used before', async () => {
  await put('a', feedEvents(6));
  const before = await open('lib: { url: "file:a.ics" }');
  const site = before.setup('lib').site.key;
  for (const source of ['lib', 'library']) await holdFirstRun(before.state.database.query(), site, source);
  const { token } = await publisherLink(before.state.database.query(), { site, source: 'lib' }, 0);
  await before.context.database.pool.query(
    `insert into calsync.alerts_told (receiver, site, source, kind, about, since, stage, message_id, told_at)
      values ('desk', '${site}', 'lib', 'failing', '', now(), 0, 'one', now())`,
  );
  await before.close();
  const after = await open('library: { url: "file:a.ics", was: lib }');
  expect((await after.sync('library')).state).toBe('held');
  expect(await sourceOfToken(after.state.database.query(), token)).toEqual({ site, source: 'library' });
  expect(await loadReportedEpisodes(after.state.database.query())).toMatchObject([
    { receiver: 'desk', source: 'library' },
  ]);
  await forgetSource(after.context, site, 'library');
  expect((await after.sync('library')).state).toBe('done');
});

test('while processes have files with the old and the new name, either can run, and nothing is duplicated', async () => {
  await put('a', feedEvents(2));
  const old = await open('lib: { url: "file:a.ics" }');
  await old.sync('lib');
  const events = await old.events();
  const renewed = await open('library: { url: "file:a.ics", was: lib }');
  for (const full of [false, true]) {
    expect(await old.sync('lib', full)).toMatchObject({ state: 'unchanged', unchanged: 2, problems: [] });
    expect(await renewed.sync('library', full)).toMatchObject({ state: 'unchanged', unchanged: 2, problems: [] });
  }
  expect(await renewed.events()).toEqual(events);
});

test('a dry run with a file that renames a source reports no change, and does not rename it', async () => {
  await put('a', feedEvents(2));
  const before = await open('lib: { url: "file:a.ics" }');
  await before.sync('lib');
  const looking = await syncing.open(fileOf('library: { url: "file:a.ics", was: lib }'), {}, true);
  expect(await dryRun(looking.context, looking.setup('library'), true)).toMatchObject({
    report: { source: 'library' },
    plan: { actions: [], unchanged: 2, problems: [] },
  });
  const { rows } = await before.state.database.pool.query('select distinct source from calsync.ledger');
  expect(rows).toEqual([{ source: 'lib' }]);
});

test('a renamed source without `was` duplicates nothing: its runs are held until the file has it', async () => {
  await put('a', feedEvents(6));
  const before = await open('lib: { url: "file:a.ics" }');
  await before.sync('lib');
  const events = await before.events();
  await before.close();
  const renamedOnly = await open('library: { url: "file:a.ics" }');
  const message = expect.stringMatching(
    /^6 of 6 events are on the site already, from .* add "was: lib" to it/,
  ) as string;
  expect(await renamedOnly.sync('library')).toMatchObject({ state: 'held', problems: [{ code: 'held', message }] });
  await renamedOnly.close();
  const told = await open('library: { url: "file:a.ics", was: lib }');
  expect(await told.sync('library')).toMatchObject({ state: 'unchanged', unchanged: 6, problems: [] });
  expect(await told.events()).toEqual(events);
  expect(await heldRuns(told)).toBe(0);
});

test('a renamed source without `was` runs once the events of the old name are forgotten', async () => {
  await put('a', feedEvents(6));
  const before = await open('lib: { url: "file:a.ics" }');
  await before.sync('lib');
  const site = before.setup('lib').site.key;
  await before.close();
  await put(
    'a',
    feedEvents(6).map((event) => ({ ...event, title: `New ${event.title}` })),
  );
  const after = await open('library: { url: "file:a.ics" }');
  expect(await after.sync('library')).toMatchObject({ state: 'held' });
  await forgetSource(after.context, site, 'lib');
  expect(await after.sync('library')).toMatchObject({ state: 'done', created: 6 });
  expect(await heldRuns(after)).toBe(0);
});

const heldRuns = async ({ state }: OpenedApp): Promise<number> =>
  (await state.database.pool.query("select from calsync.runs where state = 'held'")).rows.length;

describe('a rename that is reverted, as by an earlier version of the file,', () => {
  const edited = feedEvents(8).map((event, index) => (index === 7 ? { ...event, title: 'Renamed' } : event));

  test('keeps each event, including those that came meanwhile', async () => {
    const meanwhile = await renamed();
    await put('a', feedEvents(8));
    await meanwhile.sync('library');
    const before = await meanwhile.events();
    await meanwhile.close();
    await put('a', edited);
    const after = await open('lib: { url: "file:a.ics" }');
    expect(await after.sync('lib')).toMatchObject({ state: 'done', created: 0, updated: 1, unchanged: 7 });
    expect((await after.events()).map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]));
    expect(await formerSources(after.context)).toEqual([]);
  });

  test('can be the last one of two', async () => {
    await (await renamed()).close();
    const third = await open('books: { url: "file:a.ics", was: library }');
    await third.sync('books');
    await third.close();
    const second = await open('library: { url: "file:a.ics", was: lib }');
    expect(await second.sync('library')).toMatchObject({ created: 0, unchanged: 6 });
    await second.close();
    expect(await (await open('lib: { url: "file:a.ics" }')).sync('lib')).toMatchObject({ created: 0, unchanged: 6 });
  });

  test('gives nothing to a source that has reused the old name meanwhile', async () => {
    await (await renamed()).close();
    await put('b', [opera]);
    const both = await open('library: { url: "file:a.ics" }', 'lib: { url: "file:b.ics" }');
    await both.sync('lib');
    await both.close();
    const app = await open('lib: { url: "file:b.ics" }');
    expect(await app.sync('lib')).toMatchObject({ state: 'unchanged', unchanged: 1 });
    expect(await formerSources(app.context)).toMatchObject([{ source: 'library', kept: 6 }]);
  });
});
