import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetSource } from '../../src/run/decisions/forget-source.ts';
import { loadBody, loadFormerBody, packedBody, saveBody } from '../../src/run/state/feed-state.ts';
import { commandIn } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Stored bodies of feeds: each content once, and none without a reference.

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
  ).join('')}  patient: { url: "${feeds.url}/patient.ics" }\n`;
const publish = (name: string, count: number): void => feeds.on(`/${name}.ics`, body(calendarText(feedEvents(count))));
const bodies = async (): Promise<number> =>
  (await app.state.database.pool.query('select key from calsync.bodies')).rows.length;
const bodyOf = async (name: string): Promise<string | undefined> => {
  const bytes = await loadBody(app.state.database.query(), 'builtin', name);
  return bytes && Buffer.from(bytes).toString();
};
const save = async (name: string, text: string, isMissing = false): Promise<void> => {
  const packed = await packedBody(Buffer.from(text));
  return app.state.database
    .query()
    .transaction((query) =>
      saveBody(query, 'builtin', name, { packed, contentType: 'text/calendar', hash: null }, isMissing),
    );
};
const formerOf = async (name: string): Promise<string | undefined> => {
  const former = await loadFormerBody(app.state.database.query(), 'builtin', name);
  return former && Buffer.from(former.bytes).toString();
};

test('sources with the same feed share its body, and each keeps it until it reads another', async () => {
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

test('forgetting a source deletes its body, unless another source has it', async () => {
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
  // The last event is still there, so the events missing before it count as gone.
  const AFTER = calendarText(feedEvents(10).filter((_, index) => index % 9 === 0));
  const hold = async (): Promise<string> => {
    publish('one', 10);
    await app.sync('one');
    feeds.on('/one.ics', body(AFTER));
    const { run, state } = await app.sync('one');
    expect([state, await bodies()]).toEqual(['held', 2]);
    return run;
  };

  test('becomes that of its source when the plan is approved', async () => {
    await commandIn(syncing, config(), ['approve', await hold()]);
    expect([await bodies(), await bodyOf('one')]).toEqual([1, AFTER]);
  });

  test('is deleted when the plan is rejected', async () => {
    await commandIn(syncing, config(), ['reject', await hold()]);
    expect([await bodies(), await bodyOf('one')]).toEqual([1, calendarText(feedEvents(10))]);
  });
});

const without = (...missing: readonly number[]): string =>
  calendarText(feedEvents(10).filter((_, index) => !missing.includes(index)));

describe('the body that a feed had before events were missing', () => {
  let run: string;
  const read = async (feed: string): Promise<readonly unknown[]> => {
    feeds.on('/patient.ics', body(feed));
    const report = await app.sync('patient');
    run = report.run;
    return [report.state, await formerOf('patient'), await bodies()];
  };

  test('is kept exactly as long as they are missing', async () => {
    expect(await read(without(9))).toEqual(['done', undefined, 1]);
    expect(await read(without(4, 9))).toEqual(['unchanged', without(9), 2]);
    expect(await read(without(4))).toEqual(['done', without(9), 2]);
    expect(await read(without())).toEqual(['unchanged', undefined, 1]);
    expect(await read(without(5))).toEqual(['unchanged', without(), 2]);
    expect(await read(without(5))).toEqual(['unchanged', without(), 2]);
    expect(await read(without(5))).toEqual(['done', undefined, 1]);
  });

  test('is deleted when the plan that was compared with it is approved, or its source is forgotten', async () => {
    const few = without(2, 3, 4, 5, 6, 7, 8);
    await read(without());
    await read(few);
    await read(few);
    expect(await read(few)).toEqual(['held', without(), 2]);
    await commandIn(syncing, config(), ['approve', run]);
    expect([await formerOf('patient'), await bodies()]).toEqual([undefined, 1]);
    expect(await read(without(1, 2, 3, 4, 5, 6, 7, 8))).toEqual(['unchanged', few, 2]);
    await forgetSource(app.context, 'builtin', 'patient');
    expect(await bodies()).toBe(0);
  });
});

test('sources that change at the same time lose no body, and leave none behind', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `source-${index}`);
  for (let turn = 0; turn < 25; turn += 1) {
    // All change their body; the new one of some is the old one of others.
    await Promise.all(names.map((name, index) => save(name, `text ${(index % 4) + turn}`)));
    const found = await Promise.all(names.map(bodyOf));
    expect(found).toEqual(names.map((_, index) => `text ${(index % 4) + turn}`));
    expect(await bodies()).toBe(4);
  }
});

test.each([false, true])(
  'sources that swap their bodies at the same time do not deadlock (events missing: %s)',
  async (isMissing) => {
    const pairs = Array.from({ length: 6 }, (_, pair) => pair);
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all(
        pairs.flatMap((pair) =>
          [0, 1].map((side) => save(`source-${pair}-${side}`, `${pair} ${(side + turn) % 2}`, isMissing)),
        ),
      );
      expect(await bodies()).toBe(12);
    }
    expect(await formerOf('source-0-0')).toBe(isMissing ? '0 0' : undefined);
  },
);
