import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setupOfFormer } from '../../../src/run/steps/setup-of-run.ts';
import { beginRun } from '../../../src/run/state/lease.ts';
import { loadRun } from '../../../src/run/state/records.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { coming, comingEvents } from '../../support/coming.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What a source leaves behind when it is removed from the configuration, and what can be done about it.

let world: SyncingApp;
/** A program that was started without the sources. */
let app: OpenedApp;
let clerk: ConsoleClient;

const NONE = 'builtin: { title: Town calendar }\nsources: {}\n';
const UNDER_WAY = `theatre-${coming(0, 'yyyyMMdd')}T120000-abcdef`;

beforeAll(async () => {
  world = await syncingApp();
  world.clock.now = Date.now();
  const before = await world.open(`builtin: { title: Town calendar }
sources:
  theatre: { url: "file:theatre.ics" }
  cinema: { url: "file:cinema.ics" }
`);
  for (const [source, count] of [
    ['theatre', 3],
    ['cinema', 1],
  ] as const) {
    const events = comingEvents(count).map((event) => ({ ...event, uid: `${source}-${event.uid}` }));
    writeFileSync(`${world.directory}/${source}.ics`, calendarText(events));
    await before.sync(source);
  }
  await before.close();
  app = await world.open(NONE);
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.now = Date.now();
});

const titles = async (): Promise<readonly string[]> => (await app.events()).map(({ title }) => title).toSorted();

describe('a source that is no longer configured', () => {
  test('is listed below the others as long as it has events on the site', async () => {
    const { text } = await clerk.get('/sources/');
    expect(text).toContain(
      'No longer in the configuration cinema 1 event of it stays on the site as it is: nobody reads its feed any more. ' +
        'Decide ' +
        'theatre 3 events of it stay on the site as they are: nobody reads its feed any more. Decide',
    );
  });

  test('is listed without filters if there is no other source', async () => {
    const { html } = await clerk.get('/sources/');
    expect(html).toContain('None yet.');
    expect(html).not.toMatch(/No source is like this|Sort by|Strips, oldest left/);
  });

  test('has a page that says how many events would be trashed, and that this can be undone', async () => {
    const page = await clerk.get('/sources/theatre/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('theatre is no longer in the configuration');
    expect(page.text).toContain(
      '3 events, past ones too, go to the trash. Anyone who opens their pages reads that they are no longer available, ' +
        'and subscribers see them as cancelled. It can be taken back on the page of that run, ' +
        'as long as they are in the trash, for 30 days.',
    );
    expect((await clerk.get('/sources/cinema/left/')).text).toContain('1 event goes to the trash.');
    expect((await clerk.get('/sources/library/left/')).status).toBe(404);
    expect(await titles()).toHaveLength(4);
  });

  test('has pages for its events although no other source writes to the site', async () => {
    const [event] = await app.events();
    expect((await clerk.get(`/events/${event?.slug}/`)).text).toContain(event?.title);
  });

  test('can have its events trashed, with who did it and why, and brought back', async () => {
    const before = await titles();
    const { to } = await clerk.post('/sources/theatre/left/', {
      do: 'trash',
      site: 'builtin',
      reason: 'It has closed',
    });
    const run = to.split('/')[2] ?? '';
    expect(await titles()).toHaveLength(1);
    const [act] = await listActs(app.state.database.query(), { source: 'theatre' }, 1);
    expect(act).toMatchObject({ kind: 'forget', by: { name: 'clerk', from: 'console' }, reason: 'It has closed', run });
    expect((await clerk.get('/sources/')).text).not.toContain('theatre');
    expect((await clerk.get('/sources/theatre/')).status).toBe(404);

    expect((await clerk.get(`${to}?undo`)).text).toContain('Taking this run back: 3 events come back.');
    const undone = await clerk.post(to, { do: 'undo', count: '3' });
    expect((await clerk.get(undone.to)).text).toContain('3 events taken back');
    expect(await titles()).toEqual(before);
  });

  test('can be forgotten, and its events stay', async () => {
    const { to } = await clerk.post('/sources/cinema/left/', { do: 'leave', site: 'builtin' });
    const { text } = await clerk.get(to);
    expect(text).toContain('It is forgotten. 1 event stays on the site as it is.');
    expect(text).not.toContain('cinema');
    expect(await titles()).toHaveLength(4);
    expect(await listActs(app.state.database.query(), { source: 'cinema' }, 1)).toMatchObject([
      { kind: 'forget', by: { name: 'clerk', from: 'console' } },
    ]);
  });

  test('cannot be changed while one of its runs is under way', async () => {
    const [query, id] = [app.state.database, app.context.member.id()];
    const lease = { site: 'builtin', source: 'theatre', run: UNDER_WAY };
    await beginRun(query, lease, { kind: 'forget' }, id);
    for (const act of ['trash', 'leave']) {
      const { to, text } = await clerk.post('/sources/theatre/left/', { do: act, site: 'builtin' });
      expect(to === '' ? text : (await clerk.get(to)).text).toMatch(/nothing was done|Nothing was done/);
    }
    expect(await titles()).toHaveLength(4);
  });
});

test('a worker carries out decisions about a source that it has never known, but no other runs of it', async () => {
  const query = app.state.database.query();
  const record = await loadRun(query, UNDER_WAY);
  expect((await setupOfFormer(app.context, record!))?.site.key).toBe('builtin');
  expect(await setupOfFormer(app.context, { ...record!, cause: { kind: 'schedule' } })).toBeUndefined();
  expect(await setupOfFormer(app.context, { ...record!, site: 'https://gone.example' })).toBeUndefined();
});
