import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';

// The double of a real site behaves as the recordings show. Names are those of contract.md, section 15 and its tables.

const NOW = Date.parse('2026-11-20T10:41:00Z');
let site: RealSite;
let clock: number;
beforeEach(async () => {
  clock = NOW;
  site = await realSite({ now: () => clock });
});
afterEach(() => site.close());

type Body = Record<string, unknown>;
interface Got {
  readonly status: number;
  readonly body: Body;
}

async function ask(method: string, path: string, body?: unknown, as: 'editor' | 'nobody' = 'editor'): Promise<Got> {
  const { username, applicationPassword } = site.credentials;
  const headers = {
    ...(as === 'editor' ? { authorization: `Basic ${btoa(`${username}:${applicationPassword}`)}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${site.root}${path.startsWith('/batch') ? '' : `/${site.namespace}`}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const EVENT = { title: 'Koncert', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
const create = async (more: Body = {}): Promise<Body> => (await ask('POST', '/events', { ...EVENT, ...more })).body;
const codeOf = ({ status, body }: Got): unknown[] => [
  status,
  body['code'],
  ...((body['data'] as { params?: Body } | null)?.params
    ? [Object.keys((body['data'] as { params: Body }).params)]
    : []),
];

describe('creating an event', () => {
  test('answers with every field of the representation', async () => {
    expect(await create()).toMatchObject({
      status: 'publish',
      date: '2026-11-20 11:41:00',
      date_utc: '2026-11-20 10:41:00',
      slug: 'koncert',
      image: false,
      all_day: false,
      timezone: 'Europe/Warsaw',
      timezone_abbr: 'CET',
      utc_start_date: '2027-01-10 17:00:00',
      start_date_details: { year: '2027', month: '01', day: '10', hour: '18', minutes: '00', seconds: '00' },
      cost: '',
      cost_details: { values: [] },
      website: `${site.home}/event/koncert/`,
      venue: [],
      organizer: [],
      custom_fields: [],
    });
  });
  test.each<[string, Body, Body]>([
    [
      'renders titles',
      { title: `Jazz & "Blues" -- it's on...` },
      { title: 'Jazz &#038; &#8220;Blues&#8221; &#8212; it&#8217;s on&#8230;' },
    ],
    ['wraps paragraphs', { description: 'one\ntwo\n\nthree' }, { description: '<p>one<br />\ntwo</p>\n<p>three</p>' }],
    ['leaves existing paragraphs alone', { description: '<p>Opis</p>' }, { description: '<p>Opis</p>' }],
    ['loses backslashes', { title: 'Path C:\\temp' }, { title: 'Path C:temp', slug: 'path-ctemp' }],
    ['transliterates slugs', { title: 'ąę łódź 25.50' }, { slug: 'ae-lodz-25-50' }],
    [
      'drops offsets',
      { start_date: '2027-01-10T18:00:00+05:00', end_date: '2027-01-10T20:00:00Z' },
      { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00', utc_start_date: '2027-01-10 17:00:00' },
    ],
    [
      'lets whole days begin at midnight and end a second before it',
      { all_day: true, start_date: '2027-05-01', end_date: '2027-05-03' },
      { start_date: '2027-05-01 00:00:00', end_date: '2027-05-03 23:59:59', utc_end_date: '2027-05-03 21:59:59' },
    ],
    [
      'corrects an end before the start in local time only',
      { end_date: '2027-01-10 17:00:00' },
      { end_date: '2027-01-10 18:00:00', utc_end_date: '2027-01-10 16:00:00' },
    ],
    [
      'moves a time that the clocks skip',
      { start_date: '2027-03-28 02:30:00', end_date: '2027-03-28 04:00:00' },
      { start_date: '2027-03-28 03:30:00', utc_start_date: '2027-03-28 01:30:00' },
    ],
    [
      'takes the second of two equal times east of Greenwich',
      { start_date: '2027-10-31 02:30:00', end_date: '2027-10-31 04:00:00' },
      { utc_start_date: '2027-10-31 01:30:00' },
    ],
    [
      'takes the first of two equal times west of Greenwich',
      { timezone: 'America/New_York', start_date: '2027-11-07 01:30:00', end_date: '2027-11-07 04:00:00' },
      { utc_start_date: '2027-11-07 05:30:00' },
    ],
    [
      'moves a time that the clocks skip west of Greenwich, too',
      { timezone: 'America/New_York', start_date: '2027-03-14 02:30:00', end_date: '2027-03-14 04:00:00' },
      { start_date: '2027-03-14 03:30:00', utc_start_date: '2027-03-14 07:30:00' },
    ],
    [
      'splits costs into value and currency',
      { cost: '25 zł' },
      {
        cost: '25zł',
        cost_details: { currency_symbol: 'zł', currency_code: '', currency_position: 'postfix', values: ['25'] },
      },
    ],
    ['drops a cost of zero', { cost: '0' }, { cost: '' }],
    ['escapes the website', { website: 'https://x.example/?a=1&b=2' }, { website: 'https://x.example/?a=1&amp;b=2' }],
    [
      'gives a draft no slug and no date',
      { status: 'draft' },
      { slug: '', date_utc: '0000-00-00 00:00:00', url: expect.stringContaining('?post_type=tribe_events&p=') },
    ],
  ])('%s', async (_, given, expected) => expect(await create(given)).toMatchObject(expected));

  test('with an existing slug numbers it', async () => {
    expect([
      (await create({ slug: 'x' }))['slug'],
      (await create({ slug: 'x' }))['slug'],
      (await create({ slug: 'x' }))['slug'],
    ]).toEqual(['x', 'x-2', 'x-3']);
  });
  test.each<[Body, unknown[]]>([
    [{ title: null }, [400, 'rest_missing_callback_param', ['0']]],
    [{ title: '' }, [400, 'rest_invalid_param', ['title']]],
    [{ description: '' }, [400, 'rest_invalid_param', ['description']]],
    [{ start_date: 1799600400 }, [400, 'rest_invalid_param', ['start_date']]],
    [{ timezone: 'Mars/Olympus' }, [400, 'rest_invalid_param', ['timezone']]],
    [{ image: '' }, [400, 'rest_invalid_param', ['image']]],
    [{ venue: 99999 }, [400, 'rest_invalid_param', ['venue']]],
    [{ venue: [7] }, [400, 'could-not-create-venue']],
    [{ organizer: { organizer: 'Solo' } }, [400, 'could-not-create-organizer']],
  ])('refuses %j', async (given, expected) =>
    expect(codeOf(await ask('POST', '/events', { ...EVENT, ...given }))).toEqual(expected),
  );
  test('checks its fields before the rights', async () => {
    expect([
      codeOf(await ask('POST', '/events', {}, 'nobody'))[0],
      codeOf(await ask('POST', '/events', EVENT, 'nobody')),
    ]).toEqual([400, [401, 'rest_forbidden']]);
  });
});

describe('updating an event', () => {
  const full = async (): Promise<Body> => {
    site.images.add('https://site.example/pic.png');
    const venue = (await ask('POST', '/venues', { venue: 'Hala' })).body['id'];
    const organizer = (await ask('POST', '/organizers', { organizer: 'Fundacja' })).body['id'];
    return create({
      description: '<p>Opis</p>',
      timezone: 'America/New_York',
      cost: '25',
      website: 'https://x.example/',
      image: 'https://site.example/pic.png',
      venue,
      organizer: [organizer],
      status: 'draft',
      featured: true,
      show_map: true,
      date: '2024-01-01 10:00:00',
    });
  };
  test.each(['POST', 'PUT', 'PATCH'])('by %s resets fields that it does not name', async (method) => {
    const { id } = await full();
    expect((await ask(method, `/events/${String(id)}`, { title: 'Nowy' })).body).toMatchObject({
      title: 'Nowy',
      description: '<p>Opis</p>',
      status: 'publish',
      date: '2026-11-20 11:41:00',
      timezone: 'Europe/Warsaw',
      start_date: '2027-01-10 18:00:00',
      utc_start_date: '2027-01-10 23:00:00',
      cost: '',
      website: '',
      image: false,
      organizer: [],
      featured: false,
      show_map: false,
      venue: { venue: 'Hala' },
    });
  });
  test('cannot remove the venue', async () => {
    const { id } = await full();
    for (const venue of [null, '', 0, [], false])
      expect((await ask('POST', `/events/${String(id)}`, { venue })).body['venue']).toMatchObject({ venue: 'Hala' });
  });
  test('ignores a start without an end', async () => {
    const { id } = await create();
    expect((await ask('POST', `/events/${String(id)}`, { start_date: '2027-02-02 18:00:00' })).body['start_date']).toBe(
      '2027-01-10 18:00:00',
    );
  });
  test('keeps an existing slug, and numbers one that is taken', async () => {
    await create({ slug: 'taken' });
    const { id } = await create({ slug: 'mine' });
    expect((await ask('POST', `/events/${String(id)}`, { title: 'Other' })).body['slug']).toBe('mine');
    expect((await ask('POST', `/events/${String(id)}`, { slug: 'taken' })).body['slug']).toBe('taken-2');
  });
  test('keeps a cost of zero', async () => {
    const { id } = await create();
    expect((await ask('POST', `/events/${String(id)}`, { cost: '0' })).body['cost']).toBe('Free');
  });
  test('changes the event whose id is in the body', async () => {
    const [first, second] = [await create(), await create()];
    expect(
      (await ask('PATCH', `/events/${String(second['id'])}`, { id: first['id'], title: 'Which?' })).body['id'],
    ).toBe(first['id']);
  });
  test('with an unknown slug is a 404, and on old sites a 200 with the error in the body', async () => {
    expect(codeOf(await ask('PUT', '/events/by-slug/none', EVENT))).toEqual([404, 'rest-event-not-found']);
    await site.close();
    site = await realSite({ isOld: true });
    expect(await ask('PUT', '/events/by-slug/none', EVENT)).toEqual({
      status: 200,
      body: { errors: { 'event-not-found': [expect.any(String)] }, error_data: [] },
    });
  });
});

describe('trash', () => {
  test('renames the slug, so that another event can take it', async () => {
    const { id } = await create({ slug: 'gone' });
    expect((await ask('DELETE', `/events/${String(id)}`)).body).toMatchObject({
      status: 'trash',
      slug: 'gone__trashed',
    });
    expect(codeOf(await ask('DELETE', `/events/${String(id)}`))).toEqual([410, 'event-is-in-trash']);
    expect(codeOf(await ask('GET', `/events/${String(id)}`))).toEqual([403, 'event-no-longer-available']);
    expect(codeOf(await ask('GET', '/events/by-slug/gone'))).toEqual([400, 'rest_invalid_param', ['slug']]);
    expect((await create({ slug: 'gone' }))['slug']).toBe('gone');
    expect((await ask('POST', `/events/${String(id)}`, { title: 'Wskrzeszone' })).body).toMatchObject({
      status: 'publish',
      slug: 'gone-2',
    });
  });
  test('of a venue removes it from its events for good', async () => {
    const venue = (await ask('POST', '/venues', { venue: 'Hala' })).body['id'];
    const { id } = await create({ venue });
    await ask('DELETE', `/venues/${String(venue)}`);
    await ask('POST', `/venues/${String(venue)}`, {});
    expect((await ask('GET', `/events/${String(id)}`)).body['venue']).toEqual([]);
  });
  test('can be read by editors on old sites', async () => {
    await site.close();
    site = await realSite({ isOld: true });
    const { id } = await create({ slug: 'gone' });
    await ask('DELETE', `/events/${String(id)}`);
    expect((await ask('GET', `/events/${String(id)}`)).body).toMatchObject({ status: 'trash', slug: 'gone__trashed' });
    expect(codeOf(await ask('GET', '/events/999999'))).toEqual([400, 'rest_invalid_param', ['id']]);
  });
});

describe('lists', () => {
  const titles = async (query: string, as: 'editor' | 'nobody' = 'editor'): Promise<unknown> =>
    ((await ask('GET', `/events?${query}`, undefined, as)).body['events'] as Body[]).map(({ slug }) => slug);

  test('have at most 50 items a page, and answer 404 after the last', async () => {
    for (let at = 0; at < 51; at += 1) site.person.addEvent({ ...EVENT, slug: `e${at}` });
    const first = await ask('GET', '/events?per_page=100');
    expect([(first.body['events'] as unknown[]).length, first.body['total'], first.body['total_pages']]).toEqual([
      50, 51, 2,
    ]);
    expect(first.body['next_rest_url']).toMatch(/page=2$/);
    expect(codeOf(await ask('GET', '/events?per_page=100&page=3'))).toEqual([404, 'event-archive-page-not-found']);
    expect(codeOf(await ask('GET', '/events?per_page=0'))).toEqual([400, 'rest_invalid_param', ['per_page']]);
  });
  test('cover a period that `starts_after` lifts and `include` does not', async () => {
    for (const [slug, day] of [
      ['past', '2026-11-01'],
      ['today', '2026-11-20'],
      ['far', '2029-01-01'],
    ])
      await create({ slug, start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` });
    expect(await titles('')).toEqual(['today']);
    expect(
      await titles(
        `include=${site.person
          .events()
          .map(({ id }) => id)
          .join(',')}`,
      ),
    ).toEqual(['today']);
    expect(await titles('starts_after=1971-01-01')).toEqual(['past', 'today', 'far']);
  });
  test('omit hidden events, which can still be read by id', async () => {
    const { id } = await create({ hide_from_listings: true });
    expect([await titles('starts_after=1971-01-01'), (await ask('GET', `/events/${String(id)}`)).status]).toEqual([
      [],
      200,
    ]);
  });
  test('show drafts to editors only', async () => {
    await create({ slug: 'draft', status: 'draft' });
    expect([await titles(''), await titles('', 'nobody')]).toEqual([['draft'], []]);
    expect((await ask('GET', '/events?status=draft', undefined, 'nobody')).status).toBe(400);
  });
  test('of terms hide unused ones, and are empty after the last page', async () => {
    await ask('POST', '/tags', { name: 'a & b' });
    expect((await ask('GET', '/tags')).body['tags']).toEqual([]);
    expect((await ask('GET', '/tags?hide_empty=false')).body['tags']).toMatchObject([
      { name: 'a &amp; b', slug: 'a-b' },
    ]);
    expect(await ask('GET', '/tags?hide_empty=false&page=9')).toMatchObject({ status: 200, body: { tags: [] } });
  });
  test('of venues report wrong totals when a search finds nothing', async () => {
    site.person.addVenue({ venue: 'Hala' });
    expect((await ask('GET', '/venues?search=zzz')).body).toMatchObject({ venues: [], total: 1, total_pages: 1 });
  });
  test('can be stale', async () => {
    site.freezeLists();
    const { id } = await create({ slug: 'new' });
    expect([await titles(''), (await ask('GET', `/events/${String(id)}`)).status]).toEqual([[], 200]);
    site.thawLists();
    expect(await titles('')).toEqual(['new']);
  });
});

describe('venues, organizers and terms', () => {
  test('an existing title is used again, and its data are overwritten', async () => {
    const first = (await ask('POST', '/venues', { venue: 'Klub Żak', city: 'Gdańsk' })).body;
    const second = await ask('POST', '/venues', { venue: 'klub zak', city: 'Sopot' });
    expect(second).toMatchObject({ status: 201, body: { id: first['id'], city: 'Sopot', venue: 'Klub Żak' } });
    expect((await create({ venue: { venue: 'Klub Żak', city: 'Hel' } }))['venue']).toMatchObject({
      id: first['id'],
      city: 'Hel',
    });
  });
  test('another description makes another venue', async () => {
    await ask('POST', '/venues', { venue: 'Hala', description: 'one' });
    expect((await ask('POST', '/venues', { venue: 'Hala', description: 'two' })).body['slug']).toBe('hala-2');
  });
  test('empty values are omitted', async () => {
    expect(Object.keys((await ask('POST', '/organizers', { organizer: 'A & B' })).body)).not.toContain('email');
  });
  test('an existing tag given by name becomes a tag named after its id; one given by id stays', async () => {
    const id = (await ask('POST', '/tags', { name: 'koncert' })).body['id'] as number;
    const named = async (tags: unknown): Promise<unknown> =>
      ((await create({ tags }))['tags'] as Body[]).map(({ name }) => name);
    expect([await named([id]), await named(['koncert']), await named(['swiezy'])]).toEqual([
      ['koncert'],
      [String(id)],
      ['swiezy'],
    ]);
  });
  test('a new term with an existing name is refused with the id of that one', async () => {
    const { id } = (await ask('POST', '/categories', { name: 'Muzyka' })).body;
    expect(await ask('POST', '/categories', { name: 'muzyka' })).toMatchObject({
      status: 400,
      body: { code: 'term_exists', data: { term_id: id } },
    });
  });
  test('terms cannot be read by slug', async () =>
    expect(codeOf(await ask('GET', '/categories/by-slug/muzyka'))).toEqual([404, 'rest_no_route']));
});

test('calendar routes cannot be batched', async () => {
  const { status, body } = await ask('POST', '/batch/v1', {
    requests: [{ method: 'POST', path: `/${site.namespace}/events`, body: EVENT }],
  });
  expect([status, body['responses']]).toEqual([
    207,
    [{ status: 400, body: expect.objectContaining({ code: 'rest_batch_not_allowed' }), headers: expect.anything() }],
  ]);
  expect(site.person.events()).toEqual([]);
});

test('ids are assigned again after a restore', async () => {
  const backup = site.backup();
  const { id } = await create({ slug: 'lost' });
  site.restore(backup);
  expect((await ask('GET', `/events/${String(id)}`)).status).toBe(404);
  expect((await create({ slug: 'stranger' }))['id']).toBe(id);
});

test('a wrong password is refused even where none is needed', async () => {
  const response = await fetch(`${site.root}/${site.namespace}/events`, {
    headers: { authorization: `Basic ${btoa('editor:wrong')}` },
  });
  expect([response.status, ((await response.json()) as Body)['code']]).toEqual([401, 'incorrect_password']);
});

// As in recordings 420 to 427 (access), and as contract.md describes the roles in sections 2.7 and 6.
describe('answers as each role does', () => {
  const allowed = async (path: string, method = 'GET', body?: unknown): Promise<[number, string | null]> => {
    const { username, applicationPassword } = site.credentials;
    const headers = {
      authorization: `Basic ${btoa(`${username}:${applicationPassword}`)}`,
      'content-type': 'application/json',
    };
    const response = await fetch(`${site.root}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [response.status, response.headers.get('allow')];
  };
  test.each([
    { role: 'editor', events: 'GET, POST', categories: 'GET, POST', tags: 'GET, POST', publishes: true },
    { role: 'author', events: 'GET, POST', categories: 'GET, POST', tags: 'GET', publishes: true },
    { role: 'contributor', events: 'GET, POST', categories: 'GET', tags: 'GET', publishes: undefined },
    { role: 'subscriber', events: 'GET', categories: 'GET', tags: 'GET', publishes: undefined },
  ] as const)(
    '$role: the methods that its routes allow, and its capabilities',
    async ({ role, events, categories, tags, publishes }) => {
      site.setRole(role);
      for (const [resource, methods] of Object.entries({ events, categories, tags }))
        expect(await allowed(`/${site.namespace}/${resource}`)).toEqual([200, methods]);
      const { username, applicationPassword } = site.credentials;
      const me = await fetch(`${site.root}/wp/v2/users/me?context=edit&_fields=capabilities`, {
        headers: { authorization: `Basic ${btoa(`${username}:${applicationPassword}`)}` },
      });
      const { capabilities } = (await me.json()) as { capabilities: Body };
      expect(capabilities['publish_tribe_events']).toBe(publishes);
      expect((await fetch(`${site.root}/wp/v2/users/me?context=edit`)).status).toBe(401);
    },
  );
  test.each<[string, Body, unknown[]]>([
    [
      'an event that it publishes is pending and has no slug',
      { status: 'publish', slug: 'koncert' },
      [201, 'pending', ''],
    ],
    ['an event without a status is a draft', {}, [201, 'draft', '']],
    ['a draft keeps its slug', { status: 'draft', slug: 'koncert' }, [201, 'draft', 'koncert']],
    ['the address of an image is refused', { image: 'https://pictures.example/a.png' }, [400, undefined, undefined]],
  ])('contributor: %s', async (_, more, expected) => {
    site.images.add('https://pictures.example/a.png');
    site.setRole('contributor');
    const { status, body } = await ask('POST', '/events', { ...EVENT, ...more });
    expect([status, body['status'], body['slug']]).toEqual(expected);
  });
  test('contributor: cannot change its published event by id, and unpublishes it by slug', async () => {
    const { id } = await create({ slug: 'koncert' });
    site.setRole('contributor');
    expect(await allowed(`/${site.namespace}/events/${String(id)}`, 'POST', { title: 'Other' })).toEqual([403, 'GET']);
    const { status, body } = await ask('POST', '/events/by-slug/koncert', { title: 'Other', status: 'publish' });
    expect([status, body['id'], body['status'], body['slug']]).toEqual([200, id, 'pending', '']);
    site.setRole('editor');
    expect((await ask('POST', `/events/${String(id)}`, { status: 'publish', slug: 'koncert' })).body).toMatchObject({
      status: 'publish',
      slug: 'koncert',
    });
  });
  test('contributor: on old sites, changes events that others have published, by id too', async () => {
    await site.close();
    site = await realSite({ now: () => clock, isOld: true });
    const { id } = await create({ slug: 'koncert' });
    site.setRole('contributor');
    expect((await ask('POST', `/events/${String(id)}`, { title: 'Other' })).body).toMatchObject({
      status: 'draft',
      slug: 'koncert',
    });
    expect(await allowed(`/${site.namespace}/categories`)).toEqual([200, 'GET, POST']);
  });
  test('author: publishes, and cannot change events of others', async () => {
    const { id } = await create({ slug: 'koncert' });
    site.person.edit('koncert', { author: '9' });
    site.setRole('author');
    expect((await ask('POST', '/events', { ...EVENT, slug: 'own' })).body).toMatchObject({
      status: 'publish',
      slug: 'own',
    });
    expect(codeOf(await ask('POST', `/events/${String(id)}`, { title: 'Other' }))).toEqual([403, 'rest_forbidden']);
  });
  test('contributor: makes venues as drafts, and no categories', async () => {
    site.setRole('contributor');
    expect((await ask('POST', '/venues', { venue: 'Hall' })).body).toMatchObject({ status: 'draft', slug: 'hall' });
    expect(codeOf(await ask('POST', '/categories', { name: 'Music' }))).toEqual([403, 'rest_forbidden']);
  });
});
