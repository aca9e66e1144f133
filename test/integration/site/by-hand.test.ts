import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resetAccountPassword } from '../../../src/site/authorize/accounts.ts';
import type { Role } from '../../../src/site/context.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { png } from '../../support/pictures.ts';
import { pagesOf, tokenOf, type Browser, type Shown } from '../../support/site-pages.ts';

let site: TestSite;
let open: (peer?: string) => Browser;
const passwords = new Map<Role, string>();

beforeAll(async () => {
  site = await builtinSite();
  for (const role of ['editor', 'author', 'contributor', 'subscriber'] as const)
    passwords.set(role, (await resetAccountPassword(site.db, role)).password);
});
beforeEach(() => {
  open = pagesOf(site);
});
afterAll(() => site.close());

async function signIn(role: Role): Promise<{ readonly browser: Browser; readonly done: Shown }> {
  const browser = open();
  const token = tokenOf(await browser.get('/edit/'));
  const done = await browser.post('/edit/signin', {
    token,
    login: role,
    password: passwords.get(role) ?? '',
    next: '/',
  });
  return { browser, done };
}

const FORM = { title: 'Open garden', startDay: '2026-12-05', startTime: '15:00', endTime: '17:00' };

/** Sends a form of a page, as somebody who has just opened it. */
async function send(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Shown> {
  const page = await browser.get(path);
  const version = /name="version" value="([^"]+)"/.exec(page.html)?.[1];
  return browser.post(path, { token: tokenOf(page), ...(version !== undefined && { version }), ...fields });
}
const idOf = ({ headers }: Shown): number => Number(/\/event\/(\d+)\//.exec(headers.get('location') ?? '')?.[1]);

describe('signing in', () => {
  test.each([
    ['editor', 303],
    ['author', 303],
    ['contributor', 303],
    ['subscriber', 403],
  ] as const)('%s: %i', async (role, status) => {
    expect((await signIn(role)).done.status).toBe(status);
  });

  test('nobody else sees a page, and no form of theirs does anything', async () => {
    expect((await open().get('/edit/event/new/')).status).toBe(401);
    const stranger = open();
    await stranger.get('/edit/');
    expect((await stranger.post('/edit/event/new/', { ...FORM, do: 'publish' })).status).toBe(401);
  });
});

describe('what each may do with an event of their own', () => {
  test.each([
    ['editor', 'publish', 'publish'],
    ['editor', 'draft', 'draft'],
    ['author', 'publish', 'publish'],
    ['author', 'pending', 'pending'],
    ['contributor', 'draft', 'draft'],
    ['contributor', 'pending', 'pending'],
    ['contributor', 'publish', 'pending'],
  ] as const)('%s, who presses %s: %s', async (role, act, state) => {
    const { browser } = await signIn(role);
    const done = await send(browser, '/edit/event/new/', { ...FORM, do: act });
    expect(done.status).toBe(303);
    const { body } = await site.ask('editor', 'GET', `/events/${idOf(done)}`);
    expect([body['status'], body['title'], body['start_date'], body['end_date']]).toEqual([
      state,
      FORM.title,
      '2026-12-05 15:00:00',
      '2026-12-05 17:00:00',
    ]);
    expect((await browser.get('/edit/')).html).toContain(`/edit/event/${idOf(done)}/`);
  });

  test('its picture, place and people come with it', async () => {
    const { browser } = await signIn('editor');
    const form = new FormData();
    const fields = {
      ...FORM,
      venue: 'Town garden',
      organizer: 'Friends of trees',
      cost: 'Free',
      tags: 'trees, spring',
    };
    for (const [name, value] of Object.entries({ ...fields, do: 'publish' })) form.set(name, value);
    form.set('token', tokenOf(await browser.get('/edit/event/new/')));
    form.set('image', new File([Buffer.from(png(40, 30, 1))], 'my garden.png'));
    const done = await browser.post('/edit/event/new/', form);
    const { body } = await site.ask(null, 'GET', `/events/${idOf(done)}`);
    expect(body).toMatchObject({
      venue: { venue: 'Town garden' },
      organizer: [{ organizer: 'Friends of trees' }],
      cost: 'Free',
      tags: [{ name: 'spring' }, { name: 'trees' }],
      image: {
        url: expect.stringMatching(/^https:\/\/site\.example\/media\/.*\/my-garden\.png$/) as string,
        width: 40,
      },
    });
    const again = await send(browser, '/edit/event/new/', { ...fields, do: 'publish' });
    const other = await site.ask(null, 'GET', `/events/${idOf(again)}`);
    expect(other.body.venue.id).toBe(body.venue.id);
  });
});

describe('other people’s events', () => {
  test.each(['author', 'contributor'] as const)('%s: not there, and no form changes them', async (role) => {
    const { body } = await site.ask('editor', 'POST', '/events', {
      title: 'Of the editor',
      start_date: '2026-12-01 10:00:00',
      end_date: '2026-12-01 11:00:00',
      status: 'publish',
    });
    const { browser } = await signIn(role);
    const token = tokenOf(await browser.get('/edit/event/new/'));
    const path = `/edit/event/${body.id}/`;
    expect((await browser.get(path)).status).toBe(404);
    for (const act of ['save', 'draft', 'trash'])
      expect((await browser.post(path, { ...FORM, token, do: act })).status).toBe(404);
    expect((await site.ask(null, 'GET', `/events/${body.id}`)).body['title']).toBe('Of the editor');
  });
});

test('a form that is refused keeps what was typed, and says why at its field', async () => {
  const { browser } = await signIn('author');
  const typed = { title: '', startDay: '2026-02-30', startTime: '25:00', website: 'nowhere', description: 'Kept.' };
  const { status, html } = await send(browser, '/edit/event/new/', { ...typed, do: 'publish' });
  expect(status).toBe(422);
  expect([...html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name)).toEqual([
    'title',
    'startDay',
    'startTime',
    'website',
  ]);
  expect(html).toMatch(/Kept\.<\/textarea>/);
  expect(html).toContain('value="2026-02-30"');
});

test('only editors make new tags: others are told so at the field', async () => {
  const { browser } = await signIn('author');
  const { status, html } = await send(browser, '/edit/event/new/', { ...FORM, tags: 'never seen', do: 'publish' });
  expect([status, html]).toEqual([422, expect.stringContaining('id="tags-fault"') as string]);
});

test('two at once: the second sees both, and decides', async () => {
  const { browser } = await signIn('editor');
  const id = idOf(await send(browser, '/edit/event/new/', { ...FORM, do: 'publish' }));
  const path = `/edit/event/${id}/`;
  const page = await browser.get(path);
  const version = /name="version" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  const change = { ...FORM, endDay: '2026-12-05', language: 'en', token: tokenOf(page), version, do: 'save' };
  expect((await browser.post(path, { ...change, title: 'First' })).status).toBe(303);
  const refused = await browser.post(path, { ...change, title: 'Second' });
  expect(refused.status).toBe(409);
  expect(refused.html).toMatch(/<th scope="row">Title<\/th><td>First<\/td><td>Second<\/td>/);
  const version2 = /name="version" value="([^"]+)"/.exec(refused.html)?.[1] ?? '';
  expect((await browser.post(path, { ...change, version: version2, title: 'Second' })).status).toBe(303);
  expect((await site.ask(null, 'GET', `/events/${id}`)).body['title']).toBe('Second');
});

test('a forged form does nothing', async () => {
  const { browser } = await signIn('editor');
  const other = (await signIn('author')).browser;
  const token = tokenOf(await other.get('/edit/event/new/'));
  expect((await browser.post('/edit/event/new/', { ...FORM, token, do: 'publish' })).status).toBe(403);
  expect((await browser.post('/edit/event/new/', { ...FORM, do: 'publish' })).status).toBe(403);
});

test('markup in any field is text, or safe', async () => {
  const { browser } = await signIn('editor');
  const evil = '<script>alert(1)</script><b>x</b>';
  const fields = { title: evil, venue: evil, organizer: evil, tags: evil, cost: evil, description: evil };
  const id = idOf(await send(browser, '/edit/event/new/', { ...FORM, ...fields, do: 'publish' }));
  const { body } = await site.ask(null, 'GET', `/events/${id}`);
  expect(JSON.stringify([body['description'], body['title'], body.venue['venue']])).not.toContain('<script');
  for (const { html } of [await browser.get(`/edit/event/${id}/`), await browser.get('/edit/')])
    expect(html).not.toContain('<script>alert');
});

test('trash, and back as a draft', async () => {
  const { browser } = await signIn('author');
  const id = idOf(await send(browser, '/edit/event/new/', { ...FORM, do: 'publish' }));
  expect((await send(browser, `/edit/event/${id}/`, { do: 'trash' })).headers.get('location')).toContain('list=trash');
  const page = await browser.get('/edit/?list=trash');
  const done = await browser.post('/edit/', { token: tokenOf(page), do: 'restore', id: String(id) });
  expect(idOf(done)).toBe(id);
  expect((await site.ask('editor', 'GET', `/events/${id}`)).body['status']).toBe('draft');
});
