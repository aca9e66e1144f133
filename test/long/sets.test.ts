import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { openRest } from '../../src/site/requests/handle.ts';
import { storeHandlers } from '../../src/site/store/store-handlers.ts';
import { builtinSite, type TestSite } from '../support/builtin-site.ts';

// Adjacent requests of a batch that create events are written as a set, as are those that change or delete them.
// Whatever the set contains, the result is the same as that of one request after the other.

let together: TestSite;
let alone: TestSite;
beforeAll(async () => {
  [together, alone] = [await builtinSite(), await builtinSite()];
  for (const site of [together, alone])
    await site.ask('editor', 'POST', '/events', {
      title: 'First',
      start_date: '2027-01-10 18:00:00',
      end_date: '2027-01-10 20:00:00',
      venue: { venue: 'Hall' },
      organizer: [{ organizer: 'Choir' }],
      categories: ['Music'],
      tags: ['free'],
    });
});
afterAll(async () => {
  await together.close();
  await alone.close();
});

const optional = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
/** Fields of an event, new or not. */
const partial = {
  timezone: optional('Europe/Warsaw', 'America/New_York', 'UTC'),
  all_day: optional(true, false),
  status: optional('publish', 'draft', 'future'),
  cost: optional('5 zł', 'Free', '10-20'),
  website: optional('https://tickets.example/?a=1&b=2'),
  featured: optional(true, false),
  password: optional('secret'),
  venue: optional({ venue: 'Attic' }),
  organizer: optional([{ organizer: 'Band' }]),
  categories: optional(['Music'], ['Dance', 'Music']),
  tags: optional(['free'], ['new'], ['new', 'free']),
  _fields: optional('slug,title'),
};
const good = fc.record({
  ...partial,
  title: fc.constantFrom('Jazz', 'Jazz', 'Żółć <i>x</i>', '!!!'),
  slug: optional('jazz', 'jazz-2', 'a b'),
  start_date: fc.constantFrom('2027-03-28 02:30:00', '2027-04-01', '2027-04-01 09:00:00'),
  end_date: fc.constantFrom('2027-04-01 20:00:00', '9999-12-31 23:59:59'),
});
/** What is refused, each at another stage: by validation, by the handler, or by the ids in it. */
const wrong = fc.constantFrom<object>(
  { title: '' },
  { start_date: 'never' },
  { end_date: '2020-01-01 00:00:00' },
  { venue: 999_999 },
  { categories: [999_999] },
  { author: 999_999 },
  { status: 'trash' },
);
const event = fc.oneof(
  { weight: 12, arbitrary: good },
  { weight: 1, arbitrary: fc.tuple(good, wrong).map(([one, more]) => ({ ...one, ...more })) },
);

/** Keys whose values are numbers that each site assigns separately, and those whose texts may end with one. */
const NUMBERS = ['id', 'global_id', 'global_id_lineage', 'term_taxonomy_id'];
const WITH_NUMBER = /^(?:slug|url|website|rest_url|self|href)$/;

/** An answer without the numbers that each site assigns separately. */
const comparable = (body: unknown, ...without: readonly string[]): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (NUMBERS.includes(key) || without.includes(key)) return undefined;
      return typeof value === 'string' && WITH_NUMBER.test(key) ? value.replace(/(?<=^|[/=])\d+(?=\/?$)/, '#') : value;
    }),
  );

test('a batch that creates events gives the same result as its requests one by one', async () => {
  const whole: boolean[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 2, maxLength: 8, size: 'max' }),
      fc.constantFrom('editor' as const, 'editor' as const, 'editor' as const, 'contributor' as const),
      async (events, role) => {
        const requests = events.map((body) => ({ path: '/calendar/events/v1/events', body }));
        const { body } = await together.ask(role, 'POST', '/api/batch/v1', { requests });
        // The number of events of a term is that after the whole batch.
        const singly: unknown[] = [];
        for (const each of events) {
          const answer = await alone.ask(role, 'POST', '/events', each);
          singly.push({ status: answer.status, body: comparable(answer.body, 'count') });
        }
        whole.push(body.responses.every(({ status }) => status === 201));
        expect(body.responses.map((each) => ({ status: each.status, body: comparable(each.body, 'count') }))).toEqual(
          singly,
        );
      },
    ),
    { numRuns: 60 },
  );
  const lists = [together, alone].map((site) =>
    site.ask('administrator', 'GET', '/categories?per_page=50').then(({ body }) => comparable(body)),
  );
  expect(await lists[0]).toEqual(await lists[1]);
  expect([together.errors, alone.errors]).toEqual([[], []]);
  // Both kinds occurred: sets without errors, and sets that were split up.
  expect([whole.includes(true), whole.includes(false)]).toEqual([true, true]);
});

/** The answers to a batch from this process, which may be larger than one over HTTP. */
const answerOf = async (site: TestSite, some: readonly object[], writes?: number) => {
  const before = site.statements();
  const url = new URL('https://site.example/api/batch/v1');
  const asking = writes === undefined ? {} : { atOnce: { writes, items: 50 } };
  const { body } = await site.answer({ method: 'POST', url, body: { requests: some } }, site.callers.editor, asking);
  const { responses = [] } = body as { readonly responses?: readonly { readonly status: number; body: unknown }[] };
  return { responses, statements: site.statements() - before };
};

test.each([
  ['all of which succeed', []],
  ['some of which are refused', [30, 31, 59]],
])('several batches in one request, %s, give the same result as separate ones', async (_, refused) => {
  const requests = Array.from({ length: 60 }, (__, at) => ({
    path: '/calendar/events/v1/events',
    body: {
      title: `Jazz ${at % 7}`,
      start_date: refused.includes(at) ? 'never' : '2027-04-01',
      end_date: '2027-04-02',
    },
  }));
  const inOne = await answerOf(together, requests, 100);
  const onTheirOwn = [];
  for (const from of [0, 25, 50]) onTheirOwn.push(await answerOf(alone, requests.slice(from, from + 25)));
  const said = ({ responses }: Awaited<ReturnType<typeof answerOf>>) =>
    responses.map(({ status, body }) => ({ status, body: comparable(body, 'count') }));
  expect(said(inOne)).toEqual(onTheirOwn.flatMap(said));
  expect(inOne.responses.map(({ status }) => status)).toEqual(
    requests.map((__, at) => (refused.includes(at) ? 400 : 201)),
  );
  const statements = onTheirOwn.reduce((sum, each) => sum + each.statements, 0);
  // If anything is refused, the set is written again, one by one.
  expect(inOne.statements).toBeLessThan(refused.length === 0 ? statements / 2 : statements * 2);
  expect((await answerOf(together, requests)).responses).toEqual([]);
});

/** A change of an existing event; null deletes it. */
const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...partial, slug: optional('jazz', 'jazz-2', 'swap-1', 'swap-2', 'a b') }) },
  { weight: 1, arbitrary: wrong },
  { weight: 3, arbitrary: fc.constant(null) },
);

/** Whether requests name events by slug or by id: the same for a whole batch, or mixed. */
const naming = fc.constantFrom<(at: number) => boolean>(
  () => false,
  () => true,
  (at) => at % 3 === 0,
);

test('a batch of changes gives the same result as its requests one by one', async () => {
  const [ids, others] = await Promise.all([together, alone].map(twelveEvents));
  if (!ids || !others) throw new Error('two sites have events');
  const whole: boolean[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: ids.length - 1 }), change), { minLength: 2, maxLength: 8, size: 'max' }),
      fc.constantFrom('editor' as const, 'editor' as const, 'editor' as const, 'contributor' as const),
      naming,
      async (changes, role, isBySlug) => {
        const keyIn = (known: readonly number[], at: number): string =>
          isBySlug(at) ? `by-slug/swap-${at}` : String(known[at]);
        const { body } = await together.ask(role, 'POST', '/api/batch/v1', {
          requests: changes.map(([at, each]) => request(keyIn(ids, at), each)),
        });
        const singly: unknown[] = [];
        for (const [at, each] of changes) {
          const { method } = request('', each);
          const answer = await alone.ask(role, method, `/events/${keyIn(others, at)}`, each ?? undefined);
          singly.push({ status: answer.status, body: comparable(answer.body, 'count') });
        }
        whole.push(body.responses.every(({ status }) => status === 200));
        expect(body.responses.map((each) => ({ status: each.status, body: comparable(each.body, 'count') }))).toEqual(
          singly,
        );
        for (const [site, known] of [[together, ids] as const, [alone, others] as const])
          await site.ask('editor', 'POST', '/api/batch/v1', {
            requests: known.map((id) => request(String(id), { status: 'publish', password: '' })),
          });
      },
    ),
    { numRuns: 60 },
  );
  const read = (site: TestSite, path: string) =>
    site.ask('administrator', 'GET', path).then(({ body }) => comparable(body));
  for (const path of [
    '/categories?per_page=50',
    '/events?per_page=50&status=publish,trash,draft&start_date=2000-01-01',
  ])
    expect(await read(together, path)).toEqual(await read(alone, path));
  expect([together.errors, alone.errors]).toEqual([[], []]);
  expect([whole.includes(true), whole.includes(false)]).toEqual([true, true]);
});

/** null deletes. */
const request = (key: string, body: object | null) => ({
  path: `/calendar/events/v1/events/${key}`,
  ...(body === null ? { method: 'DELETE' } : { method: 'PUT', body }),
});

/** Creates twelve events; returns their ids. */
async function twelveEvents(site: TestSite): Promise<readonly number[]> {
  const { body } = await site.ask('editor', 'POST', '/api/batch/v1', {
    requests: Array.from({ length: 12 }, (_, number) => ({
      path: '/calendar/events/v1/events',
      body: {
        title: `Swap ${number}`,
        start_date: '2027-04-01 09:00:00',
        end_date: '2027-04-01 10:00:00',
        categories: ['Music'],
      },
    })),
  });
  return body.responses.map((each) => each.body.id);
}

test('the answers of a set show what is stored', async () => {
  const requests = fc.sample(good, 25).map(({ _fields, ...body }) => ({
    path: '/calendar/events/v1/events',
    body: { ...body, cost: 'a \ud83d zł' },
  }));
  const created = (await together.ask('editor', 'POST', '/api/batch/v1', { requests })).body.responses;
  expect(created.map(({ status }) => status)).toEqual(requests.map(() => 201));
  const changed = await together.ask('editor', 'POST', '/api/batch/v1', {
    requests: created.map(({ body }, index) => ({
      path: `/calendar/events/v1/events/${body.id}`,
      method: 'PUT',
      body: requests.at(-index)?.body,
    })),
  });
  expect(changed.body.responses.map(({ status }) => status)).toEqual(requests.map(() => 200));
  for (const { body } of changed.body.responses) {
    const read = await together.ask('editor', 'GET', `/events/${body.id}?context=edit`);
    // Only reading a single event gives these two fields; counts may have changed since.
    const told = (one: unknown): unknown => comparable(one, 'json_ld', 'previous_start_date', 'count');
    expect(told(body)).toEqual(told(read.body));
  }
});

test('a set can contain a lone surrogate, and the first day of year 1', async () => {
  const event = { title: 'Early', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
  const requests = [{ cost: 'a \ud83d zł' }, { date: '0001-01-01 00:00:00' }].map((more) => ({
    path: '/calendar/events/v1/events',
    body: { ...event, ...more },
  }));
  const { body } = await together.ask('editor', 'POST', '/api/batch/v1', { requests });
  expect(body.responses.map(({ status }) => status)).toEqual([201, 201]);
  expect(body.responses.map((each) => each.body)).toMatchObject([
    { cost: 'a \ufffd zł' },
    { date: '0001-01-01 00:00:00' },
  ]);
});

test('if only the set fails, that is reported, and its requests are carried out one by one', async () => {
  const { db, settings, clock, callers } = together;
  const fault = new Error('of sets only');
  const reported: unknown[] = [];
  const { handle } = openRest({
    db,
    settings,
    handlers: { ...storeHandlers, ...makeEmbedHandlers(async () => ({ kind: 'failed', message: 'Out of reach.' })) },
    sets: { createEvent: () => Promise.reject(fault) },
    statements: {},
    now: () => clock.now,
    report: (error) => reported.push(error),
  });
  const event = { title: 'Alone', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
  const requests = [event, event].map((body) => ({ path: '/calendar/events/v1/events', body }));
  const request = new Request(`${settings.publicUrl}/api/batch/v1`, {
    method: 'POST',
    body: JSON.stringify({ requests }),
    headers: { 'content-type': 'application/json' },
  });
  expect(await (await handle(request, callers.editor)).json()).toMatchObject({
    responses: [{ status: 201 }, { status: 201 }],
  });
  expect(reported).toEqual([fault]);
});

test.each([
  ['ids', (_: string, id: number | undefined) => String(id)],
  ['slugs', (slug: string) => `by-slug/${slug}`],
])(
  'a batch of 25 creates takes as many statements as one of 2, and so do changes and deletes by %s',
  async (by, key) => {
    const counted = async (size: number): Promise<readonly number[]> => {
      const counts: number[] = [];
      let ids: readonly number[] = [];
      const sent = async (request: (number: number) => object): Promise<void> => {
        const requests = Array.from({ length: size }, (_, number) => request(number));
        const before = together.statements();
        const { body } = await together.ask('editor', 'POST', '/api/batch/v1', { requests });
        expect(body.responses.every(({ status }) => status < 300)).toBe(true);
        counts.push(together.statements() - before);
        ids = body.responses.map((each) => each.body.id);
      };
      const events = '/calendar/events/v1/events';
      const times = { start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };
      const path = (number: number): string => `${events}/${key(`by-${by}-${size}-${number}`, ids[number])}`;
      await sent((number) => ({ path: events, body: { title: `By ${by} ${size} ${number}`, ...times } }));
      await sent((number) => ({ path: path(number), method: 'PUT', body: { title: 'New' } }));
      await sent((number) => ({ path: path(number), method: 'DELETE' }));
      return counts;
    };
    expect(await counted(25)).toEqual(await counted(2));
  },
);
