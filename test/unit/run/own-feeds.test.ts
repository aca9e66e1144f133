import { expect, test } from 'vitest';
import type { FetchResult } from '../../../src/run/fetch/fetch-result.ts';
import { ownAddresses, refusingOwn } from '../../../src/run/fetch/own-feeds.ts';

const isOwn = ownAddresses('https://town.example/calendar', { host: '10.0.0.7', port: 8080 });

test.each<[string, boolean]>([
  ['https://town.example/calendar/feeds/all.ics', true],
  ['http://town.example/calendar/feeds/events.ics?categories=music', true],
  ['webcal://town.example/calendar/event/jazz.ics', true],
  ['http://localhost:8080/feeds/all.ics', true],
  ['http://127.0.0.1:8080/feeds/~secret/staff.ics', true],
  ['http://[::1]:8080/feeds/all.csv', true],
  ['http://10.0.0.7:8080/feeds/all.ics', true],
  ['https://town.example/feeds/all.ics', false],
  ['https://town.example:444/calendar/feeds/all.ics', false],
  ['https://www.town.example/calendar/feeds/all.ics', false],
  ['http://localhost:8081/feeds/all.ics', false],
  ['https://town.example/calendar/other.ics', false],
  ['https://town.example/calendar/event/jazz', false],
  ['file:///feeds/all.ics', false],
  ['not an address', false],
])('%s is one of our own feeds: %s', (address, expected) => expect(isOwn(address)).toBe(expected));

test.each<[string, number, boolean]>([
  ['http://localhost/feeds/all.ics', 80, true],
  ['http://127.0.0.1/feeds/all.ics', 80, true],
  ['http://127.0.0.1/feeds/all.ics', 8080, false],
  ['https://127.0.0.1/feeds/all.ics', 80, false],
  ['https://127.0.0.1/feeds/all.ics', 443, true],
])('%s is one of our own feeds if we listen on port %i: %s', (address, port, expected) =>
  expect(ownAddresses('https://town.example', { host: '0.0.0.0', port })(address)).toBe(expected),
);

test('an address that leads to one of our feeds is refused too, and its secret is not shown', async () => {
  const answered: FetchResult = {
    kind: 'notModified',
    validators: { etag: null, lastModified: null },
    finalUrl: 'https://town.example/calendar/feeds/all.ics',
  };
  const fetch = refusingOwn(async () => answered, isOwn);
  const codeOf = async (url: string): Promise<unknown> => {
    const result = await fetch('a', { url }, answered.validators);
    return result.kind === 'failed' ? result.problem.code : result.kind;
  };
  expect(await codeOf('https://short.example/x')).toBe('feed-own');
  expect(await codeOf('http://localhost:8080/feeds/all.ics')).toBe('feed-own');
  expect(
    JSON.stringify(
      await fetch('a', { url: 'http://localhost:8080/feeds/~topsecret-topsecret/all.ics' }, answered.validators),
    ),
  ).not.toContain('topsecret');
});
