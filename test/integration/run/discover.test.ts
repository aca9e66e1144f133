import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover, fetchToLook, pastedAddress, type Discovery } from '../../../src/run/discover/discover.ts';
import { suggestSource } from '../../../src/run/discover/suggest.ts';
import { ownAddresses } from '../../../src/run/fetch/own-feeds.ts';
import { bodyLimits, userAgent } from '../../../src/run/fetch/fetch-feed.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';
import { closeConnections, connections } from '../../support/feed-fetching.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { sharedParser } from '../../support/shared-parser.ts';

const NOW = Date.UTC(2027, 0, 1);
const calendar = (name: string, days: readonly number[], ...head: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...(name === '' ? [] : [`X-WR-CALNAME:${name}`]),
    ...head,
    ...days.flatMap((day) => [
      'BEGIN:VEVENT',
      `UID:${day}`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART:202701${String(day).padStart(2, '0')}T190000`,
      'SUMMARY:Der Chor und die Band',
      'DESCRIPTION:Musik mit Freunden im Keller und für Kinder',
      'CATEGORIES:Konzert',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const page = (...links: readonly string[]): string =>
  `<!doctype html><title>Jazzkeller</title><body>${links.map((link) => `<a href="${link}">Kalender</a>`).join('')}</body>`;
const html = { 'content-type': 'text/html' };

let server: FeedServer;
beforeAll(async () => {
  server = await feedServer();
  server.on(
    '/events.ics',
    body(calendar('Jazzkeller', [5, 6, 7], 'REFRESH-INTERVAL;VALUE=DURATION:PT12H', 'X-WR-TIMEZONE:Europe/Berlin')),
  );
  server.on('/hire.ics', body(calendar('Hire', [9])));
  server.on('/programme', body(page('/hire.ics', '/events.ics', '/gone.ics'), html));
  server.on('/empty', body(page(), html));
  server.on('/login', body('<title>Anmelden</title><form><input type="password"></form>', html));
  server.on('/plan.csv', body('Title,Start\nQuiz,2027-01-09 20:00\n', { 'content-type': 'text/csv' }));
  server.on('/moved', status(302, '', { location: 'http://169.254.169.254/latest/' }));
});
afterAll(async () => {
  await closeConnections();
  await server.close();
});

const looked = (address: string, allowed: readonly string[] = ['127.0.0.1/32']): Promise<Discovery> =>
  discover(address, {
    fetch: (url) =>
      fetchToLook(url, {
        http: connections(allowed),
        userAgent: userAgent('0', undefined),
        files: { base: '/', directories: [] },
        limits: bodyLimits(1_000_000),
      }),
    parser: sharedParser,
    isOwn: ownAddresses('https://town.example', { host: '127.0.0.1', port: 8080 }),
    settings: DRAFT_SETTINGS,
    now: NOW,
  });

describe('an address leads to', () => {
  test('the feeds behind a web page, the fullest first, and names the links that fail', async () => {
    const { isPage, feeds, refused } = await looked(`${server.url}/programme`);
    expect(isPage).toBe(true);
    expect(feeds.map(({ address, coming, preview }) => [address, preview.name, coming])).toEqual([
      [`${server.url}/events.ics`, 'Jazzkeller', 3],
      [`${server.url}/hire.ics`, 'Hire', 1],
    ]);
    expect(refused.map(({ address, problem }) => [address, problem.code])).toEqual([
      [`${server.url}/gone.ics`, 'feed-not-found'],
    ]);
  });

  test('a calendar or a table, and may be pasted without a scheme or in angle brackets', async () => {
    expect((await looked(`${server.url}/events.ics`)).feeds[0]?.preview.format).toBe('ical');
    expect((await looked(`${server.url}/plan.csv`)).feeds[0]).toMatchObject({ coming: 1, preview: { format: 'csv' } });
    expect(pastedAddress(' jazz.example/x ')).toBe('https://jazz.example/x');
    expect(pastedAddress('localhost:8080/x')).toBe('https://localhost:8080/x');
    expect(pastedAddress('/home/me/x.ics')).toBe('/home/me/x.ics');
    expect(pastedAddress('<webcal://jazz.example/x>')).toBe('webcal://jazz.example/x');
  });

  test.each([
    ['/nothing', 'feed-not-found', /^Private calendars/],
    ['/empty', 'not-a-calendar', undefined],
    ['/login', 'not-a-calendar', undefined],
    ['/moved', 'feed-address-refused', /^Only the person who runs calsyncd/],
  ])('no feed at %s, and says why', async (path, code, advice) => {
    const { feeds, refused } = await looked(`${server.url}${path}`);
    expect(feeds).toEqual([]);
    expect(refused.map(({ problem }) => problem.code)).toEqual([code]);
    expect(refused[0]?.advice ?? '').toMatch(advice ?? /^$/);
  });

  test.each([
    ['file:///etc/passwd', 'feed-bad-address'],
    ['file:calsyncd.yaml', 'feed-bad-address'],
    ['https://town.example/feeds/all.ics', 'feed-own'],
    ['http://localhost:8080/feeds/all.ics', 'feed-own'],
    ['http://[::1]:5432/', 'feed-address-refused'],
    ['javascript:alert(1)', 'feed-bad-address'],
  ])('%s is refused without a request', async (address, code) => {
    const asked = server.requests.length;
    expect((await looked(address)).refused.map(({ problem }) => problem.code)).toEqual([code]);
    expect(server.requests.length).toBe(asked);
  });

  test('nothing within the private network unless that is allowed', async () => {
    expect((await looked(`${server.url}/events.ics`, [])).refused[0]?.problem.code).toBe('feed-address-refused');
  });
});

test('a feed that was found is suggested as a source', async () => {
  const { feeds } = await looked(`${server.url}/programme`);
  const around = { taken: ['jazzkeller'], siteTimezone: 'Europe/Warsaw', languages: ['en', 'de', 'pl'] };
  expect(feeds.map((feed) => suggestSource(feed, around))).toEqual([
    { name: 'jazzkeller-2', every: '6h', timezone: 'Europe/Berlin', language: 'de' },
    { name: 'hire', every: '1h' },
  ]);
  const [found] = feeds.map(
    (feed) =>
      (address: string, name: string | null): string =>
        suggestSource({ ...feed, address, preview: { ...feed.preview, name } }, { ...around, taken: [] }).name,
  );
  expect(found?.('https://www.jazzkeller.example/x.ics', 'Events')).toBe('jazzkeller');
  expect(found?.('https://calendar.google.com/x.ics', 'The grand long name of a choir')).toBe(
    'the-grand-long-name-of-a-choir',
  );
  expect(found?.('https://192.0.2.1/x.ics', null)).toBe('source');
});
