import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePages } from '../../../src/site/pages/handle-pages.ts';
import { siteRevision } from '../../../src/site/store/turn.ts';
import { sql } from '../../../src/db/database.ts';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';
import { announcedFields } from '../../support/announced-fields.ts';

const SECRET = 'open sesame';
const whole = {
  title: 'Secret party',
  start_date: '2027-01-10 18:00',
  end_date: '2027-01-10 20:00',
  slug: 'secret-party',
  description: 'Behind the bookcase',
  excerpt: 'Bring cake',
  cost: '25',
  website: 'https://x.example/',
  image: 'https://x.example/pic.png',
  featured: true,
  show_map: true,
  categories: ['Hidden'],
  tags: ['whispered'],
  venue: { venue: 'Speakeasy' },
  organizer: [{ organizer: 'Mole' }],
};
let site: TestSite;
let id: number;
let shown: Body;
const isProtected = (body: Body): boolean => body['featured'] === null;

beforeAll(async () => {
  site = await builtinSite();
  shown = (
    await site.ask('author', 'POST', '/events', {
      ...whole,
      categories: undefined,
      tags: undefined,
      venue: undefined,
      organizer: undefined,
    })
  ).body;
  id = shown.id;
  const { body } = await site.ask('editor', 'POST', `/events/${id}`, { ...whole, password: SECRET });
  shown = body;
});
afterAll(() => site.close());

const pagesOfSite = (): ReturnType<typeof makePages> =>
  makePages({
    db: site.db,
    settings: site.settings,
    answer: site.answer,
    revision: () => siteRevision(site.db),
    now: () => site.clock.now,
  });

describe('a protected event, read', () => {
  test.each([
    ['by an anonymous visitor', null, '', 403],
    ['with the password', null, '?password=open%20sesame', 200],
    ['with another password', null, '?password=Open%20sesame', 403],
    ['with an empty password', null, '?password=', 403],
    ['by an editor', 'editor', '', 403],
    ['by an editor, to edit it', 'editor', '?context=edit', 200],
    ['by its author, to edit it', 'author', '?context=edit', 200],
    ['by a contributor, to edit it', 'contributor', '?context=edit', 403],
    ['by an anonymous visitor, to edit it', null, '?context=edit', 403],
  ] as const)('%s', async (_, as, query, expected) => {
    for (const path of [`/events/${id}`, '/events/by-slug/secret-party']) {
      const { status, body } = await site.ask(as, 'GET', `${path}${query}`);
      expect([status, body.code ?? body['description']]).toEqual([
        expected,
        expected === 200 ? '<p>Behind the bookcase</p>' : 'event-password-protected',
      ]);
    }
  });

  test('with the password in the body', async () => {
    expect((await site.ask(null, 'POST', `/events/${id}?_method=GET`, { password: SECRET })).status).toBe(200);
  });
});

describe('a protected event in lists', () => {
  const listed = async (query: string, as: Parameters<TestSite['ask']>[0] = null) =>
    (await site.ask(as, 'GET', `/events?${query}`)).body.events[0];

  test.each([null, 'administrator'] as const)('shows nothing but its title and times, to %s', async (as) => {
    const { description, title, start_date, slug, url, rest_url, utc_start_date, timezone, status } = shown;
    const kept = { title, start_date, slug, url, rest_url, utc_start_date, timezone, status, id };
    expect(description).not.toBe('');
    expect(await listed('', as)).toMatchObject({
      ...kept,
      description: '',
      excerpt: '',
      cost: '',
      website: '',
      image: false,
      all_day: null,
      show_map: null,
      show_map_link: null,
      hide_from_listings: null,
      sticky: null,
      featured: null,
      cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      custom_fields: [],
    });
    expect(JSON.stringify(await listed('', as))).not.toMatch(/bookcase|cake|Speakeasy|Mole|Hidden|whispered|pic/);
  });

  test('is unlocked by its password', async () => {
    const { json_ld: _, ...asWritten } = shown;
    expect(await listed(`password=${SECRET}`)).toEqual(asWritten);
    expect(isProtected((await listed('password=other'))!)).toBe(true);
  });

  test('is not found by searches of strangers', async () => {
    const found = async (as: Parameters<TestSite['ask']>[0], search: string) =>
      (await site.ask(as, 'GET', `/events?search=${search}`)).body['total'];
    expect([
      await found(null, 'bookcase'),
      await found(null, 'party'),
      await found('subscriber', 'bookcase'),
      await found('contributor', 'bookcase'),
      await found('author', 'bookcase'),
      await found('editor', 'bookcase'),
    ]).toEqual([0, 0, 0, 0, 1, 1]);
  });

  test('is not found by filters of strangers for what it hides, and totals match the lists', async () => {
    const hall = String((shown['venue'] as Body).id);
    const mole = String((shown['organizer'] as readonly Body[])[0]!.id);
    await site.ask('editor', 'POST', `/venues/${hall}`, { geo_lat: 52, geo_lng: 21 });
    const filters = [
      'tags=whispered',
      'categories=hidden',
      `venue=${hall}`,
      `organizer=${mole}`,
      'featured=true',
      'geoloc=true',
      'geoloc_lat=52&geoloc_lng=21',
    ];
    const found = async (as: Parameters<TestSite['ask']>[0], filter: string) => {
      const { body } = await site.ask(as, 'GET', `/events?${filter}`);
      expect(body.events).toHaveLength(Number(body['total']));
      return body['total'];
    };
    for (const filter of filters) {
      const totals = [
        await found(null, filter),
        await found('subscriber', filter),
        await found('contributor', filter),
        await found('author', filter),
        await found('editor', filter),
      ];
      expect([filter, totals]).toEqual([filter, [0, 0, 0, 1, 1]]);
    }
    // Its title and its time are public.
    expect([
      await found(null, 'start_date=2027-01-10&end_date=2027-01-10'),
      await found(null, `include=${id}`),
    ]).toEqual([1, 1]);
    // A count from before the event was protected is not kept.
    await site.ask('editor', 'POST', `/events/${id}`, { password: '' });
    expect(await found(null, 'tags=whispered')).toBe(1);
    await site.ask('editor', 'POST', `/events/${id}`, { password: SECRET });
    expect(await found(null, 'tags=whispered')).toBe(0);
  });

  test('has categories, venues and organizers that are listed as in use only for those who may see them', async () => {
    await site.ask('editor', 'POST', '/venues', { venue: 'Never used' });
    await site.ask('editor', 'POST', '/events', {
      ...whole,
      slug: 'open-party',
      title: 'Open',
      tags: ['aloud', 'whispered'],
      categories: ['Open'],
      venue: { venue: 'Square' },
      organizer: [{ organizer: 'Mayor' }],
    });
    const names = async (as: Parameters<TestSite['ask']>[0], path: string) => {
      const { body } = await site.ask(as, 'GET', path);
      const [list = []] = Object.values(body).filter(Array.isArray) as Body[][];
      expect(list).toHaveLength(Number(body['total']));
      return list.map((item) => item['name'] ?? item['venue'] ?? item['organizer']).toSorted();
    };
    const listed = async (as: Parameters<TestSite['ask']>[0]) => [
      await names(as, '/categories'),
      await names(as, '/tags'),
      await names(as, '/venues?has_events=true'),
      await names(as, '/venues?has_events=false'),
      await names(as, '/venues?only_with_upcoming=true'),
      await names(as, '/organizers?has_events=true'),
    ];
    const forStrangers = [
      ['Open'],
      ['aloud', 'whispered'],
      ['Square'],
      ['Never used', 'Speakeasy'],
      ['Square'],
      ['Mayor'],
    ];
    const forEditors = [
      ['Hidden', 'Open'],
      ['aloud', 'whispered'],
      ['Speakeasy', 'Square'],
      ['Never used'],
      ['Speakeasy', 'Square'],
      ['Mayor', 'Mole'],
    ];
    expect([await listed(null), await listed('contributor')]).toEqual([forStrangers, forStrangers]);
    expect([await listed('author'), await listed('editor')]).toEqual([forEditors, forEditors]);
  });

  test('does not reveal its venue, organizers and terms to strangers who ask by its id', async () => {
    const told = async (as: Parameters<TestSite['ask']>[0]) =>
      Promise.all(
        [`/venues?event=${id}`, `/organizers?event=${id}`, `/categories?event=${id}`, `/tags?post=${id}`].map(
          async (path) => (await site.ask(as, 'GET', path)).body['total'],
        ),
      );
    expect([await told(null), await told('editor')]).toEqual([
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ]);
  });
});

describe('trying passwords', () => {
  const ask = async (peer: string, path: string): Promise<Response> =>
    site.handle(new Request(`https://site.example/api/calendar/events/v1${path}`), undefined, peer);
  const statusOf = async (peer: string, password: string, path = `/events/${id}`): Promise<number> =>
    (await ask(peer, `${path}?password=${encodeURIComponent(password)}`)).status;
  const tryMany = async (peer: string, path?: string): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (let number = 0; number < 20; number += 1) seen.push(await statusOf(peer, `guess ${number}`, path));
    return seen;
  };

  test('is slowed down per address and event, and possible again after the wait', async () => {
    const { body: other } = await site.ask('editor', 'POST', '/events', {
      title: 'Other',
      start_date: '2027-03-01 10:00',
      end_date: '2027-03-01 11:00',
    });
    await site.ask('editor', 'POST', `/events/${other.id}`, { password: 'other' });
    expect(new Set(await tryMany('192.0.2.1'))).toEqual(new Set([403]));
    const refused = await ask('192.0.2.1', `/events/by-slug/secret-party?password=${encodeURIComponent(SECRET)}`);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      expect.objectContaining({
        code: 'rest_too_many_attempts',
        message: 'There were too many wrong passwords for this event. Try again in 1 second.',
      }),
    ]);
    expect([
      await statusOf('192.0.2.2', SECRET),
      await statusOf('192.0.2.1', 'other', `/events/${other.id}`),
      (await ask('192.0.2.1', `/events/${id}`)).status,
    ]).toEqual([200, 200, 403]);
    site.clock.now += 1_000;
    expect([await statusOf('192.0.2.1', SECRET), await statusOf('192.0.2.1', 'guess')]).toEqual([200, 403]);
    await site.ask('editor', 'DELETE', `/events/${other.id}`);
  });

  test('is limited per event over all addresses, but not for those who have opened it before', async () => {
    const { body: party } = await site.ask('editor', 'POST', '/events', {
      title: 'Garden party',
      start_date: '2027-04-01 10:00',
      end_date: '2027-04-01 11:00',
      password: 'sesame',
    });
    const path = `/events/${party.id}`;
    expect(await statusOf('198.51.100.1', 'sesame', path)).toBe(200);
    // All addresses of one IPv6 network count as one: twenty guesses.
    for (let number = 0; number < 20; number += 1)
      expect(await statusOf(`2001:db8::${number}`, `guess ${number}`, path)).toBe(403);
    expect(await statusOf('2001:db8::ffff', 'sesame', path)).toBe(429);
    for (let number = 20; number < 200; number += 1)
      expect(await statusOf(`2001:db8:0:${number}::1`, `guess ${number}`, path)).toBe(403);
    expect([
      await statusOf('203.0.113.1', 'sesame', path),
      await statusOf('198.51.100.1', 'sesame', path),
      await statusOf('203.0.113.1', SECRET),
    ]).toEqual([429, 200, 200]);
    site.clock.now += 1_000;
    expect(await statusOf('203.0.113.1', 'sesame', path)).toBe(200);
    await site.ask('editor', 'DELETE', path);
  });

  test('is slowed down in lists, where the event stays protected', async () => {
    const listed = async (peer: string): Promise<boolean> =>
      isProtected(
        ((await (await ask(peer, `/events?password=${encodeURIComponent(SECRET)}`)).json()) as Body).events[0],
      );
    expect(new Set(await tryMany('192.0.2.3', '/events'))).toEqual(new Set([200]));
    expect([await listed('192.0.2.3'), await listed('192.0.2.4'), await statusOf('192.0.2.3', SECRET)]).toEqual([
      true,
      false,
      429,
    ]);
  });

  test('is slowed down on the page of the event', async () => {
    const pages = pagesOfSite();
    const sent = async (peer: string, password: string) => {
      const answer = await pages(
        new Request('https://site.example/event/secret-party/', {
          method: 'POST',
          body: new URLSearchParams({ password }),
        }),
        peer,
      );
      const [[, , said] = []] = announcedFields(await answer.text());
      return [answer.status, said, Number(answer.headers.get('retry-after')) > 0];
    };
    await tryMany('192.0.2.5');
    expect([
      await sent('192.0.2.5', SECRET),
      await sent('192.0.2.6', SECRET),
      await sent('192.0.2.6', 'guess'),
    ]).toEqual([
      [429, 'Too many wrong passwords. Try again in a minute.', true],
      [200, undefined, false],
      [403, 'That password is not correct.', false],
    ]);
  });

  test('is not slowed down by one wrong password sent again and again, as programs do', async () => {
    for (let number = 0; number < 50; number += 1) await statusOf('192.0.2.7', 'the one of another event');
    expect(await statusOf('192.0.2.7', SECRET)).toBe(200);
  });
});

test('the page of an event opened by its password has no links that ask for it again', async () => {
  const pages = pagesOfSite();
  const read = async (path: string, init?: RequestInit): Promise<string> => {
    const answer = await pages(new Request(`https://site.example${path}`, init));
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const form = { method: 'POST', body: new URLSearchParams({ password: SECRET }) };
  const [opened, asking] = [await read('/event/secret-party/', form), await read('/event/secret-party/')];
  expect(opened).toContain('Behind the bookcase');
  for (const page of [asking, opened])
    expect(page).not.toMatch(/(?:href|content)="(?:https:\/\/site\.example)?\/event\/secret-party[^"]/);
  // A link that contains the details is there.
  expect(opened).toContain('https://calendar.google.com/calendar/render?');
});

test('a protected event is not embedded, and no page shows what it hides', async () => {
  expect(
    (await site.ask(null, 'GET', `/api/oembed/1.0/embed?url=${encodeURIComponent(String(shown['url']))}`)).status,
  ).toBe(404);
  const pages = pagesOfSite();
  for (const path of [
    '/',
    '/?month=2027-01',
    '/month/2027-01/',
    '/list/',
    '/event/secret-party/',
    '/event/secret-party/embed/',
    '/category/hidden/',
    '/tag/whispered/',
    '/venue/speakeasy/',
    '/organizer/mole/',
  ]) {
    const text = await (await pages(new Request(`https://site.example${path}`))).text();
    expect(text).not.toMatch(/bookcase|cake|pic\.png/);
  }
});

describe('the password of an event', () => {
  test('is stored as a hash, and shown nowhere', async () => {
    const { rows } = await sql<{ password: string }>`select password from site.events where id = ${id}`.execute(
      site.db,
    );
    expect(rows[0]!.password).toMatch(/^[0-9a-f]{24}:[0-9a-f]{64}$/);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown).not.toHaveProperty('password');
  });

  test('is kept by updates that do not name it, and their answers are complete', async () => {
    for (const path of [`/events/${id}`, '/events/by-slug/secret-party']) {
      const { body } = await site.ask('editor', 'POST', path, { title: 'Secret party' });
      expect([body['description'], isProtected(body)]).toEqual(['<p>Behind the bookcase</p>', false]);
      expect((await site.ask(null, 'GET', path)).status).toBe(403);
    }
  });

  test.each(['id', 'slug'])('is set and removed by %s, by users who may edit the event', async (by) => {
    const { body: event } = await site.ask('author', 'POST', '/events', {
      title: 'Mine',
      start_date: '2027-02-01 10:00',
      end_date: '2027-02-01 11:00',
    });
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

  test.each(['a request', 'a form', 'a batch'])(
    'is set on creation by %s, so that the event is never open',
    async (by) => {
      const body = {
        title: `Closed by ${by}`,
        start_date: '2027-03-01 10:00',
        end_date: '2027-03-01 11:00',
        password: 'from the start',
      };
      const made =
        by === 'a batch'
          ? (
              await site.ask('editor', 'POST', '/api/batch/v1', {
                requests: [{ path: '/calendar/events/v1/events', body }],
              })
            ).body.responses[0]!
          : by === 'a request'
            ? await site.ask('editor', 'POST', '/events', body)
            : await sentAsForm(body);
      expect(made.status).toBe(201);
      const {
        body: { id: one, description },
      } = made;
      expect([
        (await site.ask(null, 'GET', `/events/${one}`)).body.code,
        (await site.ask(null, 'GET', `/events/${one}?password=from%20the%20start`)).status,
        description,
      ]).toEqual(['event-password-protected', 200, '']);
      expect((await site.ask('editor', 'DELETE', `/events/${one}`)).status).toBe(200);
    },
  );
  const sentAsForm = async (fields: Readonly<Record<string, string>>) => {
    const answer = await site.handle(
      new Request('https://site.example/api/calendar/events/v1/events', {
        method: 'POST',
        body: new URLSearchParams(fields),
      }),
      site.callers.editor,
    );
    return { status: answer.status, body: (await answer.json()) as Body };
  };

  test('has at most 255 characters', async () => {
    const refused = await site.ask('editor', 'POST', `/events/${id}`, { password: 'x'.repeat(256), title: 'Changed' });
    expect([refused.status, refused.body.data['params']]).toEqual([
      400,
      { password: 'Invalid parameter. A password has at most 255 characters.' },
    ]);
    expect((await site.ask('editor', 'GET', `/events/${id}?context=edit`)).body['title']).toBe('Secret party');
  });

  test('is not needed to delete the event, and the answer is complete', async () => {
    const { status, body } = await site.ask('editor', 'DELETE', `/events/${id}`);
    expect([status, body['description'], body['status']]).toEqual([200, '<p>Behind the bookcase</p>', 'trash']);
  });
});
