import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestListener } from 'node:http';
import { grouped } from '../../src/count-in-words.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, dripping, feedServer, redirect, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// A source with a malicious feed beside a good one, in the same process.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/good.ics', body(calendarText(feedEvents(3))));
  app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  bad: { url: "${feeds.url}/bad.ics", format: ical }\n  good: { url: "${feeds.url}/good.ics" }\n`,
  );
  // After this first run, the site is known, so that the tests do not include the start.
  await app.sync('good');
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

/** Ten megabytes; a gzip file may consist of several such members (RFC 1952, section 2.2). */
const ZEROS = gzipSync(Buffer.alloc(10_000_000));
const event = (uid: number, lines: string): string =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Event ${uid}\r\nDTSTART:20270301T180000Z\r\n${lines}END:VEVENT\r\n`;
const calendar = (inside: string): Buffer =>
  Buffer.from(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${inside}END:VCALENDAR\r\n`);

/** Runs the bad source, and meanwhile the good one. */
async function beside(listener: RequestListener): Promise<{ bad: Promise<Report>; good: Report }> {
  feeds.on('/bad.ics', listener);
  feeds.on('/good.ics', body(calendarText(feedEvents(4))));
  const bad = app.sync('bad');
  const good = await app.sync('good');
  expect(good).toMatchObject({ state: 'done', created: 1 });
  return { bad, good };
}

test.each<[string, () => RequestListener, string, RegExp]>([
  [
    'a gigabyte of zeros in a small gzip',
    () => body(Buffer.concat(Array.from({ length: 100 }, () => ZEROS)), { 'content-encoding': 'gzip' }),
    'feed-too-large',
    /larger than 50 MB/,
  ],
  [
    'ten million short lines',
    () => body(Buffer.from(`BEGIN:VCALENDAR\n${'X:\n'.repeat(10_000_000)}END:VCALENDAR\n`)),
    'feed-too-many-lines',
    /10000002 lines, more than the 2000000/,
  ],
  [
    'a feed that takes too much memory',
    () => body(calendar(event(1, 'X-A;B=c:d\r\n'.repeat(1_900_000)))),
    'feed-too-complex',
    /more than 384 MB of memory/,
  ],
  ['redirects in a circle', () => redirect('/bad.ics'), 'feed-redirects', /one redirect too many/],
  ['a body larger than its limit', () => body(Buffer.alloc(51_000_000, 'x')), 'feed-too-large', /larger than 50 MB/],
])('%s is refused', async (_, listener, code, message) => {
  const { bad } = await beside(listener());
  expect(await bad).toMatchObject({
    state: 'failed',
    created: 0,
    problems: [{ code, message: expect.stringMatching(message) }],
  });
  // The next feed is read by a new thread.
  feeds.on('/bad.ics', body(calendar(event(1, ''))));
  expect(await app.sync('bad')).toMatchObject({ state: 'done', created: 1 });
});

test.each(['long ', '\\', '\u200b'])('a line of 49 MB of %j is cut', async (sign) => {
  const text = sign.repeat(49_000_000 / Buffer.byteLength(sign));
  const { bad } = await beside(body(calendar(event(1, `DESCRIPTION:${text}\r\n`))));
  const report = await bad;
  expect(report).toMatchObject({ state: 'done', created: 1 });
  expect(report.problems.map(({ message }) => message)).toContainEqual(
    `DESCRIPTION has ${grouped(text.length)} characters; only the first 4,000,000 were read.`,
  );
  const [one] = (await app.events()).filter(({ title }) => title === 'Event 1');
  expect(one!.description.length).toBeLessThan(210_000);
});

test('a hundred thousand attendees are ignored without a problem', async () => {
  const { bad } = await beside(
    body(calendar(event(1, 'ATTENDEE;CN=Somebody:mailto:somebody@town.example\r\n'.repeat(100_000)))),
  );
  expect(await bad).toMatchObject({ state: 'done', created: 1, problems: [] });
});

test('recurrence rules that explode are cut', async () => {
  const impossible = Array.from({ length: 100 }, (_, uid) =>
    event(uid, 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\n'),
  ).join('');
  const { bad } = await beside(body(calendar(`${impossible}${event(901, '')}`)));
  const { state, created, problems } = await bad;
  expect([state, created < 200, (await app.events()).some(({ title }) => title === 'Event 901')]).toEqual([
    'done',
    true,
    true,
  ]);
  expect(problems.find(({ code }) => code === 'series-cut')?.message).toMatch(/the rule takes too long to work out/);
});

test('a body that arrives byte by byte does not hold up other sources', async () => {
  let isUnderWay = false;
  const { bad } = await beside((request, response) => {
    dripping(50)(request, response);
    response.write('B', () => {
      isUnderWay = true;
    });
  });
  expect(await Promise.race([bad, 'still coming'])).toBe('still coming');
  await expect.poll(() => isUnderWay).toBe(true);
  await feeds.close();
  expect(await bad).toMatchObject({ state: 'failed', problems: [{ code: 'feed-cut-off' }] });
});
