import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { editorsOf, redirectedId, sendForm, versionIn, type Editors } from '../../support/editors.ts';
import { tokenOf } from '../../support/site-pages.ts';

// Whatever is sent to `/edit`, the answer is a page that says what is wrong, and never a server error.

let site: TestSite;
let editors: Editors;

beforeAll(async () => {
  site = await builtinSite();
  editors = await editorsOf(site);
});
beforeEach(() => editors.renew());
afterAll(() => site.close());

const FORM = { title: 'Open garden', startDay: '2026-12-05', startTime: '15:00', do: 'publish' };
const faultsIn = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name);
const long = (length: number): string => 'x'.repeat(length);

describe('too much, or nonsense', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number, readonly string[]]>([
    ['a title of 10,000 characters', '/edit/event/new/', { ...FORM, title: long(10_000) }, 422, ['title']],
    ['a description of 900 kB', '/edit/event/new/', { ...FORM, description: long(900_000) }, 422, ['description']],
    ['a description of 2 MB', '/edit/event/new/', { ...FORM, description: long(2_000_000) }, 422, ['description']],
    ['a form of 13 MB', '/edit/event/new/', { ...FORM, description: long(13_000_000) }, 413, []],
    [
      '1,000 unknown fields',
      '/edit/event/new/',
      { ...FORM, ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`f${n}`, 'x'])) },
      303,
      [],
    ],
    [
      '1,200 tags',
      '/edit/event/new/',
      { ...FORM, tags: Array.from({ length: 1_200 }, (_, n) => n).join(',') },
      422,
      ['tags'],
    ],
    [
      '600 places',
      '/edit/event/new/',
      { ...FORM, venue: Array.from({ length: 600 }, (_, n) => `P${n}`).join('|') },
      422,
      ['venue'],
    ],
    ['a place name of 10,000 characters', '/edit/venues/new/', { venue: long(10_000), do: 'save' }, 422, ['venue']],
    [
      'a website of 10,000 characters',
      '/edit/venues/new/',
      { venue: 'x', website: `https://x.example/${long(10_000)}`, do: 'save' },
      422,
      ['website'],
    ],
    [
      'a description of an organizer of 300 kB',
      '/edit/organizers/new/',
      { organizer: 'x', description: long(300_000), do: 'save' },
      422,
      ['description'],
    ],
    ['a lone surrogate and a NUL', '/edit/event/new/', { ...FORM, title: 'a\0b\ud800' }, 303, []],
    ['a year of five digits', '/edit/event/new/', { ...FORM, startDay: '99999-01-01' }, 422, ['startDay']],
    ['the year 1', '/edit/event/new/', { ...FORM, startDay: '0001-01-01' }, 422, ['startDay']],
    ['an unknown language', '/edit/event/new/', { ...FORM, language: 'xx' }, 422, ['language']],
    ['an action named like a property of every object', '/edit/event/new/', { ...FORM, do: 'constructor' }, 400, []],
  ])('%s', async (_, path, fields, status, faults) => {
    const { browser } = await editors.signIn('editor');
    const answer = await sendForm(browser, path, fields);
    expect([answer.status, faultsIn(answer.html)]).toEqual([status, faults]);
    expect(site.errors).toEqual([]);
  });

  test('1,200 categories are refused, and what was typed is kept', async () => {
    const { browser } = await editors.signIn('editor');
    const form = new URLSearchParams({ ...FORM, token: tokenOf(await browser.get('/edit/event/new/')) });
    for (let id = 1; id <= 1_200; id += 1) form.append('categories', String(id));
    const refused = await browser.send('/edit/event/new/', form);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('value="Open garden"') as string]);
    expect(refused.html).toContain('Categories: The calendar does not accept this.');
  });

  test('a contributor, who may not upload pictures, may send only as much as text needs', async () => {
    const { browser } = await editors.signIn('contributor');
    const { status } = await sendForm(browser, '/edit/event/new/', { ...FORM, description: long(1_100_000) });
    expect(status).toBe(413);
  });
});

describe('pictures', () => {
  test.each<[string, File]>([
    ['markup named .png', new File(['<svg onload="alert(1)">'], 'x.png', { type: 'image/png' })],
    ['an HTML page named .jpg', new File(['<html><script>1</script>'], 'x.jpg', { type: 'image/jpeg' })],
    ['an SVG', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'x.svg', { type: 'image/svg+xml' })],
    ['a picture of more than 10 MB', new File([Buffer.alloc(10_500_000, 1)], 'x.png', { type: 'image/png' })],
  ])('%s is refused at the field, for events and for places', async (_, file) => {
    const { browser } = await editors.signIn('editor');
    for (const [path, fields] of [
      ['/edit/event/new/', FORM],
      ['/edit/venues/new/', { venue: 'Hall', do: 'save' }],
    ] as const) {
      const answer = await sendForm(browser, path, fields, file);
      expect([answer.status, faultsIn(answer.html)]).toEqual([422, ['image']]);
    }
    expect(site.errors).toEqual([]);
  });
});

describe('from other sites', () => {
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as const)('%j: every form is refused, even with a valid token', async (from) => {
    const { browser } = await editors.signIn('editor');
    const id = redirectedId(await sendForm(browser, '/edit/event/new/', FORM));
    const page = await browser.get(`/edit/event/${id}/`);
    const fields = { ...FORM, token: tokenOf(page), version: versionIn(page) };
    for (const [path, act] of [
      [`/edit/event/${id}/`, 'trash'],
      ['/edit/event/new/', 'publish'],
      ['/edit/venues/new/', 'save'],
      ['/edit/review/', 'refuse'],
      ['/edit/signout', 'signout'],
      ['/edit/', 'signin'],
    ] as const) {
      const form = new URLSearchParams({ ...fields, do: act });
      expect((await browser.send(path, form, from)).status).toBe(403);
    }
    expect((await site.ask(null, 'GET', `/events/${id}`)).status).toBe(200);
    expect((await browser.get('/edit/')).status).toBe(200);
  });

  test('no page can be framed, cached or indexed', async () => {
    const { browser } = await editors.signIn('editor');
    for (const path of ['/edit/', '/edit/event/new/', '/edit/review/', '/edit/venues/', '/suggest/']) {
      const { headers } = await browser.get(path);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
    }
  });
});

test.each([
  '/edit/?before=99999999999',
  '/edit/?search=%00%ff',
  '/edit/venues/?page=999999',
  '/edit/event/0/',
  '/edit/event/999999999/',
  '/edit/event/new/?suggestion=%27',
  '/edit/venues/999999999/',
  '/edit/organizers/new/?x=%ff',
  '/edit/nothing/here',
  '/edit/%2e%2e/%00',
])('%s is answered with a page, not with an error', async (path) => {
  const { browser } = await editors.signIn('editor');
  const { status, html } = await browser.get(path);
  expect([200, 404]).toContain(status);
  expect(html).toContain('<h1>');
  expect(site.errors).toEqual([]);
});
