import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AtOnce } from '../../../src/contract/arg.ts';
import { makeSiteClient } from '../../../src/client/make-site-client.ts';
import type { InProcess, SiteClient, Transport, Write } from '../../../src/client/site-client.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { all } from '../../support/client-of.ts';

// Inside the process, requests reach the built-in site as values instead of JSON text. Two sites in the same state, one
// asked in values and one in text, give identical answers.

let byValues: TestSite;
let byTexts: TestSite;
/** Hands requests to the first site, which accepts so many writes and returns so many items at once. */
const inValues = (atOnce: AtOnce): InProcess => ({
  atOnce,
  exchange: async (sent) => {
    const { status, headers, body } = await byValues.answer(sent, byValues.callers.editor, { atOnce });
    return { status, headers: new Headers(headers), text: '', body };
  },
});
const clientOf = (transport: Transport | InProcess): SiteClient =>
  makeSiteClient({
    root: 'https://site.example/api',
    namespace: 'calendar/events/v1',
    transport,
    languageParameter: 'translation_language',
    language: 'en',
  });

let clients: readonly SiteClient[];
beforeAll(async () => {
  [byValues, byTexts] = [await builtinSite(), await builtinSite()];
  clients = [
    clientOf(inValues({ writes: 25, items: 50 })),
    clientOf((request) => byTexts.handle(request, byTexts.callers.editor)),
  ];
});
afterAll(async () => {
  await byValues.close();
  await byTexts.close();
});

/** What both clients get; errors are compared by their message. */
async function both<T>(ask: (client: SiteClient) => Promise<T>): Promise<unknown> {
  const [values, texts] = await Promise.all(
    clients.map((client) => ask(client).catch((error: unknown) => ({ error: String(error) }))),
  );
  expect(values).toStrictEqual(texts);
  expect([byValues.errors, byTexts.errors]).toEqual([[], []]);
  return values;
}

const TIMES = { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
const create = (body: Readonly<Record<string, unknown>>, path = '/events'): Write => ({ method: 'POST', path, body });
const PICTURE = 'https://pictures.example/a.png';

/** Writes, each after the status that it is answered with. */
const BATCHES: Readonly<Record<string, readonly (readonly [number, Write])[]>> = {
  'new terms, venues and organizers': [
    [201, create({ name: 'Music' }, '/categories')],
    [201, create({ name: 'Jazz', description: 'a & b' }, '/categories')],
    [201, create({ name: 'free' }, '/tags')],
    [201, create({ venue: 'Hall', city: 'Town', geo_lat: 50.5, geo_lng: -19.25, website: null }, '/venues')],
    [201, create({ organizer: 'Choir', email: 'choir@site.example', description: 'a\n\nb' }, '/organizers')],
  ],
  'new events': [
    [201, create({ ...TIMES, title: 'Plain' })],
    [
      201,
      create({
        ...TIMES,
        title: 'Full',
        categories: ['Music'],
        tags: ['new'],
        venue: { venue: 'Hall' },
        cost: [5, '10 zł'],
        image: PICTURE,
      }),
    ],
    [201, create({ ...TIMES, title: 'Protected', password: 'secret', status: 'draft', all_day: true })],
  ],
  'values that JSON does not have': [
    [201, create({ ...TIMES, title: 'NUL \0 and half \ud83d', description: undefined, tags: ['x', undefined] })],
    [201, create({ ...TIMES, title: 'A date', date: new Date('2026-01-02T03:04:05Z'), website: Number.NaN })],
    [201, create({ ...TIMES, title: 'Nested', venue: { venue: 'Attic \0', city: undefined, show_map: true } })],
  ],
  'writes that are refused': [
    [400, create({ title: 'No times' })],
    [400, create({ ...TIMES, title: 'No venue', venue: 999_999 })],
    [400, create({ ...TIMES, title: 'Never', start_date: 'never' })],
    [404, create({}, '/nowhere')],
    [404, { method: 'DELETE', path: '/events/999999' }],
  ],
  'changes and deletes': [
    [200, { method: 'PUT', path: '/events/by-slug/plain', body: { title: 'Other', id: undefined, venue: [] } }],
    [200, { method: 'DELETE', path: '/events/by-slug/full' }],
    [400, { method: 'DELETE', path: '/events/by-slug/full' }],
  ],
};

test.each(Object.entries(BATCHES))('a batch of %s is answered as over HTTP', async (_, writes) => {
  const answers = await both((client) => client.write(writes.map(([, write]) => write)));
  expect(answers).toMatchObject(writes.map(([status]) => ({ kind: 'answered', status })));
  await both((client) => all(client.list('events', { status: 'publish,draft,trash', start_date: '2000-01-01' })));
});

test('reads are answered as over HTTP', async () => {
  await both((client) => client.abilities());
  await both((client) => client.rights());
  for (const resource of ['events', 'venues', 'organizers', 'categories', 'tags'] as const) {
    const items = (await both((client) => all(client.list(resource, { per_page: '2' })))) as { readonly id: number }[];
    expect(items).not.toEqual([]);
    for (const { id } of [...items, { id: 999_999 }]) await both((client) => client.read(resource, { id }));
  }
  for (const slug of ['other', 'full', 'protected', 'nested', 'none', 'a/b', '\0'])
    await both((client) => client.read('events', { slug }));
  await both((client) => all(client.list('events', { page: 'x' })));
  await both((client) =>
    all(client.list('events', Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`a${n}`, '1'])))),
  );
});

test('lists have larger pages in process than over HTTP', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `Page ${at}`);
  const writes = names.map((name) => create({ name }, '/tags'));
  for (const from of [0, 25, 50]) await both((client) => client.write(writes.slice(from, from + 25)));
  const read = async (transport: Transport | InProcess): Promise<readonly unknown[]> => {
    const client = clientOf(transport);
    const { perPageMax } = await client.abilities();
    const before = client.requests();
    const tags = await all(client.list('tags', { search: 'Page ' }));
    return [perPageMax, client.requests() - before, tags.map(({ name }) => name).toSorted()];
  };
  expect(await read(inValues({ writes: 25, items: 200 }))).toEqual([200, 1, names.toSorted()]);
  expect(await read((request) => byTexts.handle(request, byTexts.callers.editor))).toEqual([50, 2, names.toSorted()]);
  const url = 'https://site.example/api/calendar/events/v1/tags?search=Page&hide_empty=false&per_page=200';
  const answer = await byTexts.handle(new Request(url), byTexts.callers.editor);
  expect(await answer.json()).toMatchObject({ tags: { length: 50 }, total: 60, total_pages: 2 });
});

test('a written body is not modified', async () => {
  const [client] = clients;
  const body = { ...TIMES, title: 'Mine', categories: ['Music'], venue: { venue: 'Cellar' } };
  const copy = structuredClone(body);
  const [answer] = (await client?.write([create(body)])) ?? [];
  expect(answer).toMatchObject({ kind: 'answered', status: 201 });
  expect(body).toStrictEqual(copy);
});

test('neither site has logged an error', async () => {
  await both((client) => client.rights());
  expect([byValues.errors, byTexts.errors]).toEqual([[], []]);
});
