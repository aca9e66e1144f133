import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSiteClient } from '../../../src/client/make-site-client.ts';
import { memoryExportState } from '../../support/memory-export-state.ts';
import { eventFile, handleEventCalendar } from '../../../src/feeds/serve/handle-event-calendar.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { violationsOf } from '../../support/ical-check.ts';

// One event of the site as a file for a personal calendar.

let site: TestSite;
let get: (path: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Response>;

beforeAll(async () => {
  site = await builtinSite();
  const client = makeSiteClient({
    root: 'https://site.example/api/',
    namespace: 'calendar/events/v1',
    transport: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { status, headers, body } = await site.ask('editor', request.method, pathname + search);
      return new Response(JSON.stringify(body), { status, headers });
    },
  });
  const parts = {
    client,
    ourKeys: async () => new Map<number, string>(),
    state: memoryExportState(),
    host: 'site.example',
    publicUrl: 'https://site.example',
    home: 'https://site.example/',
  };
  get = (path, headers = {}, method = 'GET') =>
    handleEventCalendar(
      (slug) => eventFile(parts, slug, site.clock.now),
      new Request(`https://site.example${path}`, { method, headers }),
    );
  for (const event of [
    { title: 'Jazz & Blues', slug: 'jazz', start_date: '2026-12-05 20:00', end_date: '2026-12-05 23:00' },
    { title: 'Whole day', slug: 'day', all_day: true, start_date: '2026-12-05', end_date: '2026-12-05' },
    { title: '早春', start_date: '2026-12-06 20:00', end_date: '2026-12-06 23:00' },
    { title: 'Draft', slug: 'draft', status: 'draft', start_date: '2026-12-05 20:00', end_date: '2026-12-05 23:00' },
    {
      title: 'Private',
      slug: 'private',
      status: 'private',
      start_date: '2026-12-05 20:00',
      end_date: '2026-12-05 23:00',
    },
    { title: 'Protected', slug: 'protected', start_date: '2026-12-05 20:00', end_date: '2026-12-05 23:00' },
    {
      title: 'Hidden',
      slug: 'hidden',
      hide_from_listings: true,
      start_date: '2020-12-05 20:00',
      end_date: '2020-12-05 23:00',
    },
  ]) {
    const {
      body: { id },
    } = await site.ask('editor', 'POST', '/events', event);
    if (event.slug === 'protected') await site.ask('editor', 'POST', `/events/${id}`, { password: 'sesame' });
  }
});
afterAll(() => site.close());

test.each([
  ['/event/jazz.ics', 'SUMMARY:Jazz & Blues'],
  ['/event/day.ics', 'DTSTART;VALUE=DATE:20261205'],
  [`/event/${encodeURIComponent('早春')}.ics`, 'SUMMARY:早春'],
  ['/event/hidden.ics', 'SUMMARY:Hidden'],
])('%s is a calendar with one event', async (path, line) => {
  const answer = await get(path);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type'), violationsOf(Buffer.from(text))]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    [],
  ]);
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
  expect(text).toContain(line);
  expect(text).toMatch(/^UID:\d+@site\.example/m);
});

test('the file stays the same, and a client that sends its ETag gets no body', async () => {
  const tag = (await get('/event/jazz.ics')).headers.get('etag')!;
  site.clock.now += 3_600_000;
  const again = await get('/event/jazz.ics', { 'if-none-match': tag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await get('/event/jazz.ics', {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('content-disposition')]).toEqual([
    200,
    '',
    'attachment; filename="jazz.ics"',
  ]);
});

test.each(['draft', 'private', 'protected', 'none', '%E0%A4%A', 'a%2Fb', '%2F'].map((slug) => `/event/${slug}.ics`))(
  'there is no file at %s',
  async (path) => expect((await get(path)).status).toBe(404),
);
test('the file is read-only', async () => expect((await get('/event/jazz.ics', {}, 'POST')).status).toBe(405));
