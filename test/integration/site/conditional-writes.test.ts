import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import type { Role } from '../../../src/site/context.ts';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';
import { until } from '../../support/until.ts';

// A write that names an ETag changes that version only (RFC 9110, section 13).

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

type Sent = readonly [status: number, code: string | undefined, tag: string | null, body: Body];

async function send(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
  as: Role | null = 'editor',
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  const response = await site.handle(
    new Request(
      `${site.settings.publicUrl}/api${path.startsWith('//') ? path.slice(1) : `/calendar/events/v1${path}`}`,
      {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      },
    ),
    as === null ? undefined : site.callers[as],
  );
  const answer = (await response.json()) as Body;
  return [response.status, answer.code, response.headers.get('etag'), answer];
}
const tagOf = async (path: string, as: Role | null = 'editor'): Promise<string> =>
  (await send(`GET ${path}`, {}, undefined, as))[2] ?? '';

const FAILED = [412, 'rest_precondition_failed'];
const days = { start_date: '2027-03-01 18:00:00', end_date: '2027-03-01 19:00:00' };
const made = async (path: string, body: object): Promise<Body> => (await send(`POST ${path}`, {}, body))[3];

const KINDS: readonly (readonly [
  name: string,
  collection: string,
  field: string,
  own: (one: Body) => string,
  body: object,
])[] = [
  ['an event', '/events', 'title', ({ id }) => `/events/${id}`, days],
  ['an event by its slug', '/events', 'title', ({ slug }) => `/events/by-slug/${String(slug)}`, days],
  ['a venue', '/venues', 'venue', ({ id }) => `/venues/${id}`, {}],
  ['a venue by its slug', '/venues', 'venue', ({ slug }) => `/venues/by-slug/${String(slug)}`, {}],
  ['an organizer', '/organizers', 'organizer', ({ id }) => `/organizers/${id}`, {}],
  ['a category', '/categories', 'name', ({ id }) => `/categories/${id}`, {}],
  ['a tag', '/tags', 'name', ({ id }) => `/tags/${id}`, {}],
];

describe.each(KINDS)('%s', (name, collection, field, own, body) => {
  let path = '';
  let tag = '';
  beforeAll(async () => {
    path = own(await made(collection, { ...body, [field]: `First: ${name}` }));
    tag = await tagOf(path);
  });
  const named = async (): Promise<unknown> => (await send(`GET ${path}`))[3][field];
  const write = async (headers: Readonly<Record<string, string>>, method = 'PATCH'): Promise<unknown> =>
    (await send(`${method} ${path}`, headers, { [field]: `${name}, ${method} ${JSON.stringify(headers)}` })).slice(
      0,
      2,
    );

  test('is unchanged if a write expects something else', async () => {
    const before = await named();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([method, await write({ 'if-match': '"another"' }, method)]).toEqual([method, FAILED]);
    expect(await write({ 'if-none-match': '*' })).toEqual(FAILED);
    expect([await named(), await tagOf(path)]).toEqual([before, tag]);
  });
  test('is changed if a write expects the current version', async () => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      expect([method, await write({ 'if-match': await tagOf(path) }, method)]).toEqual([method, [200, undefined]]);
      expect(await named()).toContain(method);
    }
  });
  test('has another ETag after each change, and can be deleted only with the current one', async () => {
    const former = await tagOf(path);
    expect(await write({ 'if-match': former })).toEqual([200, undefined]);
    expect(await write({ 'if-match': former }, 'PUT')).toEqual(FAILED);
    expect(await write({ 'if-match': former }, 'DELETE')).toEqual(FAILED);
    expect(await write({ 'if-match': await tagOf(path) }, 'DELETE')).toEqual([200, undefined]);
  });
  test('is changed by only one of several writes that expect the same version at once', async () => {
    const twice = own(await made(collection, { ...body, [field]: `At once: ${name}` }));
    const expected = await tagOf(twice);
    const writes: Promise<Sent>[] = [];
    await site.db.transaction(async (transaction) => {
      await sql`select from site.revision for update`.execute(transaction);
      for (const word of ['One', 'Other', 'Third'])
        writes.push(send(`PATCH ${twice}`, { 'if-match': expected }, { [field]: `${word}: ${name}` }));
      await until('all to wait', async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db);
        return rows[0]?.waiting === writes.length;
      });
    });
    const answers = await Promise.all(writes);
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 412, 412]);
    const written = answers.find(([status]) => status === 200)?.[3][field];
    expect((await send(`GET ${twice}`))[3][field]).toBe(written);
  });
});

describe('a write is carried out only if its condition holds', () => {
  test.each<[string, (tag: string) => Readonly<Record<string, string>>, 200 | 412]>([
    ['the ETag', (tag) => ({ 'if-match': tag }), 200],
    ['the ETag as a proxy that compresses makes it', (tag) => ({ 'if-match': tag.replace(/"$/, '-gzip"') }), 200],
    ['one of several', (tag) => ({ 'if-match': `"another" , ${tag}` }), 200],
    ['that it is there', () => ({ 'if-match': '*' }), 200],
    ['that it is not as it was', () => ({ 'if-none-match': '"another"' }), 200],
    ['a date, which nothing here has', () => ({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 200],
    ['another ETag', () => ({ 'if-match': '"another"' }), 412],
    ['a weak one', (tag) => ({ 'if-match': `W/${tag}` }), 412],
    ['what is no ETag', (tag) => ({ 'if-match': tag.slice(1, -1) }), 412],
    ['nothing', () => ({ 'if-match': '' }), 412],
    ['that there is nothing yet', () => ({ 'if-none-match': '*' }), 412],
    ['that it is not as it is', (tag) => ({ 'if-none-match': `"another", W/${tag}` }), 412],
    ['that it is and is not so', (tag) => ({ 'if-match': tag, 'if-none-match': tag }), 412],
  ])('expecting %s', async (name, headers, expected) => {
    const { id } = await made('/events', { ...days, title: 'First' });
    const path = `/events/${id}`;
    const [status] = await send(`PATCH ${path}`, headers(await tagOf(path)), { title: name });
    expect([status, (await send(`GET ${path}`))[3]['title']]).toEqual([expected, expected === 200 ? name : 'First']);
  });
});

test.each<[string, (tag: string) => string, 200 | 412]>([
  ['the current ETag', (tag) => tag, 200],
  ['any version', () => '*', 200],
  ['another ETag', () => '"another"', 412],
  ['a weak ETag', (tag) => `W/${tag}`, 412],
])('a read that expects %s is answered only if that holds', async (_name, wanted, expected) => {
  const { id } = await made('/events', { ...days, title: 'Read' });
  for (const as of ['editor', null] as const) {
    const path = `/events/${id}`;
    const headers = { 'if-match': wanted(await tagOf(path, as)) };
    const [status, code, tag, body] = await send(`GET ${path}`, headers, undefined, as);
    const isMet = expected === 200;
    expect([status, code, tag !== null, body['title']]).toEqual(
      isMet ? [200, undefined, true, 'Read'] : [...FAILED, false, undefined],
    );
  }
  expect((await send('GET /events/999999', { 'if-match': wanted('"another"') }))[0]).toBe(404);
});

test('a page of another origin can read that the condition of its read does not hold', async () => {
  const headers = { 'if-match': '"another"', origin: 'https://other.example' };
  const read = (method: string) =>
    site.handle(new Request(`${site.settings.publicUrl}/api/calendar/events/v1/tags`, { method, headers }));
  const [get, head] = [await read('GET'), await read('HEAD')];
  for (const answer of [get, head])
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([412, 'https://other.example']);
  expect(await head.text()).toBe('');
});

describe('other errors come before a condition that does not hold', () => {
  const unmet = { 'if-match': '"another"' };
  test.each<[string, string, object, Role | null, readonly unknown[]]>([
    ['an event that does not exist', 'PATCH /events/999999', {}, 'editor', [404, 'rest-event-not-found']],
    ['a venue that does not exist', 'DELETE /venues/999999', {}, 'editor', [400, 'rest_invalid_param']],
    ['a wrong value', 'PATCH /events/EVENT', { start_date: 'never' }, 'editor', [400, 'rest_invalid_param']],
    ['an unknown venue', 'PATCH /events/EVENT', { venue: 999_999 }, 'editor', [400, 'rest_invalid_param']],
    ['a caller who is not signed in', 'PATCH /events/EVENT', {}, null, [401, 'rest_forbidden']],
    ["somebody else's event", 'PATCH /events/EVENT', {}, 'author', [403, 'rest_forbidden']],
    ['an unknown route', 'PATCH /nothing', {}, 'editor', [404, 'rest_no_route']],
  ])('%s', async (_, line, body, as, refusal) => {
    const { id } = await made('/events', { ...days, title: 'Refused' });
    const answer = await send(line.replace('EVENT', String(id)), unmet, body, as);
    expect(answer.slice(0, 2)).toEqual(refusal);
  });
  test('a refused write leaves nothing behind', async () => {
    const { id } = await made('/events', { ...days, title: 'Refused' });
    const body = { venue: { venue: 'Left behind' }, organizer: 999_999 };
    expect((await send(`PATCH /events/${id}`, { 'if-match': '*' }, body)).slice(0, 2)).toEqual([
      400,
      'rest_invalid_param',
    ]);
    expect((await send('GET /venues?search=behind'))[3]['total']).toBe(0);
  });
});

describe('an ETag is that of a read of the same address by the same user', () => {
  test('for what the query asks for', async () => {
    const { id } = await made('/events', { ...days, title: 'Short', excerpt: 'Old' });
    const [whole, title] = [`/events/${id}`, `/events/${id}?_fields=title,modified_utc&_method=PATCH`];
    const tag = await tagOf(`/events/${id}?_fields=title,modified_utc`);
    expect((await send(`PATCH ${whole}`, { 'if-match': tag }, { excerpt: 'New' }))[0]).toBe(412);
    expect((await send(`POST ${title}`, { 'if-match': tag }, { excerpt: 'New' }))[0]).toBe(200);
  });
  test('a protected event has one for those who may edit it, and one for those who know its password', async () => {
    const { id } = await made('/events', { ...days, title: 'Secret', password: 'open' });
    for (const query of ['?context=edit', '?password=open']) {
      const tag = await tagOf(`/events/${id}${query}`);
      expect(tag).toMatch(/^"/);
      expect((await send(`PATCH /events/${id}${query}`, { 'if-match': tag }, { title: `S ${query}` }))[0]).toBe(200);
      expect((await send(`PATCH /events/${id}`, { 'if-match': tag }, { title: 'Lost' }))[0]).toBe(412);
    }
  });
  test('an id or slug in the body overrides the path, and the condition applies to what it names', async () => {
    const [one, other] = [await made('/tags', { name: 'One' }), await made('/tags', { name: 'Other' })];
    const write = (tag: string): Promise<Sent> =>
      send(`PATCH /tags/${one.id}`, { 'if-match': tag }, { id: other.id, description: 'New' });
    expect((await write(await tagOf(`/tags/${one.id}`)))[0]).toBe(412);
    expect((await write(await tagOf(`/tags/${other.id}`)))[3].id).toBe(other.id);
    const events = [
      await made('/events', { ...days, title: 'By slug' }),
      await made('/events', { ...days, title: 'Of another slug' }),
    ] as const;
    const tag = await tagOf('/events/by-slug/by-slug');
    const body = { slug: events[1]['slug'], excerpt: 'Lost' };
    expect((await send('PATCH /events/by-slug/by-slug', { 'if-match': tag }, body))[0]).toBe(412);
  });
  test('a category with its parent has one that changes with the parent', async () => {
    const above = await made('/categories', { name: 'Above' });
    const { id } = await made('/categories', { name: 'Below', parent: above.id });
    const path = `/categories/${id}?_embed`;
    const tag = await tagOf(path);
    expect((await send(`PATCH ${path}`, { 'if-match': tag }, { description: 'New' }))[0]).toBe(200);
    const next = await tagOf(path);
    await send(`PATCH /categories/${above.id}`, {}, { description: 'Changed' });
    expect((await send(`PATCH ${path}`, { 'if-match': next }, { description: 'Lost' }))[0]).toBe(412);
  });
  test('a list has one, which can be the condition for adding to it', async () => {
    const tag = await tagOf('/tags?hide_empty=false');
    const path = 'POST /tags?hide_empty=false';
    expect((await send(path, { 'if-match': tag }, { name: 'Only then' }))[0]).toBe(201);
    expect((await send(path, { 'if-match': tag }, { name: 'Not then' }))[0]).toBe(412);
    expect((await send(path, { 'if-none-match': '*' }, { name: 'Not then' }))[0]).toBe(412);
    expect((await send('GET /tags?hide_empty=false&search=then'))[3]['total']).toBe(1);
  });
  test('a batch has none, and ignores the condition', async () => {
    const requests = [{ path: '/calendar/events/v1/tags', body: { name: 'In a batch' } }];
    const [status, , , { responses }] = await send('POST //batch/v1', { 'if-match': '"another"' }, { requests });
    expect([status, responses[0]?.status]).toEqual([207, 201]);
  });
});

const change = (path: string, tag: string | readonly string[], description: string) => ({
  method: 'PATCH',
  path: `/calendar/events/v1${path}`,
  headers: { 'If-Match': tag },
  body: { description },
});
describe('in a batch, each item has the conditions of its own headers', () => {
  const batch = async (...requests: readonly object[]): Promise<readonly (readonly unknown[])[]> => {
    const [, , , { responses }] = await send('POST //batch/v1', {}, { requests });
    return responses.map((one) => {
      const body = one?.body as Body | undefined;
      return [one?.status, body?.code ?? body?.['description']];
    });
  };
  const one = async (name: string): Promise<string> => `/tags/${(await made('/tags', { name })).id}`;

  test('a condition that does not hold refuses its own item only', async () => {
    const [expected, changed, free] = [await one('Expected'), await one('Changed'), await one('Free')];
    const tags = [await tagOf(expected), await tagOf(changed)] as const;
    await send(`PATCH ${changed}`, {}, { description: 'Meanwhile' });
    expect(
      await batch(
        change(expected, ['"another"', tags[0]], 'New'),
        change(changed, tags[1], 'Lost'),
        { ...change(free, '', 'Anyway'), headers: {} },
        { ...change(free, '', 'Not so'), method: 'DELETE' },
      ),
    ).toEqual([
      [200, 'New'],
      [412, 'rest_precondition_failed'],
      [200, 'Anyway'],
      [412, 'rest_precondition_failed'],
    ]);
    expect((await send(`GET ${changed}`))[3]['description']).toBe('Meanwhile');
  });
  test('all items are written if all conditions hold', async () => {
    const events = [await made('/events', { ...days, title: 'A' }), await made('/events', { ...days, title: 'B' })];
    const paths = events.map(({ id }) => `/events/${id}`);
    const changes = await Promise.all(paths.map(async (path) => change(path, await tagOf(path), path)));
    expect((await batch(...changes)).map(([status]) => status)).toEqual([200, 200]);
    expect((await batch(...changes)).map(([status]) => status)).toEqual([412, 412]);
  });
  test('an item has to expect the changes of the items before it', async () => {
    const path = await one('Twice');
    const tag = await tagOf(path);
    expect(await batch(change(path, tag, 'First'), change(path, tag, 'Second'))).toEqual([
      [200, 'First'],
      [412, 'rest_precondition_failed'],
    ]);
  });
});

test('the site reported no errors', () => expect(site.errors).toEqual([]));
