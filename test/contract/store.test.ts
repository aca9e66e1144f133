import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/site/context.ts';
import { emptyTrash, publishDue } from '../../src/site/store/housekeeping.ts';
import { insertUser } from '../../src/site/users/make-user.ts';
import { removeUser } from '../../src/site/users/remove-user.ts';
import { siteRevision } from '../../src/site/store/turn.ts';
import { builtinSite, type Body, type TestSite } from '../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());
const START = Date.parse('2026-11-20T10:40:59Z');
beforeEach(() => {
  site.clock.now = START;
});

const EVENT = { title: 'Concert', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
const make = async (changes: object = {}, as: 'editor' | 'author' | 'contributor' = 'editor'): Promise<Body> => {
  const { status, body } = await site.ask(as, 'POST', '/events', { ...EVENT, ...changes });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const update = async (id: number, changes: object): Promise<Body> =>
  (await site.ask('editor', 'PUT', `/events/${id}`, changes)).body;
const list = async (
  query: string,
  as: 'editor' | 'author' | 'contributor' | null = null,
): Promise<readonly unknown[]> => {
  const { status, body } = await site.ask(as, 'GET', `/events?per_page=50&${query}`);
  return status === 200 ? body.events.map(({ title }) => title) : [status, body.code];
};

describe('an update', () => {
  const full = {
    description: 'Text',
    excerpt: 'Short',
    cost: '25 zł',
    website: 'https://x.example/?a=1&b=2',
    show_map: true,
    featured: true,
    sticky: true,
    image: 'https://x.example/pic.JPG',
    categories: ['Music'],
    tags: ['jazz'],
    venue: { venue: 'Club' },
    organizer: [{ organizer: 'Society' }],
    timezone: 'America/New_York',
  };
  it('changes only the fields that it names', async () => {
    const before = await make(full);
    site.clock.now += 60_000;
    const { title, modified, modified_utc: modifiedUtc, ...after } = await update(before.id, { title: 'Other' });
    const { title: _, modified: former, modified_utc: formerUtc, ...rest } = before;
    expect([title, modified, former, modifiedUtc, formerUtc]).toEqual([
      'Other',
      '2026-11-20 11:41:59',
      '2026-11-20 11:40:59',
      '2026-11-20 10:41:59',
      '2026-11-20 10:40:59',
    ]);
    expect(after).toEqual(rest);
  });
  it('may send back everything that was read, also after its author was removed', async () => {
    const { id: author } = await insertUser(site.db, 'leaving', { role: 'author' });
    const { id, venue } = await make({ author, venue: { venue: 'Left behind', author } });
    await removeUser(site.db, 'leaving');
    for (const path of [`/events/${id}`, `/venues/${venue.id}`]) {
      const { body: read } = await site.ask('editor', 'GET', path);
      expect(await site.ask('editor', 'PUT', path, read)).toMatchObject({
        status: 200,
        body: { author: String(author) },
      });
    }
    expect((await update(id, { author: author + 1_000 })).code).toBe('rest_invalid_param');
  });
  it.each([
    ['venue', null, []],
    ['venue', [], []],
    ['venue', '', []],
    ['organizer', null, []],
    ['categories', [], []],
    ['tags', '', []],
    ['description', '', ''],
    ['excerpt', '', ''],
    ['cost', '', ''],
    ['website', '', ''],
    ['image', '', false],
    ['featured', false, false],
  ])('clears %s with %j', async (field, sent, shown) => {
    const { id } = await make(full);
    expect((await update(id, { [field]: sent }))[field]).toEqual(shown);
  });
  it.each([
    [{ start_date: '2027-01-10 12:00:00' }, ['2027-01-10 12:00:00', '2027-01-10 20:00:00', '2027-01-10 17:00:00']],
    [{ end_date: '2027-01-10 21:00:00' }, ['2027-01-10 18:00:00', '2027-01-10 21:00:00', '2027-01-10 23:00:00']],
    [{ timezone: 'Europe/Warsaw' }, ['2027-01-10 18:00:00', '2027-01-10 20:00:00', '2027-01-10 17:00:00']],
    [{ all_day: true }, ['2027-01-10 00:00:00', '2027-01-10 23:59:59', '2027-01-10 05:00:00']],
    [{ start_date: '2027-01-10T18:00:00Z' }, ['2027-01-10 13:00:00', '2027-01-10 20:00:00', '2027-01-10 18:00:00']],
  ])('of the time with %j changes the UTC time as well', async (changes, expected) => {
    const { id } = await make({ timezone: 'America/New_York' });
    const { start_date, end_date, utc_start_date } = await update(id, changes);
    expect([start_date, end_date, utc_start_date]).toEqual(expected);
  });
  it.each([
    [{ end_date: '2027-01-10 17:00:00' }, 'end_date'],
    [{ start_date: '2027-01-11' }, 'start_date'],
    [{ start_date: '2027-02-30' }, 'start_date'],
    [{ venue: 999999 }, 'venue'],
    [{ organizer: [999999] }, 'organizer'],
    [{ categories: [999999] }, 'categories'],
    [{ tags: ['999999'] }, 'tags'],
    [{ author: 99999 }, 'author'],
    [{ image: '999999' }, 'image'],
    [{ venue: { venue: 'X', geo_lat: 3 } }, 'geo_lng'],
    [{ end_date: '10000-01-01 00:00' }, 'end_date'],
    [{ venue: 99999999999 }, 'venue'],
    [{ title: '  ' }, 'title'],
    [{ title: '<b> </b>&nbsp;' }, 'title'],
    [{ title: '\u200b&#8203;' }, 'title'],
    [{ venue: { venue: '\u00a0' } }, 'venue'],
    [{ organizer: [{ organizer: '<i></i>' }] }, 'organizer'],
  ])('with %j is refused and changes nothing', async (changes, param) => {
    const { id } = await make();
    const revision = await siteRevision(site.db);
    const { status, body } = await site.ask('editor', 'PATCH', `/events/${id}`, { title: 'Never', ...changes });
    expect([status, body.code, Object.keys(body.data['params'] as object)]).toEqual([
      400,
      'rest_invalid_param',
      [param],
    ]);
    expect((await site.ask('editor', 'GET', `/events/${id}`)).body['title']).toBe('Concert');
    expect(await siteRevision(site.db)).toBe(revision);
  });
});

describe('slugs', () => {
  it('are unique', async () => {
    const slugs = [];
    for (let count = 0; count < 12; count += 1) slugs.push((await make({ title: 'Yoga' }))['slug']);
    expect(slugs).toEqual(['yoga', ...Array.from({ length: 11 }, (_, index) => `yoga-${index + 2}`)]);
    expect((await make({ slug: 'Yoga' }))['slug']).toBe('yoga-13');
    expect((await make({ title: '!!!' }))['slug']).toMatch(/^\d+$/);
  });
  it('have a suffix in the trash and lose it on the way back', async () => {
    const { id } = await make({ slug: 'phoenix' });
    expect((await site.ask('editor', 'DELETE', `/events/by-slug/phoenix`)).body['slug']).toBe('phoenix__trashed');
    expect((await site.ask('editor', 'DELETE', `/events/${id}`)).status).toBe(410);
    expect((await site.ask(null, 'GET', `/events/${id}`)).body.code).toBe('event-no-longer-available');
    expect(await update(id, { status: 'publish' })).toMatchObject({ slug: 'phoenix', status: 'publish' });
    await site.ask('editor', 'DELETE', `/events/${id}`);
    await make({ slug: 'phoenix' });
    expect((await update(id, { status: 'publish' }))['slug']).toBe('phoenix-2');
  });
  it('are assigned when a draft is published', async () => {
    const { id, slug, date_utc: date } = await make({ title: 'Later', status: 'draft' });
    expect([slug, date]).toEqual(['', '0000-00-00 00:00:00']);
    site.clock.now += 3_600_000;
    expect(await update(id, { status: 'publish' })).toMatchObject({ slug: 'later', date_utc: '2026-11-20 11:40:59' });
  });
});

describe('terms', () => {
  it('are found by id, slug and name, and created if they do not exist', async () => {
    const first = await make({ categories: ['Théâtre & Danse'], tags: 'one,two' });
    const { id } = first.categories[0];
    const again = await make({ categories: [id], tags: [first.tags[0].id, 'TWO', 'C++'] });
    const third = await make({ categories: ['theatre & danse'], tags: ['c'] });
    expect(again.categories).toMatchObject([{ id, name: 'Théâtre &amp; Danse', slug: 'theatre-danse', count: 2 }]);
    expect(again.tags.map(({ name }) => name)).toEqual(['C++', 'one', 'two']);
    expect(again.tags.slice(1).map((tag) => tag.id)).toEqual(first.tags.map((tag) => tag.id));
    expect(third.categories[0].id).toBe(id);
    // "C++" has the slug "c", so the tag "c" finds it.
    expect(third.tags).toMatchObject([{ name: 'C++' }]);
  });
  it('count published events only', async () => {
    const {
      id,
      tags: [{ id: tag }],
    } = await make({ tags: ['counted'] });
    const count = async (): Promise<unknown> => (await site.ask(null, 'GET', `/tags/${tag}`)).body['count'];
    expect(await count()).toBe(1);
    await update(id, { status: 'draft' });
    expect(await count()).toBe(0);
    await update(id, { status: 'publish', tags: [tag, 'another'] });
    expect(await count()).toBe(1);
    await site.ask('editor', 'DELETE', `/events/${id}`);
    expect(await count()).toBe(0);
  });
  it('are deleted at once, and their children move up', async () => {
    const ids: number[] = [];
    for (const name of ['Top', 'Middle', 'Low'])
      ids.push(
        (await site.ask('editor', 'POST', '/categories', { name, ...(ids.length > 0 && { parent: ids.at(-1) }) })).body
          .id,
      );
    const { id } = await make({ categories: [ids[1]] });
    expect((await site.ask('editor', 'DELETE', `/categories/${ids[1]}`)).status).toBe(200);
    expect((await site.ask(null, 'GET', `/categories/${ids[2]}`)).body['parent']).toBe(ids[0]);
    expect((await site.ask(null, 'GET', `/events/${id}`)).body.categories).toEqual([]);
    expect((await site.ask('editor', 'PUT', `/categories/${ids[0]}`, { parent: ids[2] })).body.code).toBe(
      'rest_invalid_param',
    );
  });
  it.each([
    ['contributor', { tags: ['unheard of'] }],
    ['author', { tags: ['unheard of'] }],
    ['contributor', { categories: ['unheard of'] }],
  ] as const)('are not created by a %s who sends %j', async (role, changes) => {
    expect((await site.ask(role, 'POST', '/events', { ...EVENT, ...changes })).status).toBe(403);
  });
  it.each([
    [{ name: '<b></b>' }, 'empty_term_name'],
    [{ name: 'x'.repeat(201) }, 'invalid_term_name'],
    [{ name: 'x', parent: 99999 }, 'rest_invalid_param'],
  ])('cannot be created as %j', async (sent, code) => {
    const { status, body } = await site.ask('editor', 'POST', '/categories', sent);
    expect([status, body.code]).toEqual([400, code]);
  });
});

/** The messages about a refused request's parameters, each preceded by the parameter's name. */
const paramsOf = ({ status, body }: Awaited<ReturnType<TestSite['ask']>>): string => {
  expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  return Object.entries(body.data['params'] as Readonly<Record<string, string>>)
    .map(([name, why]) => `${name}: ${why.replace(/^Invalid parameter\. /, '')}`)
    .join('\n');
};

describe('what is wrong with a parameter', () => {
  it.each([
    ['/events', { start_date: '2027-02-30' }, 'start_date: Expected a date that exists, such as 2027-01-10 18:00:00.'],
    [
      '/events',
      { timezone: 'Mars/X' },
      'timezone: Expected the name of a time zone, such as Europe/Warsaw, or an offset, such as UTC+2.',
    ],
    [
      '/events',
      { end_date: '2027-01-09' },
      'end_date: The event would end (2027-01-09 00:00:00) before it begins (2027-01-10 18:00:00).',
    ],
    ['/events', { tags: [999_998, 999_999] }, 'tags: There is no tag with the id 999998, 999999.'],
    ['/events', { tags: ['999999'] }, 'tags: There is no tag with the id 999999.'],
    ['/events', { venue: 999_999 }, 'venue: There is no venue with the id 999999.'],
    ['/events', { venue: 'Hall' }, 'venue: Expected an id, or the fields of a new one, venue at least.'],
    [
      '/events',
      { organizer: [{ organizer: 'X', website: 'x' }] },
      'organizer: website: Expected an address that begins with https://, http:// or ftp://, with blanks and letters beyond ASCII encoded.',
    ],
    ['/events', { venue: { venue: 'X', city: 5 } }, 'venue: city is not of type string.'],
    [
      '/events',
      { status: 'public' },
      'status: Expected one of publish, future, draft, pending, private, trash, and auto-draft.',
    ],
    ['/events', { author: 99_999 }, 'author: There is no user with the id 99999.'],
    ['/events', { title: '<b></b>' }, 'title: Expected some text: without its tags, nothing is left of it.'],
    ['/events', { image: '999999' }, 'image: There is no such image on this site.'],
    ['/venues', { geo_lat: 95 }, 'geo_lat: Expected a number from -90 to 90.'],
    ['/venues', { geo_lat: 5 }, 'geo_lng: A venue has geo_lat and geo_lng, or neither.'],
    ['/categories', { parent: 99_999 }, 'parent: There is no category with the id 99999.'],
  ])('is explained in a sentence: POST %s %j', async (path, sent, expected) => {
    const whole = { '/events': EVENT, '/venues': { venue: 'Hall' }, '/categories': { name: 'Unheard' } }[path];
    expect(paramsOf(await site.ask('editor', 'POST', path, { ...whole, ...sent }))).toBe(expected);
  });
  it.each([
    ['/events?tags=unheard,999999', 'tags: There is no tag "unheard", "999999".'],
    ['/events?venue=999998,999999', 'venue: There is no venue with the id 999998, 999999.'],
    ['/events?page=0', 'page: Expected a whole number from 1 to 2147483647.'],
    ['/events?search=', 'search: Expected a text that is not empty.'],
    ['/events?status=draft', 'status: Only those who write events may ask for other states than publish.'],
    ['/events?geoloc_lat=5', 'geoloc_lng: geoloc_lat and geoloc_lng are sent together.'],
    ['/events/by-slug/unheard', 'slug: There is no event with this slug.'],
    ['/venues/999999', 'id: There is no venue with the id 999999.'],
    ['/tags/999999?translation_language=pl', 'id: There is no tag with the id 999999 in the language "pl".'],
    ['/categories?include=unheard', 'include: There is no category "unheard".'],
    ['/categories?event=999999', 'event: There is no event with the id 999999.'],
  ])('is explained in a sentence: GET %s', async (path, expected) =>
    expect(paramsOf(await site.ask(null, 'GET', path))).toBe(expected),
  );
});

it('an update by an unknown slug says so', async () => {
  const { status, body } = await site.ask('editor', 'PATCH', '/events/by-slug/unheard', { title: 'Other' });
  expect([status, body.code, body.message]).toEqual([404, 'rest-event-not-found', 'There is no event with this slug.']);
});

describe('rights', () => {
  it.each([
    ['contributor', {}, 'draft'],
    ['contributor', { status: 'publish' }, 'pending'],
    ['author', {}, 'publish'],
    ['editor', { status: 'private' }, 'private'],
    ['editor', { date: '2027-01-01' }, 'future'],
  ] as const)('a %s who creates %j gets %s', async (role, changes, status) => {
    expect((await site.ask(role, 'POST', '/events', { ...EVENT, ...changes })).body['status']).toBe(status);
  });
  it.each([
    ['contributor', { status: 'private' }, 403],
    ['contributor', { author: 1 }, 403],
    ['author', { author: 1 }, 403],
    ['subscriber', {}, 403],
    [null, {}, 401],
  ] as const)('%s may not create %j', async (role, changes, status) => {
    const answer = await site.ask(role, 'POST', '/events', { ...EVENT, ...changes });
    expect([answer.status, answer.body.code]).toEqual([status, 'rest_forbidden']);
  });
  it.each([
    [
      'author',
      { tags: ['Jazz', 'Unheard', 'unheard of'] },
      'There is no tag "Unheard", "unheard of". You may not create any: name existing ones, or ask an editor.',
    ],
    [
      'contributor',
      { categories: 'Unheard' },
      'There is no category "Unheard". You may not create any: name existing ones, or ask an author or an editor.',
    ],
    ['contributor', { status: 'private' }, 'Without the right to publish, it can be draft or pending.'],
    ['author', { author: 1 }, 'Only editors name other authors: leave it out.'],
  ] as const)('%s who sends %j is told which parameter is refused, and why', async (role, sent, why) => {
    await site.ask('editor', 'POST', '/tags', { name: 'Jazz' });
    const { status, body } = await site.ask(role, 'POST', '/events', { ...EVENT, ...sent });
    const [name] = Object.keys(sent);
    expect([status, body]).toEqual([
      403,
      {
        code: 'rest_forbidden',
        message: `Not allowed: ${name}. ${why}`,
        data: { status: 403, params: { [name!]: why } },
      },
    ]);
  });
  it.each([
    [null, 'POST', '/events', "This request is nobody's: send a user name and an application password."],
    ['subscriber', 'POST', '/events', 'It requires at least the role of a contributor.'],
    ['contributor', 'POST', '/categories', 'It requires at least the role of an author.'],
    ['author', 'POST', '/tags', 'It requires at least the role of an editor.'],
    [
      'author',
      'PATCH',
      '/events/THEIRS',
      "It is somebody else's: changing it requires at least the role of an editor.",
    ],
    [
      'contributor',
      'DELETE',
      '/events/OWN',
      'It is no longer a draft: changing it requires at least the role of an author.',
    ],
    [null, 'DELETE', '/events/OWN', "This request is nobody's: send a user name and an application password."],
  ] as const)('%s is told who may %s %s', async (role, method, path, whoMay) => {
    const [own, theirs] = [await make({}, 'contributor'), await make()];
    await site.ask('editor', 'PATCH', `/events/${own.id}`, { status: 'publish' });
    const at = path.replace('THEIRS', String(theirs.id)).replace('OWN', String(own.id));
    const { body } = await site.ask(role, method, at, { ...EVENT, name: 'Unheard of' });
    expect([body.code, body.message]).toEqual(['rest_forbidden', `Sorry, you are not allowed to do that. ${whoMay}`]);
  });
  it.each(['PUT', 'DELETE'])("%s of somebody else's event is refused, by id and by slug", async (method) => {
    const { id } = await make({ slug: `theirs-${method}` });
    for (const path of [`/events/${id}`, `/events/by-slug/theirs-${method}`]) {
      for (const role of ['author', 'contributor'] as const)
        expect((await site.ask(role, method, path, { title: 'Mine' })).status).toBe(403);
    }
  });
  it.each([
    ['/events', { ...EVENT, title: 'Read on' }, 'publish'],
    ['/events', { ...EVENT, title: 'Read later' }, 'draft'],
    ['/events', { ...EVENT, title: 'Read no more' }, 'trash'],
    ['/venues', { venue: 'Read here' }, 'publish'],
    ['/organizers', { organizer: 'Reader' }, 'draft'],
  ])('an answer about one of %s says what its reader may do: %j, %s', async (path, thing, status) => {
    const { body } = await site.ask('author', 'POST', path, { ...thing, status });
    const told = async (as: Role | null, method: string): Promise<unknown> =>
      (
        await site.ask(as, method, `${path}/${body.id}`, ['GET', 'OPTIONS'].includes(method) ? undefined : {})
      ).headers.get('allow');
    const all = 'GET, DELETE, POST, PUT, PATCH';
    const roles = [null, 'subscriber', 'contributor', 'author', 'editor'] as const;
    for (const method of ['GET', 'OPTIONS', 'PATCH'])
      expect(await Promise.all(roles.map((as) => told(as, method)))).toEqual(['GET', 'GET', 'GET', all, all]);
    expect(await told('contributor', 'DELETE')).toBe('GET');
  });
  it.each([
    ['/events', { ...EVENT, title: 'Thrown away' }],
    ['/venues', { venue: 'Left' }],
  ])('contributors may restore their own drafts from the trash: %s', async (path, thing) => {
    for (const [method, change] of [
      ['DELETE', undefined],
      ['PATCH', { status: 'trash' }],
    ] as const) {
      const { id } = (await site.ask('contributor', 'POST', path, thing)).body;
      const trashed = await site.ask('contributor', method, `${path}/${id}`, change);
      const back = await site.ask('contributor', 'PATCH', `${path}/${id}`, { status: 'draft' });
      expect([trashed.status, trashed.body['status'], back.status, back.body['status']]).toEqual([
        200,
        'trash',
        200,
        'draft',
      ]);
    }
  });
  it('unpublished events are visible to their author and to editors only', async () => {
    const { id } = await make({ title: 'Secret', status: 'draft' }, 'author');
    const seen = await Promise.all(
      ([null, 'contributor', 'author', 'editor'] as const).map(async (as) => [
        (await site.ask(as, 'GET', `/events/${id}`)).status,
        (await list('search=Secret', as)).length,
      ]),
    );
    expect(seen).toEqual([
      [403, 0],
      [403, 0],
      [200, 1],
      [200, 1],
    ]);
    expect(await list('status=draft')).toEqual([400, 'rest_invalid_param']);
  });
  it('a venue that is not public is not shown inside an event', async () => {
    const { id, venue } = await make({ venue: { venue: 'Hidden place', status: 'draft' } });
    expect(venue['venue']).toBe('Hidden place');
    expect((await site.ask(null, 'GET', `/events/${id}`)).body.venue).toEqual([]);
  });
  it.each([
    ['nothing', 'venue', () => []],
    ['nothing', 'organizer', () => []],
    ['the list as it was read', 'venue', (read: Body) => [read.venue]],
    ['the list as it was read', 'organizer', (read: Body) => read['organizer']],
    ['one more', 'organizer', (read: Body) => [...read.organizer, { organizer: 'One more' }]],
  ] as const)('links that the author of an event cannot see stay if they send %s as %s', async (_what, field, sent) => {
    const { id } = await make({}, 'author');
    const names = async (as: Role) => [(await site.ask(as, 'GET', `/events/${id}`)).body[field]].flat() as Body[];
    const hidden = { [field]: 'Not announced', status: 'draft' };
    await update(id, { [field]: [hidden, { [field]: 'Announced' }] });
    const { body: read } = await site.ask('author', 'GET', `/events/${id}`);
    expect((await names('author')).map((one) => one[field])).toEqual(['Announced']);
    const sentBack = sent(read);
    const { body } = await site.ask('author', 'PATCH', `/events/${id}`, { [field]: sentBack });
    const shown = (sentBack as Body[]).map((one) => one[field]);
    expect([body[field]].flat().map((one) => one[field])).toEqual(shown);
    expect((await names('editor')).map((one) => one[field])).toEqual(['Not announced', ...shown]);
  });
  it('a venue that an author sets replaces one that they cannot see', async () => {
    const { id } = await make({}, 'author');
    await update(id, { venue: { venue: 'Not announced', status: 'draft' } });
    await site.ask('author', 'PATCH', `/events/${id}`, { venue: { venue: 'Where it is' } });
    expect((await site.ask('editor', 'GET', `/events/${id}`)).body.venue['venue']).toBe('Where it is');
  });
  it('HTML is stored unchanged for editors and sanitised for others', async () => {
    const description = '<p onclick="x()">Text</p><script>alert(1)</script>';
    expect((await make({ description }))['description']).toContain('<script>');
    expect((await make({ description }, 'author'))['description']).toBe('<p>Text</p>');
  });
});

describe('venues and organizers', () => {
  it('with an existing name are created again, each with its own slug', async () => {
    const made = [];
    for (const city of ['Sopot', 'Hel'])
      made.push((await site.ask('editor', 'POST', '/venues', { venue: 'Main Library', city })).body);
    expect(made).toMatchObject([
      { slug: 'main-library', city: 'Sopot' },
      { slug: 'main-library-2', city: 'Hel' },
    ]);
  });
  it.each([
    ['venues', 'venue', 'cellar'],
    ['organizers', 'organizer', 'cellar'],
    ['venues', 'venue', 'venue'],
  ] as const)('have a slug from their name before they are published: %s, %s, %s', async (kind, field, slug) => {
    const name = slug === field ? '!!' : 'Cellar';
    const { body } = await site.ask('contributor', 'POST', `/${kind}`, { [field]: name });
    expect(body).toMatchObject({ status: 'draft', slug });
    expect((await site.ask('editor', 'GET', `/${kind}/by-slug/${slug}`)).body.id).toBe(body.id);
    const published = { [field]: 'Attic', status: 'publish' };
    expect((await site.ask('editor', 'PATCH', `/${kind}/${body.id}`, published)).body).toMatchObject({ slug });
  });
  it('are changed only in named fields', async () => {
    const {
      body: { id },
    } = await site.ask('editor', 'POST', '/venues', {
      venue: 'Hall',
      city: 'Sopot',
      show_map: 'false',
      description: 'Old',
      geo_lat: 1.5,
      geo_lng: 2,
      state: 'X',
    });
    expect((await site.ask('editor', 'PATCH', `/venues/${id}`, { city: 'Hel', description: '' })).body).toMatchObject({
      venue: 'Hall',
      city: 'Hel',
      show_map: false,
      geo_lat: 1.5,
      geo_lng: 2,
      stateprovince: 'X',
    });
    expect((await site.ask(null, 'GET', `/venues/${id}`)).body).not.toHaveProperty('description');
  });
  it('are removed from their events when they are trashed', async () => {
    const { id, venue } = await make({ venue: { venue: 'Going' } });
    expect((await site.ask('editor', 'DELETE', `/venues/${venue.id}`)).status).toBe(200);
    expect((await site.ask(null, 'GET', `/events/${id}`)).body.venue).toEqual([]);
    expect((await site.ask('editor', 'DELETE', `/venues/${venue.id}`)).body.code).toBe('venue-is-in-trash');
  });
  it.each([
    ['has_events=true', true, false],
    ['has_events=false', false, true],
    ['only_with_upcoming=true', true, false],
  ])('are listed by ?%s', async (query, withEvent, without) => {
    const { venue } = await make({ venue: { venue: 'Used' } });
    const { body: unused } = await site.ask('editor', 'POST', '/venues', { venue: 'Unused' });
    const names = (await site.ask(null, 'GET', `/venues?per_page=50&search=used&${query}`)).body.venues.map(
      ({ id }) => id,
    );
    expect([names.includes(venue.id), names.includes(unused.id)]).toEqual([withEvent, without]);
  });
  it.each([
    ['publish', {}, true],
    ['private', { status: 'private' }, false],
    ['future', { date: '2027-01-01' }, false],
    ['draft', { status: 'draft' }, false],
  ])('do not reveal by ?has_events that an event is %s, unless it is public', async (status, sent, expected) => {
    const event = await make({ venue: { venue: `Having ${status}`, status: 'publish' }, ...sent });
    expect([event['status'], event.venue['status']]).toEqual([status, 'publish']);
    for (const [query, isListed] of [
      ['has_events=true', expected],
      ['has_events=false', !expected],
    ] as const) {
      const { venues } = (await site.ask(null, 'GET', `/venues?search=Having ${status}&${query}`)).body;
      expect([query, venues.some(({ id }) => id === event.venue.id)]).toEqual([query, isListed]);
    }
  });
  it('are listed by event', async () => {
    const { id, organizer } = await make({ organizer: [{ organizer: 'One' }, { organizer: 'Two' }] });
    expect(
      (await site.ask(null, 'GET', `/organizers?event=${id}`)).body.organizers.map((one) => one.id).sort(),
    ).toEqual(organizer.map((one) => one.id).sort());
    expect((await site.ask(null, 'GET', '/organizers?event=999999')).status).toBe(400);
  });
  it('are linked by ids with commas between them, as forms send lists', async () => {
    const { id, organizer } = await make({ organizer: [{ organizer: 'One' }, { organizer: 'Two' }] });
    const ids = organizer.map((one) => one.id).toReversed();
    expect((await update(id, { organizer: ids.join(', ') })).organizer.map((one) => one.id)).toEqual(ids);
    expect((await update(id, { organizer: 'One, Two' })).code).toBe('rest_invalid_param');
  });
});

describe('a batch of events', () => {
  it('takes two statements, whatever its size and whatever it refers to by id', async () => {
    const { venue, organizer, categories, tags } = await make({
      venue: { venue: 'Batched' },
      organizer: [{ organizer: 'Batched' }],
      categories: ['Batched'],
      tags: ['batched'],
    });
    const refs = {
      venue: [venue.id],
      organizer: organizer.map(({ id }) => id),
      categories: categories.map(({ id }) => id),
      tags: tags.map(({ id }) => id),
    };
    const requests = Array.from({ length: 25 }, (_, number) => ({
      path: '/calendar/events/v1/events',
      body: { ...EVENT, ...refs, slug: `batched-${number}-x` },
    }));
    const before = site.statements();
    const { body } = await site.ask('editor', 'POST', '/api/batch/v1', { requests });
    expect(body.responses.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 201));
    expect(site.statements() - before).toBe(2);
  });
});

describe('languages', () => {
  it('filter reads and are assigned to new objects', async () => {
    const { id } = (
      await site.ask('editor', 'POST', '/events', { ...EVENT, title: 'Po polsku', translation_language: 'pl' })
    ).body;
    const titles = async (language: string): Promise<readonly unknown[]> =>
      list(`search=polsku&translation_language=${language}`);
    expect([await titles('pl'), await titles('en')]).toEqual([['Po polsku'], []]);
    expect([
      (await site.ask(null, 'GET', `/events/${id}?translation_language=pl`)).status,
      (await site.ask(null, 'GET', `/events/${id}?translation_language=en`)).status,
    ]).toEqual([200, 404]);
  });
});

describe('time', () => {
  it('keeps the publication date that a request repeats, in an hour that occurs twice too', async () => {
    site.clock.now = Date.parse('2026-10-25T01:30:00Z');
    const { id } = await make();
    const { date, date_utc: inUtc, ...rest } = (await site.ask('editor', 'GET', `/events/${id}`)).body;
    expect([date, inUtc]).toEqual(['2026-10-25 02:30:00', '2026-10-25 01:30:00']);
    expect(await update(id, { ...rest, date, date_utc: inUtc })).toMatchObject({ date, date_utc: inUtc });
    const moved = { date_utc: '2026-10-24 10:00:00' };
    expect(await update(id, { ...rest, date, ...moved })).toMatchObject({ date: '2026-10-24 12:00:00', ...moved });
  });
  it('publishes scheduled events', async () => {
    const { id, status } = await make({ date: '2026-11-21 10:00:00' });
    expect(status).toBe('future');
    expect(await publishDue({ db: site.db, settings: site.settings, now: START })).toBe(0);
    expect(await publishDue({ db: site.db, settings: site.settings, now: START + 86_400_000 })).toBeGreaterThan(0);
    expect((await site.ask(null, 'GET', `/events/${id}`)).status).toBe(200);
  });
  it('empties the trash', async () => {
    const { id } = await make();
    await site.ask('editor', 'DELETE', `/events/${id}`);
    const after = (days: number) => ({ db: site.db, settings: site.settings, now: START + days * 86_400_000 });
    expect(await emptyTrash(after(29))).toBe(0);
    expect(await emptyTrash(after(31))).toBeGreaterThan(0);
    expect((await site.ask('editor', 'GET', `/events/${id}`)).status).toBe(404);
  });
});

describe('concurrent writers', () => {
  it('get different slugs, and one term for each name', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        site.ask('editor', 'POST', '/events', { ...EVENT, title: 'Race', tags: ['raced'] }),
      ),
    );
    expect(new Set(made.map(({ body }) => body['slug'])).size).toBe(20);
    expect(new Set(made.map(({ body }) => body.tags[0].id)).size).toBe(1);
    expect((await site.ask(null, 'GET', '/tags?slug=raced')).body.tags).toMatchObject([{ count: 20 }]);
  });
  it('cause no errors', () => expect(site.errors).toEqual([]));
});
