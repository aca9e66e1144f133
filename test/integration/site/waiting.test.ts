import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { until } from '../../support/until.ts';

// Writes wait for their turn. Who does not wait for the answer any more does not want the write either.

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const event = (title: string): object => ({
  title,
  start_date: '2027-03-01 18:00:00',
  end_date: '2027-03-01 19:00:00',
  status: 'publish',
});

const REQUESTS: readonly (readonly [name: string, path: string, body: (title: string) => object])[] = [
  ['a write', '/api/calendar/events/v1/events', event],
  [
    'a batch',
    '/api/batch/v1',
    (title) => ({ requests: [{ method: 'POST', path: '/calendar/events/v1/events', body: event(title) }] }),
  ],
];

async function titles(): Promise<readonly string[]> {
  const { body } = await site.ask(null, 'GET', '/events?starts_after=1971-01-01&per_page=50');
  return body.events.map(({ title }) => String(title));
}

test.each(REQUESTS)('%s whose client has gone is not carried out when its turn comes', async (name, path, body) => {
  const client = new AbortController();
  const send = (title: string, signal?: AbortSignal): Promise<Response> =>
    site.handle(
      new Request(`https://site.example${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(title)),
        ...(signal && { signal }),
      }),
      site.callers.editor,
    );
  const sent: Promise<Response>[] = [];
  await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    sent.push(send(`Gone: ${name}`, client.signal), send(`Stays: ${name}`));
    await until('both to wait', async () => {
      const { rows } = await sql<{
        waiting: number;
      }>`select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        site.db,
      );
      return rows[0]!.waiting === 2;
    });
    client.abort();
  });
  const [gone, stays] = await Promise.all(sent);
  expect(stays!.status).toBeLessThan(300);
  expect([gone!.status, gone!.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await titles()).toContain(`Stays: ${name}`);
  expect(await titles()).not.toContain(`Gone: ${name}`);
});

test('what is refused for what it says alone waits for no turn', async () => {
  const { status } = await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    return site.ask('editor', 'POST', '/events', { ...event('Wrong'), end_date: '2020-01-01 00:00:00' });
  });
  expect(status).toBe(400);
});

test('a batch whose turn does not come is told so at once, and not tried again one by one', async () => {
  const requests = [{ path: '/calendar/events/v1/events', body: event('Late') }];
  const before = site.errors.length;
  const { status } = await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    const answer = site.ask('editor', 'POST', '/api/batch/v1', { requests });
    await until('it to wait', async () => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db);
      return rows.length > 0;
    });
    return answer;
  });
  expect([status, site.errors.length - before]).toEqual([503, 1]);
});

test('new events are written as soon as their turn comes, in the statement that waits for it', async () => {
  let answer: Promise<unknown> | undefined;
  const waiting: string[] = [];
  await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    answer = site.ask('editor', 'POST', '/events', event('In turn'));
    await until('it to wait', async () => {
      const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db);
      waiting.push(...rows.map(({ query }) => query));
      return rows.length > 0;
    });
  });
  await answer;
  expect(waiting[0]).toContain('insert into site.events');
  expect(await titles()).toContain('In turn');
});
