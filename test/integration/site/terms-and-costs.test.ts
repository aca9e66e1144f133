import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => { site = await builtinSite({ currency: { symbol: 'zł', position: 'postfix' } }); });
afterAll(() => site.close());

test.each(['categories', 'tags'])('a name that %s have already: the answer tells the term that has it', async (taxonomy) => {
  const { body: { id } } = await site.ask('editor', 'POST', `/${taxonomy}`, { name: 'Muzyka' });
  const { status, body } = await site.ask('editor', 'POST', `/${taxonomy}`, { name: 'muzyka' });
  expect([status, body]).toEqual([400, { code: 'term_exists', message: expect.stringContaining('already exists'), data: { status: 400, term_id: id }, additional_data: [id, id] }]);
  const batch = await site.ask('editor', 'POST', '/api/batch/v1', { requests: [{ method: 'POST', path: `/calendar/events/v1/${taxonomy}`, body: { name: 'Muzyka' } }] });
  expect(batch.body.responses[0]!.body).toMatchObject({ code: 'term_exists', additional_data: [id, id] });
});

test.each([
  [25, '25zł', ['25'], ''], ['25', '25zł', ['25'], ''], [12.5, '12.5zł', ['12.5'], ''], ['$25', '$25', ['25'], '$'], [[10, 20], '10zł – 20zł', ['10', '20'], ''], [['20', 10], '10zł – 20zł', ['10', '20'], ''],
  [{ adults: 30, children: 15 }, '15zł – 30zł', ['15', '30'], ''], ['Free', 'Free', ['free'], ''], [0, 'Free', ['0'], ''], ['', '', [], ''], [[], '', [], ''], [null, '', [], ''],
])('a cost of %j is shown as %s on a site that counts in zł', async (cost, shown, values, symbol) => {
  const { status, body } = await site.ask('editor', 'POST', '/events', { title: 'Concert', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00', cost });
  expect([status, body['cost'], body['cost_details']]).toEqual([201, shown, { currency_symbol: symbol, currency_code: '', currency_position: symbol && 'prefix', values }]);
});
