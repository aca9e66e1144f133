import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { loadRun } from '../../../src/run/state/records.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import type { Asked } from '../../../src/operator/frame/operator.ts';
import { runHeadPart } from '../../../src/operator/runs/run-page.ts';
import { hiddenIn, signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { coming, comingEvents, comingStart } from '../../support/coming.ts';
import { calendarText, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The history of runs, the review of a held one, and undoing a run, as a person without JavaScript uses them.

/** How feeds write a day. */
const BASIC = 'yyyyMMdd';

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let clerk: ConsoleClient;

beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  publish(comingEvents(10));
  app = await syncing.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  theatre: { url: "${feeds.url}/theatre.ics", missing: { after: 1 } }
  opera: { url: "${feeds.url}/opera.ics" }
  days: { url: "${feeds.url}/days.ics" }
  leaflet: { url: "file:leaflet.ics" }
`);
  await app.sync('theatre');
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));
beforeEach(async () => {
  syncing.clock.now = Date.now();
  // On a busy machine, the tests before may have taken longer than a worker may be silent.
  await noteWorkerAlive(app.state.database.query());
});

const publish = (events: readonly FeedEvent[]): void => feeds.on('/theatre.ics', body(calendarText(events)));
const titles = async (): Promise<readonly string[]> => (await app.events()).map(({ title }) => title).toSorted();
/** The first and the last two events, the third with another description, and a new one. */
const cut = (): readonly FeedEvent[] => [
  ...comingEvents(10)
    .map((event, index) => (index === 2 ? { ...event, lines: ['DESCRIPTION:A text of many words, all new'] } : event))
    .filter((_, index) => index < 3 || index > 7),
  { uid: 'new', title: 'New <b>one</b>', start: comingStart(31, '120000') },
];
const ticksOf = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]+)" checked`, 'g'))].map(([, slug = '']) => slug);
const hiddenOf = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  );

test('the page of a run that wrote nothing skips no heading level', async () => {
  const { run } = await app.sync('theatre', true);
  const { html, text } = await clerk.get(`/runs/${run}/`);
  expect(text).toContain('It wrote no event.');
  const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  expect(levels.slice(0, 3)).toEqual([1, 2, 3]);
});

test('an outdated plan links to the new one and keeps the ticked boxes', async () => {
  publish(comingEvents(10).filter((_, index) => index < 2 || index === 9));
  const { run: old } = await app.sync('theatre', true);
  const [kept = '', ...removed] = ticksOf((await clerk.get(`/runs/${old}/`)).html, 'remove');
  publish(comingEvents(10).filter((_, index) => index === 0 || index === 9));
  const { run } = await app.sync('theatre', true);
  const page = await clerk.get(`/runs/${old}/`);
  expect(page.text).toContain('This plan is out of date: a later run has made a new one. The new plan would remove');
  expect(page.html).not.toContain('<input type="checkbox"');
  const { to } = await clerk.post(`/runs/${old}/`, {
    do: 'approve',
    remove: removed,
    shown: [kept, ...removed].join(' '),
  });
  expect(to).toBe(`/runs/${run}/?said=anew&except=${kept}`);
  const anew = await clerk.get(to);
  expect(ticksOf(anew.html, 'remove')).not.toContain(kept);
  expect(anew.text).toContain('Nothing was decided: the plan that you looked at is out of date. A later run has made');
  expect(anew.html).not.toContain(`action="/operator/runs/${run}/?said`);
  expect((await clerk.post(`/runs/${old}/`, { do: 'reject' })).to).toBe(`/runs/${run}/?said=anew`);
  // As long as the field allows: it counts a line break as one character, but browsers send two.
  expect((await clerk.get(`/runs/${run}/`)).html).toContain('name="why-not" rows="2" maxlength="1000"');
  const why = `their site is being rebuilt\r\n${'so '.repeat(320)}says Eva.`;
  expect(why).toHaveLength(27 + 2 + 960 + 9);
  const rejected = await clerk.post(`/runs/${run}/`, { do: 'reject', 'why-not': `${why}\r\n!` });
  expect(rejected.to).toBe(`/runs/${run}/`);
  const told = await clerk.get(rejected.to);
  expect(told.text).toContain('This plan was rejected by clerk');
  expect(told.text).not.toContain('If you do nothing');
  expect(told.text).toContain('“their site is being rebuilt');
  expect(told.text).toContain('so says Eva. !”');
});

describe('a held run', () => {
  let run: string;
  let path: string;
  beforeAll(async () => {
    publish(cut());
    ({ run } = await app.sync('theatre'));
    path = `/runs/${run}/`;
  });

  test('is summed up in a sentence, with what it means and what is likely', async () => {
    const { html, text } = await clerk.get(path);
    expect(text).toContain('The feed of theatre has lost 5 of its 10 coming events');
    expect(text).toContain('This run would remove 5 of 10 coming events (50 %; you allow 20 %). ');
    expect(text).toContain('nothing changes. A new plan is made each time the feed is read.');
    expect(text).toContain(
      `now it has 6. The missing ones are all from ${coming(3, 'd LLLL')} to ${coming(7, 'd LLLL')} .`,
    );
    expect(text).toContain('5 pages would say “no longer available”.');
    expect(text).toContain('1 new page would be public at once.');
    expect(text).toContain('most likely Keep them, and ask theatre');
    expect(html).toContain('<svg class="ptn"');
    expect(html).toContain('New &lt;b&gt;one&lt;/b&gt;');
    expect(html).toMatch(/class="code"[^>]*>[\s\S]*<ins class="plus">/);
    expect(html).toContain('<ins>A text of many words, all new</ins>');
    expect(ticksOf(html, 'remove')).toHaveLength(5);
    expect(text).toContain('Of the events, this takes 5 off the site, changes 1 and adds 1 .');
  });

  test('can be filtered, at an address of its own, and remembers unticked events', async () => {
    const { html, text } = await clerk.get(path);
    expect(text).toMatch(/everything 7 removals 5 other changes 1 new 1/);
    expect(text).toContain(`In the calendar, struck through: ${coming(0, 'LLLL')} (5)`);
    expect(html).toContain(
      `/events/?source=theatre&amp;view=month&amp;month=${coming(0, 'yyyy-MM')}">Show ${coming(0, 'LLLL')}<`,
    );
    const [kept = '', ...removed] = ticksOf(html, 'remove');
    const { to } = await clerk.post(path, {
      do: 'only-remove',
      remove: removed,
      change: ticksOf(html, 'change'),
      new: ticksOf(html, 'new'),
      shown: hiddenOf(html, 'shown'),
    });
    expect(to).toBe(`${path}?only=remove&except=${kept}#list`);
    const part = await clerk.get(to);
    expect(part.text).toContain('5 of 7 are shown.');
    expect(ticksOf(part.html, 'remove')).toEqual(removed);
    expect(part.html).not.toContain('name="change"');
    const asked = await clerk.post(path, {
      do: 'approve',
      remove: removed.slice(1),
      shown: hiddenOf(part.html, 'shown'),
    });
    expect(asked.text).toContain('Of the events, this takes 3 off the site, changes 1 and adds 1 .');
    for (const [query, count] of [
      [`month=${coming(31, 'yyyy-MM')}`, 1],
      ['field=description', 1],
      [`find=${coming(31, 'LLLL').toLowerCase()}`, 1],
      [`month=${coming(31, 'yyyy-MM')}&only=remove`, 0],
    ] as const)
      expect((await clerk.get(`${path}?${query}`)).text).toContain(
        count === 0 ? 'None of them is like that.' : `${count} of 7 are shown.`,
      );
  });

  test('is compared line by line with the feed that was read before', async () => {
    expect((await clerk.get(path)).html).toContain(`${path}feeds/">Both feeds side by side</a>`);
    const { html, text } = await clerk.get(`${path}feeds/`);
    expect(text).toMatch(/\d+ lines differ\. .* \d+ lines the same in both/);
    expect(html).toContain('<ins>DESCRIPTION:A text of many words, all new</ins>');
    expect(html).toContain('<ins>SUMMARY:New &lt;b&gt;one&lt;/b&gt;</ins>');
    expect(html).toMatch(/<del>UID:[^<]+<\/del>/);
  });

  test('is approved only once its counts were shown, without the unticked events', async () => {
    const [kept = '', ...removed] = ticksOf((await clerk.get(path)).html, 'remove');
    const change = ticksOf((await clerk.get(path)).html, 'change');
    const [shown = ''] = hiddenOf((await clerk.get(path)).html, 'shown');
    const ticks = { remove: removed, change, shown, reason: 'as they said' };
    const asked = await clerk.post(path, { do: 'approve', ...ticks });
    expect(asked.text).toContain('Of the events, this takes 4 off the site and changes 1 .');
    expect(asked.text).toMatch(
      /2 events stay as they are, until the feed changes there: “[^”]+” \(\w{3} \d+ \w+, 18:00\), “[^”]+” \(\w{3} \d+ \w+, \d\d:00\)\./,
    );
    expect((await loadRun(app.context.database.query(), run))?.state).toBe('held');
    const back = await clerk.post(path, {
      do: 'back',
      except: hiddenOf(asked.html, 'except'),
    });
    expect(ticksOf(back.html, 'remove')).toEqual(removed);
    const done = await clerk.post(path, {
      do: 'approve',
      counts: hiddenOf(asked.html, 'counts'),
      except: hiddenOf(asked.html, 'except'),
      reason: 'as they said',
    });
    expect(done).toMatchObject({ status: 303, to: path });
    expect(await titles()).toHaveLength(6);
    expect((await app.events()).map(({ slug }) => slug)).toContain(kept);
    const [act] = await listActs(app.context.database.query(), { run }, 1);
    expect(act).toMatchObject({ kind: 'approve', by: { name: 'clerk', from: 'console' }, reason: 'as they said' });
  });

  test.each(['reject', 'approve', 'later-tomorrow'])(
    'that was decided already cannot be decided again: %s',
    async (act) => {
      const { to } = await clerk.post(path, { do: act });
      expect(to).toBe(`${path}?said=decided-before:0`);
      const { text } = await clerk.get(to);
      expect(text).toContain('Nothing was done: this plan had already been decided, or was out of date.');
      expect(text).toContain('theatre: 1 changed, 4 removed');
    },
  );

  test('shows what it did once it is done, and can be undone after a look at the changes', async () => {
    const page = await clerk.get(path);
    expect(page.text).toContain('theatre: 1 changed, 4 removed');
    expect(page.text).toContain('2 events were left out, as it was decided:');
    expect(page.text).toContain('clerk approved the plan');
    expect(page.text).toMatch(/Site \d+ requests \(\d+ × 200, .*\), 5 writes/);
    expect(page.html).toContain('a batch was written stage=removals batch=0 attempt=2 done=4 open=0 refused=0\n');
    expect((await clerk.get(`${path}feeds/`)).text).toContain('kept only while the plan waits for a decision');
    const undo = await clerk.get(`${path}?undo`);
    expect(undo.text).toContain('Taking this run back: 1 event gets its earlier values, 4 events come back.');
    const evening = `\\w{3} \\d+ ${coming(0, 'LLLL')}, 18:00`;
    expect(undo.text).toMatch(new RegExp(`Show them first .* Event number \\d+ ${evening} \\+ back `));
    expect(undo.text).not.toContain('undo of');
    expect(undo.text).toContain('Take back 5 of 5');
    // Without JavaScript a double click sends the form twice, and both lead to the run that the first has begun.
    const form = { ...hiddenIn(undo.html, 'value="undo"'), do: 'undo', reason: 'a mistake' };
    const [{ to }, again] = await Promise.all([clerk.post(path, form), clerk.post(path, form)]);
    expect([again.status, again.to]).toEqual([303, to]);
    expect(await titles()).toHaveLength(10);
    expect((await clerk.get(to)).text).toContain('theatre: 5 events taken back');
    const nothing = (await clerk.get(`${path}?undo`)).text;
    expect(nothing).toContain('There is nothing left to take back.');
    // Who took it back and when is said once, in the words of the page.
    expect(nothing).toMatch(/Taken back by clerk, .*: \d+ events? There is nothing left/);
    expect(nothing).not.toContain('was taken back already');
    const after = await clerk.get(path);
    expect(after.text).toMatch(/Taken back by clerk, \d\d:\d\d : 5 events/);
    expect(after.html).toContain(`href="/operator${to}">5 events</a>`);
    // Undo is offered again only once the undo itself was undone.
    expect(after.text).not.toContain('Take it back…');
    const back = await clerk.get(to);
    expect(back.text).toMatch(/clerk: “Take back” of an earlier run .*Take it back…/);
    expect(back.html).toContain(`<a href="/operator${path}">an earlier run</a>`);
    expect(back.text).not.toContain('undo of');
    await clerk.post(to, { do: 'undo', count: '5' });
    expect((await clerk.get(path)).text).toContain('Take it back…');
  });
});

test('a held plan shows the other problems of its run, too', async () => {
  publish(comingEvents(10));
  await app.sync('theatre');
  publish(comingEvents(7).filter((_, index) => index === 0 || index === 6));
  const { run, problems } = await app.sync('theatre');
  expect(problems.map(({ code }) => code)).toEqual(['held', 'beyond-coverage']);
  const { text } = await clerk.get(`/runs/${run}/`);
  expect(text).toMatch(
    /has lost 5 of its 10 coming events.*What else there is to say 3 events that come after the last one in the feed are not in it any more: "Event number 7"/,
  );
  expect(text).not.toContain('wait for a person.');
  // It also waits while its source is paused.
  await clerk.post('/sources/theatre/', { do: 'pause', until: '3d', reason: '' });
  const paused = await clerk.get('/sources/theatre/');
  expect(paused.text).toMatch(/Paused\. Until .* You must decide\. .* Review/);
  expect(paused.html).toContain(`<a class="btn go" href="/operator/runs/${run}/">Review</a>`);
  await clerk.post('/sources/theatre/', { do: 'resume' });
  await clerk.post(`/runs/${run}/`, { do: 'reject' });
});

test('a preview shows what a run would change, and writes nothing', async () => {
  publish([
    ...comingEvents(10)
      .slice(1)
      .map((event) => ({ ...event, title: `${event.title}!` })),
    { uid: 'guests', title: 'Guests from afar', start: comingStart(75, '210000') },
  ]);
  const before = await titles();
  const { status, text, html } = await clerk.post('/sources/theatre/plan/', { do: 'try' });
  expect(status).toBe(200);
  expect(text).toContain('What a run of theatre would change');
  expect(text).toMatch(/A run would take 1 event off the site, change 9, add 1\. It would wait for a decision:/);
  expect(html).toContain('<ins>!</ins>');
  expect(text).toContain('Guests from afar');
  expect(html).not.toContain('/events/guests');
  expect(await titles()).toEqual(before);
  publish(comingEvents(10));
  expect((await clerk.post('/sources/theatre/plan/', { do: 'try' })).text).toContain('Nothing would change.');
  feeds.on('/theatre.ics', body('<html>'));
  expect((await clerk.post('/sources/theatre/plan/', { do: 'try' })).text).toContain('A run would fail now.');
});

test('a run under way shows its steps and can be stopped', async () => {
  publish(comingEvents(10).map((event) => ({ ...event, lines: ['DESCRIPTION:Once more'] })));
  const setup = app.setup('theatre');
  const started = await startRun(app.context, setup, 'command', false);
  const run = started.kind === 'writing' ? started.run : '';
  const { html, text } = await clerk.get(`/runs/${run}/`);
  expect(text).toContain('theatre is being written');
  expect(text).toMatch(/Asked for the feed [\d.]+ s It answered 200 with \d+ kB\. Read it/);
  expect(text).toMatch(/Writing 0 of \d+ are written/);
  expect(html).toMatch(/data-live="[^"]*part=run-head%3A[^"]*part=run%3A/);
  // What an open page shows in place of its heading.
  const asked = {
    base: '',
    url: new URL(`http://x/operator/runs/${run}/`),
    now: syncing.clock.now,
    caller: { token: 'token' },
    operator: { context: app.context },
    zoneOf: () => 'Europe/Warsaw',
  } as unknown as Asked;
  const heading = async (): Promise<string> => {
    const shown = await runHeadPart.show(asked, run);
    return typeof shown === 'object' ? shown.markup : '';
  };
  expect(await heading()).toContain('Stop after this batch');
  await clerk.post(`/runs/${run}/`, { do: 'stop' });
  expect(await heading()).toContain('Asked to stop by clerk');
  await carryOn(app.context, setup, started, () => undefined);
  expect(await heading()).not.toMatch(/is being written|goes on|Stop/);
  expect((await clerk.get(`/runs/${run}/`)).text).toContain('Stopped by clerk, with 0 of');
});

test('the steps of a run say that a file has not changed, not that it gave no answer', async () => {
  writeFileSync(`${syncing.directory}/leaflet.ics`, calendarText(comingEvents(3)));
  await app.sync('leaflet');
  const { run } = await app.sync('leaflet');
  const { text } = await clerk.get(`/runs/${run}/`);
  expect(text).toMatch(/Asked for the feed [\d.]+ s The file has not changed\. Done/);
});

test('the history can be filtered, and names who did what', async () => {
  const { html, text } = await clerk.get('/runs/?source=theatre&show=people');
  expect(text).toContain('Runs of theatre');
  expect(text).toContain('clerk: stopped it');
  expect(text).toMatch(/taken back an earlier run : ~ 5 changed/);
  expect(html).toContain('aria-current="true"');
  expect((await clerk.get('/runs/?show=held')).text).toContain('clerk: rejected');
  expect((await clerk.get('/runs/nonsense-run/')).status).toBe(404);
});

test('a failed run is not counted among those that had nothing to change', async () => {
  await app.sync('opera');
  expect((await clerk.get('/runs/?source=opera')).text).toContain('0 of 1 had nothing to change.');
});

test('a plan shows an all-day event without a time', async () => {
  const fair = calendarText([{ uid: 'fair', title: 'Fair', start: comingStart(4) }])
    .replace(/DTSTART;TZID=.*:(\d{8})T\d+/, 'DTSTART;VALUE=DATE:$1')
    .replace('DURATION:PT1H\r\n', '');
  feeds.on('/theatre.ics', body(fair));
  const { run } = await app.sync('theatre', true);
  const { text } = await clerk.get(`/runs/${run}/`);
  expect(text).toContain(`Fair ${coming(4, 'ccc d LLLL')} new in the feed`);
  expect(text).not.toContain('00:00');
});

const event = (uid: string, title: string, ...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', `SUMMARY:${title}`, ...lines, 'END:VEVENT', ''].join(
    '\r\n',
  );
/** An all-day fair, and two events of an hour. Phoenix has no daylight saving time, so its zone has one name. */
const fairAndCall = (from: number, to: number, clock: string): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//test//EN', ''].join('\r\n') +
  event('fair', 'Fair', `DTSTART;VALUE=DATE:${coming(from, BASIC)}`, `DTEND;VALUE=DATE:${coming(to, BASIC)}`) +
  event('call', 'Call', `DTSTART;TZID=America/Phoenix:${comingStart(9, clock)}`, 'DURATION:PT1H') +
  event('near', 'Near', `DTSTART;TZID=Europe/Berlin:${comingStart(10, clock)}`, 'DURATION:PT1H') +
  'END:VCALENDAR\r\n';

test('changes of all-day events are shown as days, and times in another zone with that zone', async () => {
  feeds.on('/days.ics', body(fairAndCall(4, 7, '200000')));
  await app.sync('days');
  feeds.on('/days.ics', body(fairAndCall(5, 9, '203000')));
  const tried = await clerk.post('/sources/days/plan/', { do: 'try' });
  const { run } = await app.sync('days');
  for (const { text } of [tried, await clerk.get(`/runs/${run}/`)]) {
    const [begins, ends] = [
      [4, 5],
      [6, 8],
    ].map(
      ([was = 0, is = 0]) =>
        `${coming(was, 'ccc')} ${coming(is, 'ccc')} ${coming(was, 'd')} ${coming(is, 'd LLLL yyyy')}`,
    );
    expect(text).toContain(`Fair ${coming(5, 'ccc d LLLL')} Begins: ${begins} Ends: ${ends} changed`);
    expect(text).toContain(`Call ${coming(9, 'ccc d LLLL')}, 20:30 MST `);
    expect(text).toContain(`Near ${coming(10, 'ccc d LLLL')}, 20:30 Begins`);
  }
  const pageOf = async (title: string): Promise<string> => {
    const found = (await app.events()).find((each) => each.title === title);
    return (await clerk.get(`/events/${found?.slug}/`)).text;
  };
  const fair = await pageOf('Fair');
  expect(fair).toContain(`Begins ${coming(5, 'ccc d LLLL yyyy')} feed`);
  expect(fair).toContain(`Ends ${coming(8, 'ccc d LLLL yyyy')} feed`);
  expect(fair).not.toMatch(new RegExp(`${coming(5, 'LLLL yyyy')}, \\d`));
  expect(await pageOf('Call')).toContain(`${coming(9, 'cccc d LLLL yyyy')}, 20:30 to 21:30 MST`);
  expect(await pageOf('Near')).toContain(`${coming(10, 'cccc d LLLL yyyy')}, 20:30 to 21:30 ·`);
  const list = (await clerk.get('/events/?source=days&view=list')).text;
  const [days, call, near] = [5, 9, 10].map((day) => coming(day, 'ccc d LLLL yyyy'));
  const untilFair = `${days}, all day, until ${coming(8, 'ccc d LLLL')}`;
  expect(list).toMatch(new RegExp(`${untilFair} .*${call}, 20:30 MST .*${near}, 20:30 `));
  expect((await clerk.get(`/events/?view=week&day=${coming(7, 'yyyy-LL-dd')}`)).text).toContain(untilFair);
});

const opera = (rule: string): string =>
  calendarText([
    { uid: 'tosca', title: 'Tosca', start: comingStart(1, '190000'), lines: [`RRULE:FREQ=WEEKLY;${rule}`] },
    ...comingEvents(2),
  ]);

test('events that are missing for the third time are explained by the lines that changed the first time', async () => {
  feeds.on('/opera.ics', body(opera('COUNT=20')));
  await app.sync('opera');
  feeds.on('/opera.ics', body(opera(`UNTIL=${comingStart(31, '000000')}Z`)));
  for (const turn of [1, 2]) expect([turn, (await app.sync('opera')).state]).toEqual([turn, 'unchanged']);
  const held = await app.sync('opera');
  expect(held.state).toBe('held');
  for (const path of [`/runs/${held.run}/`, `/runs/${held.run}/feeds/`]) {
    const { html, text } = await clerk.get(path);
    expect(html).toContain('<del>COUNT</del>');
    expect(html).toContain('<ins>UNTIL</ins>');
    expect(text).toMatch(/Compared with the feed of .*\d\d:\d\d ?, the last from which no event was missing\./);
    expect(text).not.toMatch(/No line differs|as they were/);
  }
  const late =
    (await app.events()).find(({ title, start_date }) => title === 'Tosca' && start_date > coming(32))?.slug ?? '';
  expect((await clerk.get(`/events/${late}/`)).text).toContain('It was missing 3 times; after 3 times: trash.');
  // The feed is unchanged, and so is the plan, but a new run makes it again.
  const again = await app.sync('opera');
  expect(await loadRun(app.context.database.query(), held.run)).toMatchObject({
    state: 'superseded',
    supersededBy: again.run,
  });
});
