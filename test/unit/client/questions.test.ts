import { describe, expect, test } from 'vitest';
import {
  freshForMs,
  isGone,
  isPermanentRedirect,
  isRetryable,
  isSameSite,
  isUncertain,
  redirectTarget,
  retryAfterMs,
} from '../../../src/client/questions.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('retryAfterMs', () => {
  test.each<[string | null, number | undefined]>([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
    ['Friday, 20-Nov-26 12:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['2026-11-20', undefined],
  ])('%j is %j', (value, expected) =>
    expect(retryAfterMs(new Headers(value === null ? {} : { 'retry-after': value }), NOW)).toBe(expected),
  );
  test.each([
    ['five minutes slow', 'Fri, 20 Nov 2026 11:55:00 GMT', 'Fri, 20 Nov 2026 11:56:00 GMT', 60_000],
    ['an hour fast', 'Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:30 GMT', 30_000],
    ['unknown', 'now', 'Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
  ])('a date is read by the clock of its server: %s', (_, date, value, expected) =>
    expect(retryAfterMs(new Headers({ date, 'retry-after': value }), NOW)).toBe(expected),
  );
});

describe('freshForMs', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['nothing said', {}, undefined],
    ['max-age', { 'cache-control': 'public, max-age=3600' }, 3_600_000],
    ['quoted', { 'cache-control': 'max-age="60"' }, 60_000],
    ['s-maxage is for shared caches', { 'cache-control': 's-maxage=60' }, undefined],
    ['age counts', { 'cache-control': 'max-age=60', age: '50' }, 10_000],
    ['older than max-age', { 'cache-control': 'max-age=60', age: '90' }, 0],
    ['an invalid age', { 'cache-control': 'max-age=60', age: 'x' }, 0],
    ['no-store beats max-age', { 'cache-control': 'no-store, max-age=60' }, 0],
    ['no-cache', { 'cache-control': 'private,no-cache' }, 0],
    ['Expires', { expires: 'Fri, 20 Nov 2026 12:10:00 GMT' }, 600_000],
    [
      'Expires, by the clock of its server',
      { date: 'Fri, 20 Nov 2026 12:09:00 GMT', expires: 'Fri, 20 Nov 2026 12:10:00 GMT' },
      60_000,
    ],
    ['Expires, out of a cache', { expires: 'Fri, 20 Nov 2026 12:10:00 GMT', age: '540' }, 60_000],
    ['Expires in 1984', { expires: 'Wed, 11 Jan 1984 05:00:00 GMT' }, 0],
    ['Expires: 0', { expires: '0' }, 0],
    ['max-age beats Expires', { 'cache-control': 'max-age=1', expires: 'Fri, 20 Nov 2026 12:10:00 GMT' }, 1000],
  ])('%s', (_, headers, expected) => expect(freshForMs(new Headers(headers), NOW)).toBe(expected));
});

describe('redirectTarget', () => {
  const from = new URL('https://feeds.example/a/b.ics?x=1');
  test.each<[number, string | undefined, string | undefined]>([
    [301, 'https://other.example/c', 'https://other.example/c'],
    [302, '../c.ics', 'https://feeds.example/c.ics'],
    [303, '//other.example/', 'https://other.example/'],
    [307, '?y=2', 'https://feeds.example/a/b.ics?y=2'],
    [308, 'file:///etc/passwd', 'file:///etc/passwd'],
    [302, undefined, undefined],
    [302, 'http://[broken', undefined],
    [200, '/c', undefined],
    [304, '/c', undefined],
    [300, '/c', undefined],
  ])('%i to %s', (status, location, expected) => {
    expect(redirectTarget(status, new Headers(location === undefined ? {} : { location }), from)?.href).toBe(expected);
  });
  test.each([
    [301, true],
    [308, true],
    [302, false],
    [303, false],
    [307, false],
  ])('%i is permanent: %s', (status, expected) => expect(isPermanentRedirect(status)).toBe(expected));
});

describe('isSameSite', () => {
  test.each([
    ['http://a.example/x', 'https://a.example/y', true],
    ['https://a.example/', 'https://www.a.example/', true],
    ['https://www.a.example/', 'https://a.example/', true],
    ['https://a.example/', 'http://a.example/', false],
    ['https://a.example/', 'https://b.example/', false],
    ['https://a.example/', 'https://a.example:8443/', false],
    ['http://a.example:8080/', 'https://a.example/', false],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/x', true],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', false],
  ])('%s to %s: %s', (from, to, expected) => expect(isSameSite(new URL(from), new URL(to))).toBe(expected));
});

const invalid = (params: object): object => ({ code: 'rest_invalid_param', data: { status: 400, params } });

describe('isGone', () => {
  test.each<[string, number, unknown, boolean]>([
    ['an unknown id on most sites', 400, invalid({ id: 'Invalid parameter.' }), true],
    ['an unknown slug', 400, invalid({ slug: 'Invalid parameter.' }), true],
    ['another parameter', 400, invalid({ page: 'Invalid parameter.' }), false],
    ['an id of another type', 400, { code: 'rest-invalid-event-id' }, true],
    ['an unknown id on new sites', 404, { code: 'rest-event-not-found' }, true],
    ['no such route', 404, { code: 'rest_no_route' }, false],
    ['a 404 page', 404, undefined, false],
    ["a gateway's 404", 404, { message: 'no Route matched with those values' }, false],
    ['in the trash', 410, { code: 'event-is-in-trash' }, true],
    ['trashed, to a reader', 403, { code: 'event-no-longer-available' }, true],
    ['a draft of someone else', 403, { code: 'event-not-accessible' }, false],
    ['an event that exists', 200, { id: 4 }, false],
    ['a server error', 500, { code: 'internal_server_error' }, false],
    ['null data', 400, { code: 'rest_invalid_param', data: null }, false],
  ])('%s', (_, status, body, expected) => expect(isGone(status, body)).toBe(expected));
});

test.each([
  [200, false],
  [400, false],
  [408, true],
  [429, true],
  [500, false],
  [502, true],
  [503, true],
  [504, true],
  [519, false],
  [520, true],
  [524, true],
  [525, false],
])('isRetryable(%i) is %s', (status, expected) => {
  expect(isRetryable(status)).toBe(expected);
});

test.each<[number, unknown, boolean]>([
  [201, {}, false],
  [400, {}, false],
  [500, { code: 'duplicate_term_slug' }, false],
  [500, { code: 'internal_server_error' }, true],
  [500, undefined, false],
  [504, {}, true],
  [429, {}, true],
  [522, {}, true],
])('isUncertain(%i, %j) is %s', (status, body, expected) => expect(isUncertain(status, body)).toBe(expected));
