import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../src/site/store/housekeeping.ts';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';

// The states and dates of posts, line by line as in contract.md (2.7 to 2.10, 4.4 to 4.6). The clock is set to 11:40:59
// in Warsaw.

const when = { start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00' };
const NOW = '2026-11-20 11:40:59';
let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const KINDS = {
  events: { title: 'Concert', ...when },
  venues: { venue: 'Hall' },
  organizers: { organizer: 'Club' },
} as const;
type Kind = keyof typeof KINDS;
type As = Parameters<TestSite['ask']>[0];
const kinds = Object.keys(KINDS) as Kind[];
/** Counts names that nothing else has had, as a post in the trash has a mark on its slug. */
let names = 0;
const named = (kind: Kind): object =>
  ({
    events: { slug: `own-${(names += 1)}` },
    venues: { venue: `Hall own ${(names += 1)}` },
    organizers: { organizer: `Club own ${(names += 1)}` },
  })[kind];
const create = (kind: Kind, more: object = {}, as: As = 'editor') =>
  site.ask(as, 'POST', `/${kind}`, { ...KINDS[kind], ...more });
const made = async (kind: Kind, more: object = {}, as: As = 'editor'): Promise<Body> => {
  const { status, body } = await create(kind, more, as);
  expect(status).toBe(201);
  return body;
};
const pick = (body: Body, ...names: readonly string[]): unknown[] => names.map((name) => body[name]);

describe.each(kinds)('the publication date of %s', (kind) => {
  test.each([
    [{}, 'publish', NOW, '2026-11-20 10:40:59'],
    [{ date: '2026-01-02 03:04:05' }, 'publish', '2026-01-02 03:04:05', '2026-01-02 02:04:05'],
    [{ date_utc: '2026-01-02 03:04:05' }, 'publish', '2026-01-02 04:04:05', '2026-01-02 03:04:05'],
    [{ date: '2026-07-02T03:04:05Z' }, 'publish', '2026-07-02 05:04:05', '2026-07-02 03:04:05'],
    [{ date: '2027-01-02 03:04:05' }, 'future', '2027-01-02 03:04:05', '2027-01-02 02:04:05'],
    [{ date: '2027-01-02 03:04:05', status: 'publish' }, 'future', '2027-01-02 03:04:05', '2027-01-02 02:04:05'],
    [{ status: 'future' }, 'publish', NOW, '2026-11-20 10:40:59'],
    [{ status: 'private' }, 'private', NOW, '2026-11-20 10:40:59'],
    [{ status: 'draft' }, 'draft', NOW, '0000-00-00 00:00:00'],
    [{ status: 'pending' }, 'pending', NOW, '0000-00-00 00:00:00'],
    [{ status: 'draft', date: '2026-01-02 03:04:05' }, 'draft', '2026-01-02 03:04:05', '0000-00-00 00:00:00'],
  ])('with %j: %s, dated %s', async (asked, status, date, dateUtc) => {
    expect(pick(await made(kind, asked), 'status', 'date', 'date_utc')).toEqual([status, date, dateUtc]);
  });

  test.each([
    ['date', 'no date'],
    ['date', 1_796_550_000],
    ['date', '2026-02-30'],
    ['date_utc', '25/12/2026'],
    ['date', ''],
    ['status', ''],
    ['status', 'gone'],
    ['author', 99_999],
    ['author', 'me'],
    ['author', 0],
  ])('%s of %j is refused', async (name, value) => {
    const { status, body } = await create(kind, { [name]: value });
    expect([status, body.code, Object.keys(body.data['params'] as object)]).toEqual([
      400,
      'rest_invalid_param',
      [name],
    ]);
  });

  test('is kept by updates, and given to a draft when it is published', async () => {
    const post = await made(kind, { date: '2026-01-02 03:04:05' });
    expect(
      pick(
        (await site.ask('editor', 'PATCH', `/${kind}/${post.id}`, { description: 'More' })).body,
        'date',
        'status',
        'slug',
        'modified',
      ),
    ).toEqual(['2026-01-02 03:04:05', 'publish', post['slug'], NOW]);
    const draft = await made(kind, { status: 'draft' });
    const published = (await site.ask('editor', 'PUT', `/${kind}/${draft.id}`, { status: 'publish' })).body;
    expect(pick(published, 'status', 'date_utc')).toEqual(['publish', '2026-11-20 10:40:59']);
    expect(published['slug']).not.toBe('');
    expect((await site.ask('editor', 'POST', `/${kind}/${post.id}`, { status: 'draft' })).body['date_utc']).toBe(
      '0000-00-00 00:00:00',
    );
  });

  test('hides the post until then if it is in the future', async () => {
    const { id } = await made(kind, { date: '2026-11-20 12:00:00' });
    const seen = async () => (await site.ask(null, 'GET', `/${kind}/${id}`)).status;
    expect(await seen()).toBe(403);
    await publishDue({ db: site.db, settings: site.settings, now: site.clock.now + 19 * 60_000 });
    expect(await seen()).toBe(403);
    await publishDue({ db: site.db, settings: site.settings, now: site.clock.now + 20 * 60_000 });
    expect(await seen()).toBe(200);
  });
});

describe.each(kinds)('who may do what with %s', (kind) => {
  test.each([
    ['administrator', {}, 201, 'publish'],
    ['editor', { status: 'private' }, 201, 'private'],
    ['author', {}, 201, 'publish'],
    ['author', { date: '2027-01-01' }, 201, 'future'],
    ['contributor', {}, 201, 'draft'],
    ['contributor', { status: 'publish' }, 201, 'pending'],
    ['contributor', { status: 'future', date: '2027-01-01' }, 201, 'pending'],
    ['contributor', { status: 'pending' }, 201, 'pending'],
    ['contributor', { status: 'private' }, 403, undefined],
    ['subscriber', {}, 403, undefined],
    [null, {}, 401, undefined],
  ] as const)('%s creating %j gets %i', async (as, asked, status, state) => {
    const answer = await create(kind, asked, as);
    const stored = status === 201 && (await site.ask('editor', 'GET', `/${kind}/${answer.body.id}`)).body['status'];
    expect([answer.status, answer.body['status'], stored, answer.status === 201 ? 'ok' : answer.body.code]).toEqual([
      status,
      state,
      state ?? false,
      status === 201 ? 'ok' : 'rest_forbidden',
    ]);
  });

  test('the author is the caller, as text, unless an editor names another', async () => {
    const { contributor, author } = site.callers;
    expect((await made(kind, {}, 'author'))['author']).toBe(String(author.id));
    expect((await made(kind, { author: contributor.id }))['author']).toBe(String(contributor.id));
    expect((await create(kind, { author: contributor.id }, 'author')).status).toBe(403);
    expect((await create(kind, { author: author.id }, 'author')).status).toBe(201);
  });

  test.each(['draft', 'pending', 'private', 'future'])(
    'a post that is %s is read by its author and editors only',
    async (status) => {
      const { id } = await made(kind, { status, date: '2027-05-01', author: site.callers.author.id });
      const as = async (role: As) => {
        const { status: code, body } = await site.ask(role, 'GET', `/${kind}/${id}`);
        return code === 200 ? 200 : body.code;
      };
      const hidden = `${kind.slice(0, -1)}-not-accessible`;
      expect([
        await as(null),
        await as('subscriber'),
        await as('contributor'),
        await as('author'),
        await as('editor'),
      ]).toEqual([hidden, hidden, hidden, 200, 200]);
    },
  );

  test("others' posts cannot be changed or deleted, by id or by slug", async () => {
    const post = await made(kind);
    for (const path of [`/${kind}/${post.id}`, `/${kind}/by-slug/${String(post['slug'])}`]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect([
          method,
          (await site.ask('author', method, path, { description: 'x' })).status,
          (await site.ask(null, method, path, { description: 'x' })).status,
        ]).toEqual([method, 403, 401]);
      }
    }
  });
});

describe.each(kinds)('the trash of %s', (kind) => {
  const inTrash = `${kind.slice(0, -1)}-is-in-trash`;

  test('takes a post only once, marks its slug, and answers with the post', async () => {
    const post = await made(kind, named(kind));
    const { status, body } = await site.ask('editor', 'DELETE', `/${kind}/${post.id}`);
    expect([status, body['status'], body['slug'], body['json_ld']]).toEqual([
      200,
      'trash',
      `${String(post['slug'])}__trashed`,
      undefined,
    ]);
    expect(body['url']).toContain(`p=${post.id}`);
    const again = await site.ask('editor', 'DELETE', `/${kind}/${post.id}`);
    expect([again.status, again.body.code]).toEqual([410, inTrash]);
    expect((await site.ask('editor', 'DELETE', `/${kind}/by-slug/${String(post['slug'])}`)).body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { slug: `Invalid parameter. There is no ${kind.slice(0, -1)} with this slug.` } },
    });
    expect((await site.ask('editor', 'DELETE', `/${kind}/by-slug/${String(post['slug'])}__trashed`)).body.code).toBe(
      inTrash,
    );
    const [stranger, editor] = [
      await site.ask(null, 'GET', `/${kind}/${post.id}`),
      await site.ask('editor', 'GET', `/${kind}/${post.id}`),
    ];
    expect([stranger.status, editor.status]).toEqual(kind === 'events' ? [403, 403] : [403, 200]);
    expect(stranger.body.code).toBe(
      kind === 'events' ? 'event-no-longer-available' : `${kind.slice(0, -1)}-not-accessible`,
    );
  });

  test('gives a post back with its slug if an update has a status, and keeps it otherwise', async () => {
    const post = await made(kind, named(kind));
    await site.ask('editor', 'DELETE', `/${kind}/${post.id}`);
    expect(
      pick(
        (await site.ask('editor', 'PATCH', `/${kind}/${post.id}`, { description: 'Changed there' })).body,
        'status',
        'slug',
      ),
    ).toEqual(['trash', `${String(post['slug'])}__trashed`]);
    expect(
      pick(
        (await site.ask('editor', 'PATCH', `/${kind}/${post.id}`, { status: 'publish' })).body,
        'status',
        'slug',
        'date',
      ),
    ).toEqual(['publish', post['slug'], post['date']]);
  });

  test('frees the slug of a post, which gets another if that is taken when it comes back', async () => {
    const slug = `taken-${kind}`;
    const name = { events: { slug }, venues: { venue: `Taken ${kind}` }, organizers: { organizer: `Taken ${kind}` } }[
      kind
    ];
    const first = await made(kind, name);
    await site.ask('editor', 'DELETE', `/${kind}/${first.id}`);
    expect((await made(kind, name))['slug']).toBe(slug);
    expect((await site.ask('editor', 'PATCH', `/${kind}/${first.id}`, { status: 'publish' })).body['slug']).toBe(
      `${slug}-2`,
    );
  });

  test('takes a post by its status as by DELETE', async () => {
    const post = await made(kind, named(kind));
    expect(
      pick((await site.ask('editor', 'PATCH', `/${kind}/${post.id}`, { status: 'trash' })).body, 'status', 'slug'),
    ).toEqual(['trash', `${String(post['slug'])}__trashed`]);
    expect((await site.ask('editor', 'DELETE', `/${kind}/${post.id}`)).body.code).toBe(inTrash);
  });

  test.each([
    ['a draft', { status: 'draft' }, {}, 200],
    ['a draft with a date', { status: 'draft', date: '2027-01-02 03:04:05' }, {}, 200],
    ['one that was unpublished before', { status: 'draft' }, { publish: true, draft: true }, 200],
    ['not one that was published', { status: 'draft' }, { publish: true }, 403],
    ['not one that was private', { status: 'draft' }, { private: true }, 403],
  ])('gives contributors back what they could edit before: %s', async (_, asked, states, expected) => {
    const { id } = await made(kind, { ...named(kind), ...asked }, 'contributor');
    for (const status of Object.keys(states)) await site.ask('editor', 'POST', `/${kind}/${id}`, { status });
    const trashed = await site.ask('editor', 'DELETE', `/${kind}/${id}`);
    // A change in the trash does not affect what the post was before.
    await site.ask('editor', 'POST', `/${kind}/${id}`, { description: 'Changed there' });
    const restored = await site.ask('contributor', 'POST', `/${kind}/${id}`, { status: 'draft' });
    expect([restored.status, restored.body['date']]).toEqual([
      expected,
      expected === 200 ? trashed.body['date'] : undefined,
    ]);
  });

  test('does not take an id that does not exist, or is of another kind', async () => {
    const { status, body } = await site.ask('editor', 'DELETE', `/${kind}/999999`);
    expect([status, body.code]).toEqual(
      kind === 'events' ? [404, 'rest-event-not-found'] : [400, 'rest_invalid_param'],
    );
    const other = await made(kind === 'events' ? 'venues' : 'events');
    const wrong = await site.ask('editor', 'DELETE', `/${kind}/${other.id}`);
    expect([wrong.status, wrong.body.code]).toEqual(
      kind === 'events' ? [400, 'rest-invalid-event-id'] : [400, 'rest_invalid_param'],
    );
  });
});

describe('venues and organizers in the trash', () => {
  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('%s are removed from their events, and are back on them when they are restored', async (kind, field) => {
    const { id } = await made(kind);
    const event = await made('events', { [field]: [id] });
    expect(event[field]).not.toEqual([]);
    await site.ask('editor', 'DELETE', `/${kind}/${id}`);
    expect((await site.ask(null, 'GET', `/events/${event.id}`)).body[field]).toEqual([]);
    await site.ask('editor', 'PATCH', `/${kind}/${id}`, { status: 'publish' });
    expect((await site.ask(null, 'GET', `/events/${event.id}`)).body[field]).toMatchObject(
      kind === 'venues' ? { id } : [{ id }],
    );
  });

  // As recorded (523-create-event-with-trashed-venue).
  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('%s can still be put on events, where only users who may read them see them', async (kind, field) => {
    const { id } = await made(kind);
    await site.ask('editor', 'DELETE', `/${kind}/${id}`);
    const event = await made('events', { [field]: [id] });
    expect(JSON.stringify(event[field])).toContain('"trash"');
    expect((await site.ask(null, 'GET', `/events/${event.id}`)).body[field]).toEqual([]);
  });
});

describe('slugs', () => {
  test.each([
    ['ąę łódź', 'ae-lodz'],
    ['<b>Bold</b> Move', 'bold-move'],
    ['Концерт', '%d0%ba%d0%be%d0%bd%d1%86%d0%b5%d1%80%d1%82'],
    ['A  --  B', 'a-b'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('%s becomes %s', async (slug, expected) => {
    expect((await made('events', { slug }))['slug']).toBe(expected);
  });

  test('a draft has none until it is published, unless it names one, which may get a number', async () => {
    expect((await made('events', { status: 'draft', title: 'No slug yet' }))['slug']).toBe('');
    await made('events', { slug: 'the-one' });
    const draft = await made('events', { slug: 'the-one', status: 'draft' });
    expect(draft['slug']).toBe('the-one-2');
    expect((await site.ask('editor', 'PATCH', `/events/${draft.id}`, { status: 'publish' })).body['slug']).toBe(
      'the-one-2',
    );
  });

  test.each(['title', 'slug'])('an empty or non-text %s is refused', async (name) => {
    for (const value of ['', 5, null]) expect((await create('events', { [name]: value })).status).toBe(400);
  });
});

const namesIn = (listed: unknown, name: string): readonly unknown[] =>
  [listed].flat().map((one) => (one as Body)[name]);

test('a place that waits with a scheduled event is public as soon as the event is', async () => {
  const scheduled = async (as: 'contributor' | 'author', title: string) => {
    const linked = { venue: { venue: title, status: 'draft' }, organizer: [{ organizer: title, status: 'draft' }] };
    const { body } = await site.ask(as, 'POST', '/events', {
      title,
      ...when,
      status: 'draft',
      ...linked,
    });
    const { body: others } = await site.ask('editor', 'POST', '/venues', { venue: `Beside ${title}`, status: 'draft' });
    const venue = [body.venue.id, others.id];
    const date = new Date(site.clock.now + 3_600_000).toISOString();
    await site.ask(as, 'PATCH', `/events/${body.id}`, { venue });
    const by = as === 'author' ? 'author' : 'editor';
    const { body: waits } = await site.ask(by, 'PATCH', `/events/${body.id}`, { status: 'publish', date });
    expect([waits['status'], waits.organizer[0]['status']]).toEqual(['future', 'draft']);
    return body.id;
  };
  const shown = async (id: number) => {
    const { status, body } = await site.ask(null, 'GET', `/events/${id}`);
    return status === 200 ? [namesIn(body.venue, 'venue'), namesIn(body.organizer, 'organizer')] : status;
  };
  const reviewed = await scheduled('contributor', 'Cellar concert');
  const own = await scheduled('author', 'Attic concert');
  const early = await scheduled('contributor', 'Roof concert');
  expect([await shown(reviewed), await shown(own), await shown(early)]).toEqual([403, 403, 403]);
  await site.ask('editor', 'PATCH', `/events/${early}`, { date: new Date(site.clock.now).toISOString() });
  expect(await shown(early)).toEqual([['Roof concert', 'Beside Roof concert'], ['Roof concert']]);
  await publishDue({ db: site.db, settings: site.settings, now: site.clock.now + 3_600_000 });
  // An editor, who may edit everything, has scheduled the first; authors publish only what is theirs.
  expect(await shown(reviewed)).toEqual([['Cellar concert', 'Beside Cellar concert'], ['Cellar concert']]);
  expect(await shown(own)).toEqual([['Attic concert'], ['Attic concert']]);
  const { body } = await site.ask(null, 'GET', '/venues?search=concert');
  expect(body.venues.map(({ venue }) => String(venue)).toSorted()).toEqual([
    'Attic concert',
    'Beside Cellar concert',
    'Beside Roof concert',
    'Cellar concert',
    'Roof concert',
  ]);
});
