import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { emptyTrash, publishDue } from '../../../src/site/store/housekeeping.ts';
import { siteRevision } from '../../../src/site/store/turn.ts';
import { DAY_MS } from '../../../src/time.ts';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const make = async (more: object = {}): Promise<Body> => {
  const { body } = await site.ask('editor', 'POST', '/events', {
    title: 'Jazz',
    start_date: '2027-01-10 18:00:00',
    end_date: '2027-01-10 20:00:00',
    ...more,
  });
  return body;
};
/** How many statements some work takes. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = site.statements();
  await work();
  return site.statements() - before;
}
const read = (path: string) => site.ask(null, 'GET', path);

test('an anonymous request that is repeated takes one small statement, until somebody writes', async () => {
  const { id } = await make();
  for (const path of ['/events', `/events/${id}`, '/events?search=jazz', '/categories']) {
    const first = await read(path);
    expect([path, await statementsOf(() => read(path))]).toEqual([path, 1]);
    const again = await read(path);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([200, first.body, first.headers.get('etag')]);
  }
  await site.ask('editor', 'POST', `/events/${id}`, { title: 'Swing' });
  expect((await read(`/events/${id}`)).body['title']).toBe('Swing');
  expect((await read('/events')).body.events.map(({ title }) => title)).toEqual(['Swing']);
});

test('events requested by id are up to date after each write', async () => {
  const ids: number[] = [];
  for (const status of ['publish', 'draft']) ids.push((await make({ title: status, status })).id);
  const shown = async (): Promise<readonly unknown[]> =>
    (await read(`/events?include=${ids.join(',')}`)).body.events.map(({ id }) => id);
  expect(await shown()).toEqual([ids[0]]);
  await site.ask('editor', 'POST', `/events/${ids[1]}`, { status: 'publish' });
  expect(await shown()).toEqual(ids);
});

test('housekeeping changes the revision only if it finds something to do', async () => {
  const { id } = await make({ title: 'Kept', status: 'draft' });
  const tidy = async (now: number): Promise<number> => {
    const it = { db: site.db, settings: site.settings, now };
    return (await publishDue(it)) + (await emptyTrash(it));
  };
  const revision = await siteRevision(site.db);
  expect(await tidy(site.clock.now)).toBe(0);
  expect(await siteRevision(site.db)).toBe(revision);
  await site.ask('editor', 'DELETE', `/events/${id}`);
  const trashed = await siteRevision(site.db);
  expect(await tidy(site.clock.now + 400 * DAY_MS)).toBe(1);
  expect(await siteRevision(site.db)).not.toBe(trashed);
});

test('a read after an answered write sees it, whatever others read meanwhile', async () => {
  const { id } = await make();
  const meanwhile: Promise<unknown>[] = [];
  for (let round = 0; round < 20; round += 1) {
    meanwhile.push(read(`/events/${id}`), read('/events'));
    const { body } = await site.ask('editor', 'POST', `/events/${id}`, { title: `Round ${round}` });
    meanwhile.push(read(`/events/${id}`), read('/events'));
    const [one, list] = await Promise.all([read(`/events/${id}`), read('/events')]);
    const titles = [body['title'], one.body['title'], list.body.events.find((event) => event.id === id)?.title];
    expect(titles).toEqual(Array.from({ length: 3 }, () => `Round ${round}`));
  }
  await Promise.all(meanwhile);
});

test('while nobody writes, an event takes one statement, which also tells whether somebody has written', async () => {
  const { id } = await make({ title: 'Quiet', slug: 'quiet' });
  const byId = `/events/${id}`;
  await read('/events');
  site.clock.now += 2_000;
  await read('/events?_=0');
  site.clock.now += 2_000;
  const asked = async (path: string): Promise<readonly unknown[]> => {
    let title: unknown;
    const statements = await statementsOf(async () => {
      title = (await read(path)).body['title'];
    });
    return [title, statements];
  };
  expect([await asked(`${byId}?_=1`), await asked('/events/by-slug/quiet?_=1')]).toEqual([
    ['Quiet', 1],
    ['Quiet', 1],
  ]);
  await sql`update site.events set title = 'Loud' where id = ${id}`.execute(site.db);
  await sql`update site.revision set value = value + 1`.execute(site.db);
  expect(await asked('/events/by-slug/quiet?_=2')).toEqual(['Loud', 3]);
  expect(await asked(`${byId}?_=2`)).toEqual(['Loud', 2]);
});

test('an answer kept for a minute is kept, however the clock moves within it', async () => {
  const { clock } = site;
  const at = clock.now;
  let looks = 0;
  Object.defineProperty(clock, 'now', { configurable: true, get: () => at - (at % 60_000) + (looks += 1) ** 2 });
  try {
    await read('/categories?_=minute');
    expect(await statementsOf(() => read('/categories?_=minute'))).toBe(1);
  } finally {
    Object.defineProperty(clock, 'now', { configurable: true, writable: true, value: at });
  }
});

test('answers that depend on rights or a password are not kept', async () => {
  const { id } = await make({ title: 'Secret', password: 'open' });
  const draft = await make({ title: 'Draft', status: 'draft' });
  expect((await site.ask('editor', 'GET', `/events/${draft.id}`)).status).toBe(200);
  expect((await read(`/events/${draft.id}`)).status).toBe(403);
  expect((await read(`/events/${id}?password=open`)).body['title']).toContain('Secret');
  expect(await statementsOf(() => read(`/events/${id}?password=open`))).toBeGreaterThan(1);
  expect((await read(`/events/${id}?password=wrong`)).status).toBe(403);
  expect((await read(`/events/${id}`)).status).toBe(403);
});

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

async function plainTextOf(answer: Response): Promise<string> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const decode = DECODERS[answer.headers.get('content-encoding') ?? ''];
  return String(decode && bytes.length > 0 ? decode(bytes) : bytes);
}

test('an answer given again is compressed for clients that accept that, with an ETag for each encoding', async () => {
  await make({ description: 'Every Wednesday until 6 March. '.repeat(100) });
  const ask = (accepted: string, more: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> => {
    const url = `${site.settings.publicUrl}/api/calendar/events/v1/events?_=compressed`;
    return site.handle(new Request(url, { method, headers: { 'accept-encoding': accepted, ...more } }));
  };
  const first = await ask('br, gzip');
  const [plain, tags] = [await first.text(), [first.headers.get('etag') ?? '']];
  expect([first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual([
    null,
    'Origin, Authorization, Accept-Encoding',
  ]);
  for (const coding of ['br', 'gzip']) {
    const [again, head] = [await ask(coding), await ask(coding, {}, 'HEAD')];
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(again.headers));
    expect([again.headers.get('content-encoding'), again.headers.get('vary')]).toEqual([
      coding,
      first.headers.get('vary'),
    ]);
    tags.push(again.headers.get('etag') ?? '');
    expect((await again.clone().arrayBuffer()).byteLength).toBeLessThan(plain.length / 2);
    expect(await plainTextOf(again)).toBe(plain);
  }
  expect((await ask('identity')).headers.get('content-encoding')).toBe(null);
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    const unchanged = await ask('br', { 'if-none-match': tag });
    expect([unchanged.status, unchanged.headers.has('content-encoding'), await unchanged.text()]).toEqual([
      304,
      false,
      '',
    ]);
  }
});

/** Ways to request the same thing: method, query and headers. */
const WAYS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['GET', '', {}],
  ['HEAD', '', {}],
  ['GET', '', { origin: 'https://other.example' }],
  ['GET', '', { 'if-none-match': '*', origin: 'https://other.example' }],
  ['GET', '', { accept: 'text/html', 'accept-encoding': 'gzip', range: 'bytes=0-3', cookie: 'a=b' }],
  ['GET', '', { 'x-http-method-override': 'DELETE' }],
  ['GET', '?_envelope=1', {}],
  ['GET', '?_jsonp=show', {}],
  ['GET', '?_jsonp=a-b', {}],
  ['GET', '?_fields=title,events,code', {}],
  ['GET', '?_method=OPTIONS', {}],
  ['GET', '?_method=POST', {}],
  ['GET', '?password=open', {}],
  ['GET', '?password[]=open', {}],
  ['GET', '?status=draft', {}],
  ['POST', '?_method=GET', {}],
  ['OPTIONS', '', {}],
];

test('anonymous requests are answered as if nothing had been kept of earlier ones, whatever their form', async () => {
  const open = await make({ title: 'Open' });
  const secret = await make({ title: 'Secret', password: 'open' });
  const paths = ['/events', `/events/${open.id}`, `/events/${secret.id}`, '/events/999999', '/nowhere'];
  const ask = async (path: string, [method, query, headers]: (typeof WAYS)[number]): Promise<unknown> => {
    const url = `${site.settings.publicUrl}/api/calendar/events/v1${path}${query}`;
    const answer = await site.handle(new Request(url, { method, headers }), undefined, '192.0.2.1');
    const { etag, 'content-encoding': coding, ...others } = Object.fromEntries(answer.headers);
    const plainTag = coding === undefined ? etag : etag?.replace(`-${coding}"`, '"');
    return [path, query, answer.status, { ...others, etag: plainTag }, await plainTextOf(answer)];
  };
  const forgetKept = (): Promise<unknown> => sql`update site.revision set value = value + 1`.execute(site.db);
  for (const path of paths) {
    const alone: unknown[] = [];
    for (const way of WAYS) {
      await forgetKept();
      alone.push(await ask(path, way));
    }
    for (const first of WAYS) {
      await forgetKept();
      await ask(path, first);
      for (const [index, way] of WAYS.entries()) expect(await ask(path, way)).toEqual(alone[index]);
    }
  }
});

test('an envelope with an error is not kept', async () => {
  const gone = await read('/events/2000000000?_envelope=1');
  expect([gone.status, gone.body['status'], gone.headers.get('etag')]).toEqual([200, 404, null]);
  expect((await read('/events?_envelope=1')).headers.get('etag')).not.toBeNull();
});

test('lists that share events load each of them and its references once, until somebody writes', async () => {
  const venue = await site.ask('editor', 'POST', '/venues', { venue: 'Old name' });
  const category = await site.ask('editor', 'POST', '/categories', { name: 'Loud' });
  const { id } = await make({ title: 'Shared', venue: venue.body.id, categories: [category.body.id] });
  const lists = [
    '/events?search=shared',
    `/events?venue=${venue.body.id}`,
    '/events?search=shared&per_page=3',
    `/events?include=${id}`,
    '/events?search=shared&_fields=events',
  ];
  const shown = async (): Promise<readonly unknown[]> =>
    Promise.all(
      lists.map(async (list) => {
        const { body, status } = await read(list);
        const [event] = body.events;
        return [status, body.events.length, event?.id, event?.title, event?.venue.venue, event?.categories[0]?.count];
      }),
    );
  const expected = (title: string, place: string, count: number): readonly unknown[] =>
    lists.map(() => [200, 1, id, title, place, count]);
  expect(await shown()).toEqual(expected('Shared', 'Old name', 1));
  // The revision and the ids: no rows.
  expect(await statementsOf(() => read('/events?search=shared&per_page=4'))).toBe(2);
  await site.ask('editor', 'POST', `/venues/${venue.body.id}`, { venue: 'New name' });
  expect(await shown()).toEqual(expected('Shared', 'New name', 1));
  const other = await make({ title: 'Other', categories: [category.body.id] });
  expect(await shown()).toEqual(expected('Shared', 'New name', 2));
  await site.ask('editor', 'POST', `/events/${id}`, { title: 'Shared again' });
  expect(await shown()).toEqual(expected('Shared again', 'New name', 2));
  await site.ask('editor', 'POST', `/events/${id}`, { password: 'open' });
  expect((await read(`/events?include=${id}`)).body.events[0]).toMatchObject({ venue: [], categories: [] });
  await site.ask('editor', 'POST', `/events/${id}`, { password: '', status: 'draft' });
  expect((await read(`/events?include=${id},${other.id}`)).body.events.map((event) => event.id)).toEqual([other.id]);
  await site.ask('editor', 'POST', `/events/${id}`, { status: 'publish' });
  await site.ask('editor', 'DELETE', `/venues/${venue.body.id}`);
  expect((await read(`/events?include=${id}`)).body.events[0]).toMatchObject({ title: 'Shared again', venue: [] });
});

test('a page is in order, whichever of its events were loaded before', async () => {
  const ids: number[] = [];
  for (const hour of [20, 18, 19])
    ids.push(
      (await make({ title: 'Ordered', start_date: `2027-05-10 ${hour}:00:00`, end_date: '2027-05-10 22:00:00' })).id,
    );
  const order = [ids[1], ids[2], ids[0]];
  expect((await read('/events?search=ordered&starts_after=2027-05-09&per_page=1&page=2')).body.events[0]?.id).toBe(
    ids[2],
  );
  const whole = await read('/events?search=ordered');
  expect(whole.body.events.map(({ id }) => id)).toEqual(order);
  const included = await read(`/events?include=${ids.join()}`);
  expect(included.body.events.map(({ id }) => id)).toEqual(ids);
});

test('answers that depend on the clock are right to the minute', async () => {
  const { venue } = await make({ title: 'Soon', venue: { venue: 'Hall' }, start_date: '2026-11-20 11:45:00' });
  const upcoming = async (): Promise<readonly unknown[]> =>
    (await read('/venues?only_with_upcoming=true')).body.venues?.map(({ id }) => id) ?? [];
  expect(await upcoming()).toContain(venue.id);
  site.clock.now += 10 * 60_000;
  expect(await upcoming()).not.toContain(venue.id);
});

test('events requested by id that fit on a page are counted by reading them', async () => {
  const made = [await make({ title: 'One' }), await make({ title: 'Two' }), await make({ status: 'trash' })];
  const include = [...made.map(({ id }) => id), 2_000_000_000].join(',');
  const named = (query: string) => site.ask('editor', 'GET', `/events?include=${include}${query}`);
  const whole = await named('&per_page=4');
  expect([whole.body.events.length, whole.body['total'], whole.body['total_pages']]).toEqual([2, 2, 1]);
  expect(await statementsOf(() => named('&per_page=4'))).toBe(1);
  const first = await named('&per_page=1');
  expect([first.body.events.length, first.body['total'], first.body['total_pages']]).toEqual([1, 2, 2]);
  expect((await named('&per_page=4&page=2')).status).toBe(404);
  const none = await site.ask('editor', 'GET', '/events?include=2000000000');
  expect([none.status, none.body.events, none.body['total'], none.body['total_pages']]).toEqual([200, [], 0, 0]);
});
