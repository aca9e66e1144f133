import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchAnswer, Event } from '../../../src/contract/representation.ts';
import { sql, type Queryable } from '../../../src/db/database.ts';
import { createLogger } from '../../../src/log.ts';
import { makeEmbedHandlers } from '../../../src/site/embeds/embed-handlers.ts';
import { openRest } from '../../../src/site/requests/handle.ts';
import { storeHandlers, storeSets, storeStatements } from '../../../src/site/store/store-handlers.ts';
import { startWeb } from '../../../src/web/start-web.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { until } from '../../support/until.ts';

// Writes wait for their turn. A client that no longer waits for the answer does not want the write either.

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
  const clients: (() => boolean)[] = [];
  const answers: Promise<Response>[] = [];
  const web = await startWeb(
    { host: '127.0.0.1', port: 0 },
    [
      [
        '/*',
        (request, peer, isAwaited) => {
          clients.push(isAwaited!);
          const answer = site.handle(request, site.callers.editor, peer, isAwaited);
          answers.push(answer);
          return answer;
        },
      ],
    ],
    createLogger('fatal'),
  );
  const send = (title: string, signal?: AbortSignal): Promise<Response> =>
    fetch(web.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body(title)),
      ...(signal && { signal }),
    });
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
    expect(clients.map((isAwaited) => isAwaited())).toEqual([true, true]);
    client.abort();
    await expect(sent[0]).rejects.toThrow('aborted');
    await until('the program to notice', async () => clients.filter((isAwaited) => !isAwaited()).length === 1);
  });
  expect((await sent[1]!).status).toBeLessThan(300);
  const refused = (await Promise.all(answers)).filter(({ status }) => status >= 300);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([[503, '5']]);
  await web.close();
  expect(await titles()).toContain(`Stays: ${name}`);
  expect(await titles()).not.toContain(`Gone: ${name}`);
});

test('a write that is invalid in itself is refused without waiting for its turn', async () => {
  const { status } = await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    return site.ask('editor', 'POST', '/events', { ...event('Wrong'), end_date: '2020-01-01 00:00:00' });
  });
  expect(status).toBe(400);
});

test('a batch whose turn does not come fails at once, and is not tried again item by item', async () => {
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

/** The answers to a batch of new events in this process if somebody else does `meanwhile` before its turn comes. */
async function answeredAfter(events: readonly object[], meanwhile: (transaction: Queryable) => Promise<unknown>) {
  const requests = events.map((body) => ({ path: '/calendar/events/v1/events', body }));
  let answer: ReturnType<TestSite['answer']> | undefined;
  await site.db.transaction(async (transaction) => {
    await sql`select from site.revision for update`.execute(transaction);
    await meanwhile(transaction);
    const url = new URL('https://site.example/api/batch/v1');
    answer = site.answer({ method: 'POST', url, body: { requests } }, site.callers.editor);
    await until('it to wait', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db);
      return rows.length > 0;
    });
  });
  const { responses } = (await answer!).body as BatchAnswer;
  return responses.map((one) => ({ status: one!.status, slug: (one!.body as Partial<Event>).slug }));
}

test('a category deleted before the turn comes is in no new event, and fails only those that name it', async () => {
  const { body } = await site.ask('editor', 'POST', '/categories', { name: 'Short-lived' });
  const id = Number(body['id']);
  const answers = await answeredAfter([event('Without'), { ...event('With it'), categories: [id] }], (transaction) =>
    sql`delete from site.terms where id = ${id}`.execute(transaction),
  );
  expect(answers).toEqual([
    { status: 201, slug: 'without' },
    { status: 400, slug: undefined },
  ]);
});

test('coordinates that a place gets before the turn comes are on new events there, and on no others', async () => {
  const placeOf = async (name: string): Promise<number> =>
    Number((await site.ask('editor', 'POST', '/venues', { venue: name })).body['id']);
  const [found, elsewhere] = [await placeOf('Found'), await placeOf('Elsewhere')];
  const events = [
    { ...event('There'), venue: found },
    { ...event('At the other'), venue: elsewhere },
    event('At none'),
  ];
  await answeredAfter(events, (transaction) =>
    sql`update site.venues set geo_lat = 52.2, geo_lng = 21 where id = ${found}`.execute(transaction),
  );
  const { rows } = await sql<{ title: string; located: boolean }>`select title, located from site.events
    where title in ('There', 'At the other', 'At none') order by id`.execute(site.db);
  expect(rows.map(({ title, located }) => [title, located])).toEqual([
    ['There', true],
    ['At the other', false],
    ['At none', false],
  ]);
});

test('a slug that is taken before the turn comes is not used again', async () => {
  const { body } = await site.ask('editor', 'POST', '/events', event('To be renamed'));
  const answers = await answeredAfter([event('Same name'), event('Other name')], (transaction) =>
    sql`update site.events set slug = 'same-name' where id = ${Number(body['id'])}`.execute(transaction),
  );
  expect(answers.map(({ slug }) => slug)).toEqual(['same-name-2', 'other-name']);
});

test('a failure after new events have been written does not write them again', async () => {
  const reported: unknown[] = [];
  const failing: Queryable = {
    ...site.db,
    run: (text, values) =>
      text.includes('json_agg') ? Promise.reject(new Error('gone wrong')) : site.db.run(text, values),
  };
  const { answer } = openRest({
    db: failing,
    settings: site.settings,
    handlers: { ...storeHandlers, ...makeEmbedHandlers(async () => ({ kind: 'failed', message: 'Out of reach.' })) },
    sets: storeSets,
    statements: storeStatements,
    now: () => site.clock.now,
    report: (error) => reported.push(error),
  });
  const { body: category } = await site.ask('editor', 'POST', '/categories', { name: 'Lasting' });
  const requests = ['Once', 'And once'].map((title) => ({
    path: '/calendar/events/v1/events',
    body: { ...event(title), categories: [category['id']] },
  }));
  const url = new URL('https://site.example/api/batch/v1');
  const { status } = await answer({ method: 'POST', url, body: { requests } }, site.callers.editor);
  expect([status, reported]).toEqual([500, [new Error('gone wrong')]]);
  expect((await titles()).filter((title) => /once/i.test(title)).toSorted()).toEqual(['And once', 'Once']);
});
