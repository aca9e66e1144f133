import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite({ currency: { symbol: 'zł', position: 'postfix' } });
});
afterAll(() => site.close());

test.each(['categories', 'tags'])('%s refuse an existing name, and name the term that has it', async (taxonomy) => {
  const {
    body: { id },
  } = await site.ask('editor', 'POST', `/${taxonomy}`, { name: 'Muzyka' });
  const { status, body } = await site.ask('editor', 'POST', `/${taxonomy}`, { name: 'muzyka' });
  expect([status, body]).toEqual([
    400,
    {
      code: 'term_exists',
      message: expect.stringContaining('already exists'),
      data: { status: 400, term_id: id },
      additional_data: [id, id],
    },
  ]);
  const batch = await site.ask('editor', 'POST', '/api/batch/v1', {
    requests: [{ method: 'POST', path: `/calendar/events/v1/${taxonomy}`, body: { name: 'Muzyka' } }],
  });
  expect(batch.body.responses[0]!.body).toMatchObject({ code: 'term_exists', additional_data: [id, id] });
});

test.each([
  [25, '25zł', ['25'], ''],
  ['25', '25zł', ['25'], ''],
  [12.5, '12.5zł', ['12.5'], ''],
  [12.345, '12.3450zł', ['12.3450'], ''],
  [0.125, '0.125zł', ['0.125'], ''],
  [1e-7, '0.0000001zł', ['0.0000001'], ''],
  [1e21, '1000000000000000000000zł', ['1000000000000000000000'], ''],
  [[12.345, 20], '12.3450zł – 20zł', ['12.3450', '20'], ''],
  ['$25', '$25', ['25'], '$'],
  [[10, 20], '10zł – 20zł', ['10', '20'], ''],
  [['20', 10], '10zł – 20zł', ['10', '20'], ''],
  [{ adults: 30, children: 15 }, '15zł – 30zł', ['15', '30'], ''],
  ['Free', 'Free', ['free'], ''],
  [0, 'Free', ['0'], ''],
  ['', '', [], ''],
  [[], '', [], ''],
  [null, '', [], ''],
])('a cost of %j is shown as %s on a site with the currency zł', async (cost, shown, values, symbol) => {
  const { status, body } = await site.ask('editor', 'POST', '/events', {
    title: 'Concert',
    start_date: '2027-01-10 18:00',
    end_date: '2027-01-10 20:00',
    cost,
  });
  expect([status, body['cost'], body['cost_details']]).toEqual([
    201,
    shown,
    { currency_symbol: symbol, currency_code: '', currency_position: symbol && 'prefix', values },
  ]);
});

test('a category below another one may have an existing name: its slug ends with those of the categories above', async () => {
  const create = async (name: string, parent?: number, slug?: string) =>
    (await site.ask('editor', 'POST', '/categories', { name, parent, slug })).body;
  const top = await create('Kino');
  const jazz = await create('Jazz');
  const hall = await create('Sala', jazz.id);
  expect(
    [await create('Kino', jazz.id), await create('Kino', hall.id), await create('Inne', hall.id, 'kino')].map(
      ({ slug, parent }) => [slug, parent],
    ),
  ).toEqual([
    ['kino-jazz', jazz.id],
    ['kino-sala', hall.id],
    ['kino-sala-jazz', hall.id],
  ]);
  expect((await create('Kino', top.id))['slug']).toBe('kino-kino');
  expect((await create('Dalsze', top.id, 'kino'))['slug']).toBe('kino-kino-2');
});

test('a term is not created again with its own slug, and an event that names it twice has it once', async () => {
  const { body: twice } = await site.ask('editor', 'POST', '/tags', { name: 'Twice', slug: 'two-times' });
  const again = await site.ask('editor', 'POST', '/tags', { name: 'Twice', slug: 'two-times' });
  expect([again.status, again.body.code, again.body.data['term_id']]).toEqual([400, 'term_exists', twice.id]);
  const { body: hall } = await site.ask('editor', 'POST', '/venues', { venue: 'Hall' });
  const { body } = await site.ask('editor', 'POST', '/events', {
    title: 'Concert',
    start_date: '2027-01-10 18:00',
    end_date: '2027-01-10 20:00',
    tags: ['Twice', 'two-times', twice.id],
    venue: [hall.id, hall.id],
  });
  expect([body.tags.map(({ id }) => id), body.venue.id]).toEqual([[twice.id], hall.id]);
  const { body: found } = await site.ask(null, 'GET', '/tags?search=two-times');
  expect(found.tags.map(({ id }) => id)).toEqual([twice.id]);
});

const unchanged = (read: object) => ({ ...read, modified: '', modified_utc: '' });

test('a category, an event or an organizer can be sent back whole, which changes nothing', async () => {
  const send = async (method: string, path: string, body?: object) =>
    (await site.ask('editor', method, path, body)).body;
  const { id: top } = await send('POST', '/categories', { name: 'Read & sent back' });
  const { id: below } = await send('POST', '/categories', { name: 'Below', parent: top });
  const { id: organizer } = await send('POST', '/organizers', { organizer: 'Sent & back', phone: '1' });
  const { id: event } = await send('POST', '/events', {
    title: 'Sent & back',
    start_date: '2027-01-10 18:00:00',
    end_date: '2027-01-10 20:00:00',
    categories: [below],
    organizer,
  });
  for (const path of [`/categories/${top}`, `/categories/${below}`, `/events/${event}`, `/organizers/${organizer}`]) {
    const read = await send('GET', path);
    expect((await site.ask('editor', 'PUT', path, read)).status).toBe(200);
    expect(unchanged(await send('GET', path))).toEqual(unchanged(read));
  }
  expect((await send('PATCH', `/categories/${below}`, { parent: null }))['parent']).toBe(0);
});

test.each([
  ['CEST', '16:00:00', 'CEST'],
  ['edt', '22:00:00', 'EDT'],
  ['BST', '17:00:00', 'BST'],
  ['AEST', '08:00:00', 'AEST'],
  ['EST', '23:00:00', 'EST'],
])('a time zone may be an abbreviation: %s', async (timezone, utc, abbreviation) => {
  const { status, body } = await site.ask('editor', 'POST', '/events', {
    title: 'Abroad',
    start_date: '2027-01-10 18:00',
    end_date: '2027-01-10 20:00',
    timezone,
  });
  expect([
    status,
    body['timezone'],
    body['timezone_abbr'],
    body['start_date'],
    String(body['utc_start_date']).slice(11),
  ]).toEqual([201, timezone, abbreviation, '2027-01-10 18:00:00', utc]);
  const { body: read } = await site.ask(null, 'GET', `/events/${body.id}`);
  expect((read['json_ld'] as { startDate: string }).startDate).toMatch(/^2027-01-10T18:00:00[+-]\d\d:00$/);
});

test('an event may be on the last possible day in any time zone', async () => {
  for (const [timezone, utc, end] of [
    ['Europe/Warsaw', '9999-12-31 22:59:59', '23:59:59+01:00'],
    ['America/New_York', '10000-01-01 04:59:59', '23:59:59-05:00'],
  ]) {
    const { status, body } = await site.ask('editor', 'POST', '/events', {
      title: 'For ever',
      start_date: '9999-12-31',
      end_date: '9999-12-31',
      all_day: true,
      timezone,
    });
    expect([status, body['start_date'], body['end_date'], body['utc_end_date']]).toEqual([
      201,
      '9999-12-31 00:00:00',
      '9999-12-31 23:59:59',
      utc,
    ]);
    const { body: read } = await site.ask(null, 'GET', `/events/${body.id}`);
    expect([read['utc_end_date'], (read['json_ld'] as { endDate: string }).endDate]).toEqual([
      utc,
      `9999-12-31T${end}`,
    ]);
  }
  expect((await site.ask(null, 'GET', '/events?starts_after=9999-01-01')).body['total']).toBe(2);
});

test.each(['categories', 'tags'])(
  'the description of %s is emptied by an update, with "" or null',
  async (taxonomy) => {
    for (const [name, nothing] of [
      ['Described', ''],
      ['Described, too', null],
    ] as const) {
      const { body } = await site.ask('editor', 'POST', `/${taxonomy}`, { name, description: 'At length' });
      expect(body['description']).toBe('At length');
      const { body: next } = await site.ask('editor', 'PATCH', `/${taxonomy}/${body.id}`, { description: nothing });
      expect([next['name'], next['description']]).toEqual([name, '']);
    }
  },
);
