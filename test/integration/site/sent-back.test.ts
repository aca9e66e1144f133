import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type Body, type TestSite } from '../../support/builtin-site.ts';

// Programs read, change one field and send everything back: the other fields stay as they are.

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite({ currency: { symbol: ' zł', position: 'postfix' } });
});
afterAll(() => site.close());

const when = { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
const unchanged = (read: object): object => ({ ...read, modified: '', modified_utc: '' });
const path = (kind: string, { id }: Body): string => `/${kind}/${id}`;
const create = async (kind: string, body: object): Promise<Body> =>
  (await site.ask('editor', 'POST', `/${kind}`, { ...when, title: 'Sent', venue: 'Sent', organizer: 'Sent', ...body }))
    .body;
const read = async (kind: string, thing: Body): Promise<Body> =>
  (await site.ask('editor', 'GET', path(kind, thing))).body;

const event = { venue: [], organizer: [] };
const MADE: readonly (readonly [kind: string, body: object])[] = [
  ['events', { ...event, status: 'draft' }],
  ['events', { ...event, status: 'pending', slug: 'sent-pending' }],
  ['events', { ...event, status: 'private' }],
  ['events', { ...event, status: 'publish', date: '2027-01-01' }],
  ['events', { ...event, website: 'https://a.example/?a=1&b=2' }],
  ['events', { ...event, website: '' }],
  ...['15', '0', '0 - 10', '10, 20', '$15', '15 zł', 'Pay what you want'].map((cost): [string, object] => [
    'events',
    { ...event, cost },
  ]),
  ['venues', {}],
  ['venues', { status: 'draft', show_map: 'false' }],
  ['organizers', { status: 'draft' }],
];
test.each(MADE)('%s created with %j can be sent back whole, which changes nothing', async (kind, body) => {
  const before = await read(kind, await create(kind, body));
  expect((await site.ask('editor', 'PUT', path(kind, before), before)).status).toBe(200);
  expect(unchanged(await read(kind, before))).toEqual(unchanged(before));
});

test('a draft sent back whole and published gets its own page as website, and the current date', async () => {
  const draft = await create('events', { ...event, title: 'From a draft', status: 'draft' });
  await site.ask('editor', 'PUT', path('events', draft), draft);
  site.clock.now += 60_000;
  const { body } = await site.ask('editor', 'PUT', path('events', draft), { ...draft, status: 'publish' });
  expect([body['slug'], body['date'], body['website']]).toEqual(['from-a-draft', body['modified'], body['url']]);
});

test('the website of an event sent back whole changes along with its slug', async () => {
  const before = await create('events', { ...event, slug: 'sent-before' });
  const { body } = await site.ask('editor', 'PUT', path('events', before), { ...before, slug: 'sent-after' });
  expect([body['website'], body['slug']]).toEqual([body['url'], 'sent-after']);
});

test.each(['PUT', 'PATCH'])('%s cannot remove a slug', async (method) => {
  const { body, status } = await site.ask('editor', method, path('events', await create('events', event)), {
    slug: '',
  });
  expect([status, body.code, body.data['params']]).toEqual([
    400,
    'rest_invalid_param',
    { slug: 'Invalid parameter. A slug can be changed, but not taken away.' },
  ]);
});
