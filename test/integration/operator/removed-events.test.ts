import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLock } from '../../../src/run/decisions/settle-event.ts';
import { listEvents } from '../../../src/run/events/list-events.ts';
import { loadLedger } from '../../../src/run/state/ledger.ts';
import { comingEvents } from '../../support/coming.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What the page of an event says when its feed has lost it, depending on what its source does with such events.

let world: SyncingApp;
let app: OpenedApp;
let clerk: ConsoleClient;

const ACTIONS = ['trash', 'draft', 'cancel'] as const;
type Action = (typeof ACTIONS)[number];

/** Publishes the feed of the source named after its action, beginning with one of its events. */
const publish = (action: Action, from: number): void =>
  writeFileSync(
    `${world.directory}/${action}.ics`,
    calendarText(
      comingEvents(3)
        .map((event, index) => ({ ...event, title: `${action} ${index}` }))
        .slice(from),
    ),
  );

beforeAll(async () => {
  world = await syncingApp();
  world.clock.now = Date.now();
  const sources = ACTIONS.map(
    (action) => `  ${action}: { url: "file:${action}.ics", missing: { action: ${action}, after: 1 } }`,
  );
  app = await world.open(`builtin: { title: Town calendar }\nsources:\n${sources.join('\n')}\n`);
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => world.close());

test.each([
  ['trash', 'taken off the site by us', 'taken off: gone', 'It is not on the site.', 'It was taken off the site: not'],
  ['draft', 'a draft: withdrawn by us', 'withdrawn: gone', 'what was there Status', 'It was made a draft: not'],
  ['cancel', 'on the site, marked as cancelled by us', 'marked as cancelled: gone', 'there Title', 'It was marked as'],
] as const)('action %s: the page and the list say what happened to the event', async (action, ...words) => {
  publish(action, 0);
  await app.sync(action);
  const { slug = '' } = (await app.events()).find(({ title }) => title === `${action} 0`) ?? {};
  publish(action, 1);
  await app.sync(action);
  const { text } = await clerk.get(`/events/${slug}/`);
  for (const each of words) expect(text).toContain(each);
  expect(/taken off|It is not on the site/.test(text)).toBe(action === 'trash');
  // Without a page that visitors can see, there is no link to it.
  expect(text.includes('public page')).toBe(action === 'cancel');
  const list = await clerk.get(`/events/?view=list&over=yes&state=removed&source=${action}`);
  expect(list.text).toContain('1 event of 1 source, gone.');
  expect(list.text).toContain(`${action} 0 ${action} ${words[0]}`);
  expect(await listEvents(app.context.database.query(), { source: action, state: 'removed' }, PART)).toMatchObject({
    events: [{ slug, removed: action }],
  });
});

const PART = { offset: 0, limit: 10 };

test.each([
  ['trash', 'was taken off by its source'],
  ['draft', 'was made a draft by its source'],
  ['cancel', 'was marked as cancelled by its source'],
] as const)('an event that its source has removed cannot be locked: %s', async (action, words) => {
  const [entry] = [...(await loadLedger(app.context.database.query(), 'builtin', action)).values()].filter(
    ({ state }) => state === 'removed',
  );
  expect(await startLock(app.context, app.setup(action), entry!.slug, undefined)).toMatchObject({
    report: {
      problems: [{ code: 'not-kept', message: expect.stringContaining(`${entry!.slug} ${words}, not by`) as string }],
    },
  });
});
