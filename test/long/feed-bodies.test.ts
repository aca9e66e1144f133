import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetSource } from '../../src/run/decisions/forget-source.ts';
import { loadBody, saveBody } from '../../src/run/state/feed-state.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// The bodies that are kept of feeds: one of each content, and none that nobody refers to.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  app = await syncing.open(config());
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const NAMES = ['one', 'two', 'three'] as const;
const config = (): string =>
  `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${NAMES.map(
    (name) => `  ${name}: { url: "${feeds.url}/${name}.ics", missing: { after: 1 } }\n`,
  ).join('')}`;
const publish = (name: string, count: number): void => feeds.on(`/${name}.ics`, body(calendarText(feedEvents(count))));
const bodies = async (): Promise<number> =>
  (await app.state.database.pool.query('select key from calsync.bodies')).rows.length;
const bodyOf = async (name: string): Promise<string | undefined> => {
  const bytes = await loadBody(app.state.database.query(), 'builtin', name);
  return bytes && Buffer.from(bytes).toString();
};
const save = (name: string, text: string): Promise<void> =>
  app.state.database
    .query()
    .transaction((query) =>
      saveBody(query, 'builtin', name, { bytes: Buffer.from(text), contentType: 'text/calendar', hash: null }),
    );

test('sources with the same feed share its body, and each has it until it reads another', async () => {
  for (const name of NAMES) {
    publish(name, 4);
    await app.sync(name);
  }
  expect(await bodies()).toBe(1);
  publish('one', 5);
  await app.sync('one');
  expect(await bodies()).toBe(2);
  expect(await bodyOf('one')).toBe(calendarText(feedEvents(5)));
  expect(await bodyOf('two')).toBe(calendarText(feedEvents(4)));
  for (const name of NAMES) {
    publish(name, 6);
    await app.sync(name);
  }
  expect(await bodies()).toBe(1);
});

test('a source that is forgotten takes its body along, if no other has it', async () => {
  for (const name of ['one', 'two'] as const) await save(name, 'the same');
  await save('three', 'another');
  await forgetSource(app.context, 'builtin', 'three');
  expect(await bodies()).toBe(1);
  await forgetSource(app.context, 'builtin', 'one');
  expect([await bodies(), await bodyOf('two')]).toEqual([1, 'the same']);
  await forgetSource(app.context, 'builtin', 'two');
  expect(await bodies()).toBe(0);
});

describe('the body of a held plan', () => {
  // Its last event still is where it was: what is missing before it is gone.
  const AFTER = calendarText(feedEvents(10).filter((_, index) => index % 9 === 0));
  const hold = async (): Promise<string> => {
    publish('one', 10);
    await app.sync('one');
    feeds.on('/one.ics', body(AFTER));
    const { run, state } = await app.sync('one');
    expect([state, await bodies()]).toEqual(['held', 2]);
    return run;
  };

  test('becomes that of its source once it is approved', async () => {
    await commandIn(syncing, config(), ['approve', await hold()]);
    expect([await bodies(), await bodyOf('one')]).toEqual([1, AFTER]);
  });

  test('goes when it is rejected', async () => {
    await commandIn(syncing, config(), ['reject', await hold()]);
    expect([await bodies(), await bodyOf('one')]).toEqual([1, calendarText(feedEvents(10))]);
  });
});

test('sources that change at the same time lose none, and leave none behind', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `source-${index}`);
  for (let turn = 0; turn < 25; turn += 1) {
    // All leave what they had; some meet in what is new, where others are just leaving.
    await Promise.all(names.map((name, index) => save(name, `text ${(index % 4) + turn}`)));
    const found = await Promise.all(names.map(bodyOf));
    expect(found).toEqual(names.map((_, index) => `text ${(index % 4) + turn}`));
    expect(await bodies()).toBe(4);
  }
});

test('sources that take over the bodies of each other wait for each other, but not for ever', async () => {
  const pairs = Array.from({ length: 6 }, (_, pair) => pair);
  for (let turn = 0; turn < 40; turn += 1) {
    await Promise.all(
      pairs.flatMap((pair) => [0, 1].map((side) => save(`source-${pair}-${side}`, `${pair} ${(side + turn) % 2}`))),
    );
    expect(await bodies()).toBe(12);
  }
});
