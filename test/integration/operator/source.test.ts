import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { startUndo } from '../../../src/run/decisions/undo-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { recordAct } from '../../../src/run/watch/acts.ts';
import { claimDelivery, settleDelivery } from '../../../src/run/deliveries/deliveries.ts';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { BY_TESTER } from '../../support/by-tester.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { coming, comingEvents } from '../../support/coming.ts';
import { calendarText } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The page of one source.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let clerk: ConsoleClient;

/** One of its four events does not say when it begins. */
const FEED = calendarText(comingEvents(4)).replace(/^DTSTART.*\r?\n/m, '');

beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  feeds.on('/town.ics', body(FEED));
  feeds.on('/table.csv', body(`Col A;Col B\nConcert;${coming(0)} 19:00\n`, { 'content-type': 'text/csv' }));
  app = await syncing.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  town: { url: "${feeds.url}/town.ics?key=very-secret", every: 1h, missing: { after: 2 } }
  cron: { url: "${feeds.url}/cron.ics", cron: "0 8 * * *" }
  hidden: { url: "${feeds.url}/\${PLACE:-here}.ics" }
  local: { url: "file:local.ics" }
  table: { url: "${feeds.url}/table.csv" }
  market: { url: "${feeds.url}/market.ics" }
`);
  await app.sync('town');
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));
beforeEach(async () => {
  syncing.clock.now = Date.now();
  // On a busy machine, the tests before may have taken longer than a worker may be silent.
  await noteWorkerAlive(app.state.database.query());
});

describe('the page of a source', () => {
  test('shows its state, its schedule, and the problems of its last good reading with their lines', async () => {
    const { html, text } = await clerk.get('/sources/town/');
    expect(text).toMatch(
      /Read well \d+ s ago : 3 coming events of it are on the site\. It is read again (?:at|tomorrow) \d\d:\d\d \./,
    );
    expect(text).toMatch(/When it is read Every hour\. Next: (?:tomorrow )?\d\d:\d\d( · [^·]*\d\d:\d\d){4}/);
    expect(text).toContain('Gone from the feed go to the trash after 2 good readings');
    expect(text).toMatch(/1× 1 time An event has no date since .* last /);
    expect(html).toMatch(/<span class="ln">\d+<\/span><mark>BEGIN:VEVENT<\/mark>/);
    expect(text).toContain('For the publisher:');
    expect(html).toContain('aria-label="Events in the feed: 3"');
    expect(html).not.toContain('very-secret');
  });

  test('says how many of its events the feed has lost', async () => {
    const query = app.state.database.query();
    await sql`update calsync.ledger set missing = 1
      where slug = (select min(slug) from calsync.ledger where source = 'town')`.execute(query);
    const { text } = await clerk.get('/sources/town/');
    expect(text).toContain(
      '3 coming events of it are on the site. 1 of them is missing from the feed. It is read again',
    );
    await sql`update calsync.ledger set missing = 0 where source = 'town'`.execute(query);
  });

  test('of a table with unrecognized columns links to where they are chosen', async () => {
    await app.sync('table');
    const admin = await signedInConsole(app, 'developer', 'administrator');
    const { html, text } = await admin.get('/sources/table/');
    expect(text).toContain(
      'You must act: say which column holds what. Until then no row of the table can be read. Choose the columns',
    );
    expect(html).toContain('href="/operator/sources/table/settings/#columns"');
    expect(text).not.toContain('start_date');
    expect((await admin.get('/')).text).toMatch(
      /Nothing of table is on the site No column was recognized as “.*”; .* Name them in its settings\./,
    );
    const settings = await admin.get('/sources/table/settings/');
    expect(settings.html).toMatch(/<details class="well-box" id="columns" open>.*No column was recognized/);
    expect((await clerk.get('/sources/table/')).text).toContain('An administrator can change its rules and settings.');
    expect((await clerk.get('/sources/')).text).toContain('no column was recognized as “Title” or “Begins”');
  });

  test('shows the next times of a cron expression', async () => {
    const { text } = await clerk.get('/sources/cron/');
    expect(text).toContain('Not read yet. First run');
    expect(text).toMatch(/On the schedule 0 8 \* \* \*, in Europe\/Warsaw\. Next: (?:tomorrow )?08:00 · /);
  });

  test('has a note that every editor reads and may change', async () => {
    const done = await clerk.post('/sources/town/', { do: 'note', note: ' Ask at the box office, <ext. 12> ' });
    expect(done.to).toBe('/sources/town/?said=noted:1');
    const { text } = await (await signedInConsole(app, 'librarian', 'editor')).get('/sources/town/');
    expect(text).toContain('What to do when it fails (by clerk): “Ask at the box office, <ext. 12>” Change');
    expect(text).toContain('clerk changed the note. “Ask at the box office, <ext. 12>”');
    expect((await clerk.post('/sources/town/', { do: 'note', note: 'x'.repeat(2_001) })).to).toContain(
      'said=note-long',
    );
    await clerk.post('/sources/town/', { do: 'note', note: '' });
    expect((await clerk.get('/sources/town/')).text).toContain('Write down what to do when it fails');
  });

  test('shows failures with who must act, and what people did about them', async () => {
    feeds.on('/town.ics', status(403, 'go away'));
    await app.sync('town');
    await clerk.post('/sources/town/', { do: 'check' });
    await clerk.post('/sources/town/', { do: 'pause', until: '3d', reason: 'they move house' });
    const paused = (await clerk.get('/sources/town/')).text;
    expect(paused).toMatch(
      /Paused\. Until \w+day \d\d:\d\d, by clerk: “they move house”\. Its 3 coming events stay on the site as they were then\./,
    );
    expect(paused).toContain('clerk paused the source: “they move house”.');
    expect(paused).toContain('clerk asked for a run.');
    expect(paused).toMatch(/Failed: the address may not be read\. \d\d:\d\d run /);
    await clerk.post('/sources/town/', { do: 'resume' });
    syncing.clock.now = Date.now();
    const failing = (await clerk.get('/sources/town/')).text;
    expect(failing).toMatch(
      /Failing since \d\d:\d\d : the address may not be read\. Its 3 coming events stay on the site/,
    );
    expect(failing).toMatch(/The publisher must act\. .*403.* Write to them The last run/);
  });

  test('still shows the problems of an unchanged feed', async () => {
    feeds.on('/town.ics', body(FEED));
    await app.sync('town', true);
    const problems = async (): Promise<string> => {
      const { text } = await clerk.get('/sources/town/');
      return /Problems in the last good reading .*/.exec(text)?.[0].slice(0, 200) ?? '';
    };
    const before = await problems();
    expect(before).toContain('1×');
    expect(await app.sync('town')).toMatchObject({ state: 'unchanged' });
    expect(await problems()).toBe(before);
  });

  test('lists only the changes of the configuration that name it', async () => {
    const query = app.state.database.query();
    const by = { name: 'developer', from: 'file' } as const;
    await recordAct(query, by, { kind: 'configure', details: { changes: '1 source changed: town (schedule)' } });
    await recordAct(query, by, { kind: 'configure', details: { changes: '1 source changed: town-hall (schedule)' } });
    const { text } = await clerk.get('/sources/town/');
    expect(text).toContain('developer changed the configuration. 1 source changed: town (schedule).');
    expect(text).not.toContain('town-hall');
  });

  test('of an unknown source is a 404', async () => {
    const { status: code, text } = await clerk.get('/sources/no%3Cb%3E/');
    expect([code, text]).toEqual([404, expect.stringContaining('There is no source no<b>')]);
    expect((await clerk.post('/sources/nothing/', { do: 'check' })).status).toBe(404);
  });
});

test('the timeline shows notifications, a new program behind the feed, and the result of a requested run', async () => {
  const query = app.state.database.query();
  const { now } = syncing.clock;
  const site = app.setup('town').site.key;
  for (const receiver of ['clerk', 'boss']) {
    const delivery = {
      receiver,
      key: 'one',
      kind: 'failing',
      channel: 'mail',
      address: 'somebody@town.example',
      subject: 'town: the feed cannot be <read>',
      messageId: receiver,
      content: {},
      episodes: [
        { receiver, site, source: 'town', kind: 'failing', about: '', since: now, stage: 1, messageId: receiver },
      ],
    };
    const id = await claimDelivery(query, delivery, now);
    await settleDelivery(query, id ?? '', '250 ok', { told: [], over: [] }, now);
  }
  expect((await clerk.post('/sources/town/', { do: 'check' })).status).toBe(303);
  feeds.on('/town.ics', body(FEED.replace(/^PRODID:.*$/m, 'PRODID:-//Another//Program//EN'), { etag: '"of-today"' }));
  const { run } = await app.sync('town');
  const { text } = await clerk.get('/sources/town/');
  expect(text).toContain('Notified: boss, clerk. “town: the feed cannot be <read>”');
  expect(text).toMatch(/made by another program: -\/\/Another\/\/Program\/\/EN , before -\/\//);
  expect(text).toMatch(/clerk asked for a run\. (?:Failed|Read:)/);
  const page = await clerk.get(`/runs/${run}/`);
  expect(page.text).toMatch(/from 127\.0\.0\.1:\d+\/town\.ics ETag "of-today"/);
});

test('a feed can be opened only if its address is not secret', async () => {
  const list = (await clerk.get('/sources/')).html;
  for (const name of ['cron', 'hidden', 'town'])
    expect(list).toContain(`href="/operator/sources/${name}/feed/">Open the feed</a>`);
  expect(list).not.toContain('/sources/local/feed/');
  expect((await clerk.get('/sources/cron/')).html).toContain('href="/operator/sources/cron/feed/">Open</a>');
  const led = await clerk.get('/sources/cron/feed/');
  expect([led.status, led.to]).toEqual([303, `${feeds.url}/cron.ics`]);
  for (const [name, why] of [
    ['town', 'seems to hold what only calsyncd should know'],
    ['hidden', 'seems to hold what only calsyncd should know'],
    ['local', 'It is the file local.ics on the machine of calsyncd.'],
  ] as const) {
    const told = await clerk.get(`/sources/${name}/feed/`);
    expect([told.status, told.to]).toEqual([200, '']);
    expect(told.text).toContain(why);
    expect(told.html).not.toMatch(/very-secret|here\.ics/);
  }
  expect((await clerk.get('/sources/nothing/feed/')).status).toBe(404);
});

test('the timeline says once that a feed has moved, where it was first reported', async () => {
  feeds.on('/cron.ics', body(calendarText(comingEvents(2))));
  feeds.on('/new.ics', body(calendarText(comingEvents(2))));
  await app.sync('cron');
  feeds.on('/cron.ics', (_, response) => {
    response.writeHead(301, { location: '/new.ics' });
    response.end();
  });
  for (const _ of [1, 2, 3]) await app.sync('cron');
  const [timeline = ''] = /<ol class="line">[^]*?<\/ol>/.exec((await clerk.get('/sources/cron/')).html) ?? [];
  expect(timeline.match(/has moved for good to/g)).toHaveLength(1);
});

test('an undo counts as the last change', async () => {
  feeds.on('/market.ics', body(calendarText(comingEvents(2))));
  const { run } = await app.sync('market');
  const query = app.state.database.query();
  const earlier = sql.raw("- interval '3 days'");
  await sql`update calsync.runs set started_at = started_at ${earlier}, finished_at = finished_at ${earlier} where run = ${run}`.execute(
    query,
  );
  await sql`update calsync.sources set changed_at = changed_at ${earlier} where source = 'market'`.execute(query);
  const isOfToday = async () => {
    const [, at = ''] = /<dt>Last change<\/dt>\s*<dd>\s*<time datetime="([^"]*)"/.exec(
      (await clerk.get('/sources/market/')).html,
    )!;
    return Date.parse(at) > Date.now() - 86_400_000;
  };
  expect(await isOfToday()).toBe(false);
  const market = app.setup('market');
  const undo = await startUndo(app.context, market, run, undefined, BY_TESTER);
  expect(await carryOn(app.context, market, undo, () => undefined)).toMatchObject({ state: 'done', removed: 2 });
  expect(await isOfToday()).toBe(true);
});
