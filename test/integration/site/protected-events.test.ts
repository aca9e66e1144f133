import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePages } from '../../../src/site/pages/handle-pages.ts';
import { siteRevision } from '../../../src/site/store/turn.ts';
import { sql } from '../../../src/db/database.ts';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';

const SECRET = 'open sesame';
const whole = {
  title: 'Secret party', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00', slug: 'secret-party', description: 'Behind the bookcase', excerpt: 'Bring cake', cost: '25', website: 'https://x.example/',
  image: 'https://x.example/pic.png', featured: true, show_map: true, categories: ['Hidden'], tags: ['whispered'], venue: { venue: 'Speakeasy' }, organizer: [{ organizer: 'Mole' }],
};
let site: TestSite;
let id: number;
let shown: Body;
const isProtected = (body: Body): boolean => body['featured'] === null;

beforeAll(async () => {
  site = await builtinSite();
  shown = (await site.ask('author', 'POST', '/events', { ...whole, categories: undefined, tags: undefined, venue: undefined, organizer: undefined })).body;
  id = shown.id;
  const { body } = await site.ask('editor', 'POST', `/events/${id}`, { ...whole, password: SECRET });
  shown = body;
});
afterAll(() => site.close());

describe('a protected event, read', () => {
  test.each([
    ['by nobody', null, '', 403], ['with the password', null, '?password=open%20sesame', 200], ['with another', null, '?password=Open%20sesame', 403], ['with an empty one', null, '?password=', 403],
    ['by an editor', 'editor', '', 403], ['by an editor who edits', 'editor', '?context=edit', 200], ['by its author who edits', 'author', '?context=edit', 200],
    ['by a stranger who wants to edit', 'contributor', '?context=edit', 403], ['by nobody who wants to edit', null, '?context=edit', 403],
  ] as const)('%s', async (_, as, query, expected) => {
    for (const path of [`/events/${id}`, '/events/by-slug/secret-party']) {
      const { status, body } = await site.ask(as, 'GET', `${path}${query}`);
      expect([status, body.code ?? body['description']]).toEqual([expected, expected === 200 ? '<p>Behind the bookcase</p>' : 'event-password-protected']);
    }
  });

  test('the password may be in a body, too', async () => {
    expect((await site.ask(null, 'POST', `/events/${id}?_method=GET`, { password: SECRET })).status).toBe(200);
  });
});

describe('a protected event in lists', () => {
  const listed = async (query: string, as: Parameters<TestSite['ask']>[0] = null) => (await site.ask(as, 'GET', `/events?${query}`)).body.events[0];

  test.each([null, 'administrator'] as const)('shows its title and times only, to %s as well', async (as) => {
    const { description, title, start_date, slug, url, rest_url, utc_start_date, timezone, status } = shown;
    const kept = { title, start_date, slug, url, rest_url, utc_start_date, timezone, status, id };
    expect(description).not.toBe('');
    expect(await listed('', as)).toMatchObject({
      ...kept, description: '', excerpt: '', cost: '', website: '', image: false, all_day: null, show_map: null, show_map_link: null, hide_from_listings: null, sticky: null, featured: null,
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] }, categories: [], tags: [], venue: [], organizer: [], custom_fields: [],
    });
    expect(JSON.stringify(await listed('', as))).not.toMatch(/bookcase|cake|Speakeasy|Mole|Hidden|whispered|pic/);
  });

  test('is unlocked by its password', async () => {
    const { json_ld: _, ...asWritten } = shown;
    expect(await listed(`password=${SECRET}`)).toEqual(asWritten);
    expect(isProtected((await listed('password=other'))!)).toBe(true);
  });

  test('a search does not find it for strangers, whatever they search', async () => {
    const found = async (as: Parameters<TestSite['ask']>[0], search: string) => (await site.ask(as, 'GET', `/events?search=${search}`)).body['total'];
    expect([await found(null, 'bookcase'), await found(null, 'party'), await found('subscriber', 'bookcase'), await found('editor', 'bookcase')]).toEqual([0, 0, 1, 1]);
  });

  test('what it has is not told by the lists of venues, organizers and terms', async () => {
    const told = async (as: Parameters<TestSite['ask']>[0]) => Promise.all([`/venues?event=${id}`, `/organizers?event=${id}`, `/categories?event=${id}`, `/tags?post=${id}`].map(async (path) => (await site.ask(as, 'GET', path)).body['total']));
    expect([await told(null), await told('editor')]).toEqual([[0, 0, 0, 0], [1, 1, 1, 1]]);
  });
});

test('is not embedded, and no page tells what it says', async () => {
  expect((await site.ask(null, 'GET', `/api/oembed/1.0/embed?url=${encodeURIComponent(String(shown['url']))}`)).status).toBe(404);
  const pages = makePages({ settings: site.settings, rest: site.handle, revision: () => siteRevision(site.db), now: () => site.clock.now });
  for (const path of ['/', '/?month=2027-01', '/month/2027-01/', '/list/', '/event/secret-party/', '/event/secret-party/embed/', '/category/hidden/', '/tag/whispered/', '/venue/speakeasy/', '/organizer/mole/']) {
    const text = await (await pages(new Request(`https://site.example${path}`))).text();
    expect(text).not.toMatch(/bookcase|cake|pic\.png/);
  }
});

describe('the password of an event', () => {
  test('is not kept as it is, and shown nowhere', async () => {
    const { rows } = await sql<{ password: string }>`select password from site.events where id = ${id}`.execute(site.db);
    expect(rows[0]!.password).toMatch(/^[0-9a-f]{24}:[0-9a-f]{64}$/);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown).not.toHaveProperty('password');
  });

  test('is left alone by updates that do not name it, by id and by slug; their answers are whole', async () => {
    const { body } = await site.ask('editor', 'POST', `/events/${id}`, { title: 'Secret party' });
    expect([body['description'], isProtected(body)]).toEqual(['<p>Behind the bookcase</p>', false]);
    expect((await site.ask(null, 'GET', `/events/${id}`)).status).toBe(403);
  });

  test.each(['id', 'slug'])('is set and removed by %s, by who may edit the event', async (by) => {
    const { body: event } = await site.ask('author', 'POST', '/events', { title: 'Mine', start_date: '2027-02-01 10:00', end_date: '2027-02-01 11:00' });
    const path = by === 'id' ? `/events/${event.id}` : `/events/by-slug/${String(event['slug'])}`;
    expect((await site.ask('contributor', 'POST', path, { password: 'mine' })).status).toBe(403);
    expect((await site.ask(null, 'POST', path, { password: 'mine' })).status).toBe(401);
    expect((await site.ask(null, 'GET', path)).status).toBe(200);
    expect((await site.ask('author', 'POST', path, { password: 'mine' })).status).toBe(200);
    expect((await site.ask(null, 'GET', path)).status).toBe(403);
    expect((await site.ask(null, 'GET', `${path}?password=mine`)).status).toBe(200);
    expect((await site.ask('author', 'POST', path, { password: '' })).status).toBe(200);
    expect((await site.ask(null, 'GET', path)).status).toBe(200);
    expect((await site.ask('author', 'DELETE', path)).status).toBe(200);
  });

  test('is no longer than 255 characters', async () => {
    const refused = await site.ask('editor', 'POST', `/events/${id}`, { password: 'x'.repeat(256), title: 'Changed' });
    expect([refused.status, refused.body.data['params']]).toEqual([400, { password: 'Invalid parameter.' }]);
    expect((await site.ask('editor', 'GET', `/events/${id}?context=edit`)).body['title']).toBe('Secret party');
  });

  test('does not keep who may from deleting; the answer is whole', async () => {
    const { status, body } = await site.ask('editor', 'DELETE', `/events/${id}`);
    expect([status, body['description'], body['status']]).toEqual([200, '<p>Behind the bookcase</p>', 'trash']);
  });
});
