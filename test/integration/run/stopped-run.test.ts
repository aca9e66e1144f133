import { afterEach, beforeEach, expect, test } from 'vitest';
import { stopRun } from '../../../src/run/decisions/stop-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { BY_TESTER } from '../../support/by-tester.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (events: readonly FeedEvent[]): unknown => feeds.on('/town.ics', body(calendarText(events)));

const START = { early: '20270301T180000', late: '20270314T180000' };
/** Two events with one UID. */
const BEFORE: readonly FeedEvent[] = [
  { uid: 'h', title: 'Jazz', start: START.early },
  { uid: 'h', title: 'C', start: START.late, lines: ['STATUS:TENTATIVE'] },
];
/** Both have another UID, and their former one belongs to a third event. */
const AFTER: readonly FeedEvent[] = [
  { uid: 'a', title: 'C', start: START.late },
  { uid: 'h', title: 'C', start: START.early },
  { uid: 'a', title: 'Jazz', start: START.early },
];

async function shown(app: OpenedApp): Promise<readonly string[]> {
  return (await app.events()).map(({ title, start_date, slug }) => `${title}, ${start_date}: ${slug}`).toSorted();
}

async function stopBeforeWrites(app: OpenedApp): Promise<void> {
  const setup = app.setup('town');
  const started = await startRun(app.context, setup, 'command', false);
  if (started.kind !== 'writing') throw new Error(started.kind);
  await stopRun(app.context, started.run, BY_TESTER);
  await carryOn(app.context, setup, started, () => undefined);
}

test('events that changed their UIDs keep their pages although a run was stopped', async () => {
  publish(BEFORE);
  const app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
  );
  await app.sync('town');
  const [late, early] = await shown(app);
  publish(AFTER);
  await stopBeforeWrites(app);
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 1, updated: 1, removed: 0 });
  const [created, ...others] = await shown(app);
  expect(created).toMatch(/^C, 2027-03-01 18:00:00: c-/);
  expect(others).toEqual([late?.replace(/^.*C, /, 'C, '), early]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged' });
});
