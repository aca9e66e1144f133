import { expect, test } from 'vitest';
import { rootNamedBy, routeAddress } from '../../../src/client/address.ts';

test.each([
  ['https://a.example/wp-json', '/', 'https://a.example/wp-json/'],
  ['https://a.example/wp-json/', '/tribe/events/v1/events', 'https://a.example/wp-json/tribe/events/v1/events'],
  ['https://a.example/wp-json//#top', '/x?_fields=id', 'https://a.example/wp-json/x?_fields=id&page=2'],
  [
    'https://a.example/?rest_route=/',
    '/tribe/events/v1/events',
    'https://a.example/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents',
  ],
  ['https://a.example/blog/index.php?rest_route=/', '/', 'https://a.example/blog/index.php?rest_route=%2F'],
  ['https://a.example', '/by-slug/caf%C3%A9', 'https://a.example/by-slug/caf%C3%A9'],
])('the root %s with the path %s', (root, path, expected) => {
  const query = expected.includes('page=2') ? { page: '2' } : {};
  expect(routeAddress(root, path, query).href).toBe(expected);
});

const page = new URL('https://a.example/blog/');
test.each<[string, Record<string, string>, string, string | undefined]>([
  ['a header', { link: '<https://a.example/wp-json/>; rel="https://api.w.org/"' }, '', 'https://a.example/wp-json/'],
  [
    'a header among others',
    { link: '<https://a.example/?p=5>; rel=shortlink, <https://a.example/wp-json/>; rel="https://api.w.org/"' },
    '',
    'https://a.example/wp-json/',
  ],
  [
    'a header with plain permalinks',
    { link: '<https://a.example/index.php?rest_route=/>; rel="https://api.w.org/"' },
    '',
    'https://a.example/index.php?rest_route=/',
  ],
  [
    'an element',
    {},
    `<head><link rel='https://api.w.org/' href='https://a.example/wp-json/' /></head>`,
    'https://a.example/wp-json/',
  ],
  [
    'an element, relative, attributes swapped',
    {},
    '<link href="../wp-json/?a=1&amp;b=2" rel="https://api.w.org/">',
    'https://a.example/wp-json/?a=1&b=2',
  ],
  [
    'the header first',
    { link: '<https://a.example/one/>; rel="https://api.w.org/"' },
    '<link rel="https://api.w.org/" href="/two/">',
    'https://a.example/one/',
  ],
  [
    'another relation only',
    { link: '<https://a.example/wp-json/>; rel="alternate"' },
    '<link rel="alternate" href="/x">',
    undefined,
  ],
  ['none', {}, '<html></html>', undefined],
])('the root named by %s', (_, headers, html, expected) => {
  expect(rootNamedBy(new Headers(headers), html, page)?.href).toBe(expected);
});
