import { expect, test } from 'vitest';
import { openDatabase, sql, type DatabaseAddress, type Sql } from '../../../src/db/database.ts';
import { isMigrated, migrate, MIGRATIONS, type Migration } from '../../../src/db/migrate.ts';
import {
  batchesWith,
  beginAttempts,
  digestsOf,
  isBrokenOff,
  loadBatch,
  loadBatches,
  loadTallies,
} from '../../../src/run/state/batches.ts';
import { monthsThereAre } from '../../../src/run/state/clean-runs.ts';
import { causeInWords, type Cause } from '../../../src/run/state/causes.ts';
import { listUsers } from '../../../src/site/users/list-users.ts';
import { loadHeldPlan } from '../../../src/run/state/held-plans.ts';
import { waitForDatabase } from '../../../src/db/wait.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import type { Action, Outcome } from '../../../src/sync/model/plan.ts';
import { tallyOf } from '../../../src/sync/plan/report.ts';

const table = (name: string): Migration => ({
  name,
  up: async (db) => {
    await sql`CREATE TABLE ${sql.ref(name)} (id bigint)`.execute(db);
  },
});
const broken: Migration = {
  name: 'broken',
  up: async (db) => {
    await sql`CREATE TABLE half (id bigint)`.execute(db);
    await sql`SELECT nonsense`.execute(db);
  },
};
const exists = async (db: Parameters<Migration['up']>[0], name: string): Promise<boolean> =>
  (await sql<{ found: string | null }>`SELECT to_regclass(${name})::text AS found`.execute(db)).rows[0]?.found === name;

test('no table has two equal indexes', async () => {
  const { database, close } = await freshDatabase();
  const { rows } = await sql<{ names: readonly string[] }>`select array_agg(indexname::text) as names from pg_indexes
    where schemaname in ('calsync', 'site')
    group by schemaname, tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') having count(*) > 1`.execute(
    database.query(),
  );
  expect(rows).toEqual([]);
  await close();
});

test('each migration runs once and in order, even if several processes migrate at once', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  expect(await migrate(database, [table('a')])).toEqual(['a']);
  const done = await Promise.all([1, 2, 3].map(() => migrate(database, [table('a'), table('b'), table('c')])));
  expect(done.flat()).toEqual(['b', 'c']);
  await close();
});

test('a migration that fails undoes those of the same upgrade', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  await expect(migrate(database, [table('a'), broken])).rejects.toThrow('nonsense');
  expect([await exists(database.query(), 'a'), await exists(database.query(), 'half')]).toEqual([false, false]);
  expect(await migrate(database, [table('a')])).toEqual(['a']);
  await close();
});

test('an upgrade and a working process of the previous version do not deadlock', async () => {
  const { database, close } = await freshDatabase();
  const step: Migration = {
    name: 'step',
    up: async (db) => {
      for (const name of ['calsync.runs', 'calsync.sources'])
        await sql`ALTER TABLE ${sql.ref(name)} ADD COLUMN added text`.execute(db);
    },
  };
  const upgrades: Promise<readonly string[]>[] = [];
  const atWork = database.query().transaction(async (transaction) => {
    await sql`INSERT INTO calsync.sources (site, source) VALUES ('builtin', 'town')`.execute(transaction);
    upgrades.push(migrate(database, [...MIGRATIONS, step]));
    // Databases of other tests on this server have tables with the same object ids.
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'calsync.sources'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await waiting.execute(database.query())).rows).toHaveLength(1);
    await sql`UPDATE calsync.runs SET broken_off = false`.execute(transaction);
  });
  await atWork;
  expect(await Promise.all(upgrades)).toEqual([['step']]);
  expect(await isMigrated(database, [...MIGRATIONS, step])).toBe(true);
  await close();
});

test('pending migrations are detected without running them', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  expect(await isMigrated(database, [])).toBe(false);
  await migrate(database, [table('a')]);
  expect(await isMigrated(database, [table('a')])).toBe(true);
  expect(await isMigrated(database, [table('a'), table('b')])).toBe(false);
  expect(await exists(database.query(), 'b')).toBe(false);
  await close();
});

test('a database of a newer version is refused', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  await migrate(database, [table('a'), table('z')]);
  for (const start of [migrate, isMigrated])
    await expect(start(database, [table('a')])).rejects.toMatchObject({
      code: 'database-newer',
      message: expect.stringContaining('z'),
    });
  await close();
});

test('a new database has all migrations of this version', async () => {
  const { database, close } = await freshDatabase();
  expect(await migrate(database)).toEqual([]);
  await close();
});

test('the migrations are the numbered files in order, each with a function', () => {
  const names = MIGRATIONS.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names.slice(0, 2)).toEqual(['001-site', '002-users']);
  expect(MIGRATIONS.filter(({ name, up }) => !/^\d{3}-[a-z-]+$/.test(name) || typeof up !== 'function')).toEqual([]);
});

// All are older than the first release; the changelog says what that means.
const STOPPED_OLD_ONES = [
  '019-process-heartbeat',
  '027-packed-batches',
  '036-shared-bodies',
  '038-batches-by-month',
  '066-untold-runs',
  '102-former-venue-of-event',
  '107-places-out-of-trash',
];

/** The columns of all tables and views, and whether a new row needs a value for each. */
async function columnsIn(db: Parameters<Migration['up']>[0]): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ name: string; given: boolean }>`
    select concat_ws('.', table_schema, table_name, column_name) as name,
      is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO' as given
    from information_schema.columns where table_schema in ('calsync', 'site')`.execute(db);
  return new Map(rows.map(({ name, given }) => [name, given]));
}

const tableOf = (column: string): string => column.slice(0, column.lastIndexOf('.'));

test('no new migration drops a column or adds one that needs a value', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  const inTheWay: string[] = [];
  let before = await columnsIn(database.query());
  for (const [index, { name }] of MIGRATIONS.entries()) {
    await migrate(database, MIGRATIONS.slice(0, index + 1));
    const after = await columnsIn(database.query());
    const tables = new Set([...before.keys()].map(tableOf));
    const gone = [...before.keys()].filter((column) => !after.has(column));
    const needed = [...after].flatMap(([column, given]) =>
      given && tables.has(tableOf(column)) && before.get(column) !== true ? [column] : [],
    );
    if (gone.length > 0 || needed.length > 0) inTheWay.push(name);
    before = after;
  }
  expect(inTheWay).toEqual(STOPPED_OLD_ONES);
  await close();
});

/** A database in the state before a migration. */
async function migratedBefore(name: string): Promise<FreshDatabase> {
  const fresh = await freshDatabase({ empty: true });
  const index = MIGRATIONS.findIndex((migration) => migration.name === name);
  expect(index).toBeGreaterThan(0);
  await migrate(fresh.database, MIGRATIONS.slice(0, index));
  return fresh;
}

test('causes of earlier runs become data and keep their wording', async () => {
  const stored: readonly (readonly [string, object])[] = [
    ['schedule', { kind: 'schedule' }],
    ['start', { kind: 'start' }],
    ['command', { kind: 'command' }],
    ['undo of town-20270115T120000-0a1b2c', { kind: 'undo', of: 'town-20270115T120000-0a1b2c' }],
    ['settle jazz-for-the-feed-abc for the site', { kind: 'settle', of: 'jazz-for-the-feed-abc', winner: 'site' }],
    ['settle jazz-abc for the feed', { kind: 'settle', of: 'jazz-abc', winner: 'feed' }],
    ['restore undo-of-jazz', { kind: 'restore', of: 'undo-of-jazz' }],
    ['adopt', { kind: 'adopt' }],
    ['forget', { kind: 'forget' }],
    ['of a version before', { kind: 'of a version before' }],
  ];
  const { database, close } = await migratedBefore('023-causes');
  for (const [index, [cause]] of stored.entries())
    await sql`insert into calsync.runs (run, site, source, cause, state) values (${String(index)}, 'site', 'town', ${cause}, 'done')`.execute(
      database.query(),
    );
  expect(await migrate(database)).toContain('023-causes');
  const { rows } = await sql<{ cause: Cause }>`select cause from calsync.runs order by run`.execute(database.query());
  expect(rows.map(({ cause }) => cause)).toEqual(stored.map(([, cause]) => cause));
  expect(rows.map(({ cause }) => causeInWords(cause))).toEqual(stored.map(([words]) => words));
  await close();
});

const json = (value: object): Sql => sql`${JSON.stringify(value)}::jsonb`;

const storedChange = (key: string, slug = 'jazz'): object => ({
  entry: { slug, title: 'awaits', fields: { title: { feed: 'found' } } },
  [key]: ['title'],
  isNew: true,
});
const storedPlan = (key: string): object => ({
  actions: [{ title: 'awaits' }],
  ledger: { jazz: storedChange(key), awaits: storedChange(key, 'awaits') },
  held: 'found',
});
const storedItems = (key: string): object => [
  { action: { ref: 'tags:found' }, change: null },
  { action: { title: 'x' }, change: storedChange(key) },
  { action: {} },
];
const storedOutcomes = (key: string): object => [
  null,
  { kind: 'done', id: 1, slug: 'found', values: { title: 'found' }, [key]: true },
  { kind: 'failed', problem: { code: 'found' } },
];

test('stored plans and outcomes get the new key names and are otherwise unchanged', async () => {
  const { database, close } = await migratedBefore('024-plain-names');
  const query = database.query();
  await sql`insert into calsync.runs (run, site, source, cause, state, plan)
    values ('held', 'site', 'town', '{}', 'held', ${json(storedPlan('awaits'))}), ('done', 'site', 'town', '{}', 'done', null)`.execute(
    query,
  );
  await sql`insert into calsync.batches (run, stage, number, items, outcomes)
    values ('done', 'events', 1, ${json(storedItems('awaits'))}, ${json(storedOutcomes('found'))})`.execute(query);
  await sql`insert into calsync.unanswered (site, source, slug, run, action, change, refs)
    values ('site', 'town', 'jazz', 'done', '{}', ${json(storedChange('awaits'))}, '{}')`.execute(query);
  expect(await migrate(database)).toContain('024-plain-names');
  expect(await loadHeldPlan(query, 'held')).toEqual(storedPlan('pendingFields'));
  const { rows } = await sql`select (select plan from calsync.runs where run = 'done') as done,
    convert_from(items, 'UTF8')::jsonb as items, convert_from(outcomes, 'UTF8')::jsonb as outcomes,
    (select change from calsync.unanswered) as change from calsync.batches`.execute(query);
  expect(rows).toEqual([
    {
      done: null,
      items: storedItems('pendingFields'),
      outcomes: storedOutcomes('lookedUp'),
      change: storedChange('pendingFields'),
    },
  ]);
  await close();
});

test('plans held before the migration can still be loaded, and searched by event', async () => {
  const { database, close } = await migratedBefore('114-packed-held-plans');
  const query = database.query();
  const plan = {
    held: 'too many',
    refs: { 'venues:Hall': 7 },
    actions: [
      { kind: 'create', resource: 'venues', ref: 'venues:Żółć \\u0041', fields: {} },
      { kind: 'update', resource: 'events', slug: 'jazz', changes: { title: { from: 'a', to: 'b' } } },
      { kind: 'remove', resource: 'events', slug: 'awaits' },
    ],
    ledger: { jazz: storedChange('pendingFields'), awaits: storedChange('pendingFields', 'awaits') },
  };
  const nothing = { held: 'first', refs: {}, actions: [], ledger: {} };
  await sql`insert into calsync.runs (run, site, source, cause, state, plan) values
    ('held', 'site', 'town', '{}', 'held', ${json(plan)}), ('empty', 'site', 'mill', '{}', 'superseded', ${json(nothing)}),
    ('done', 'site', 'town', '{}', 'done', '{"held": null, "planned": 3}')`.execute(query);
  await migrate(database);
  expect(await loadHeldPlan(query, 'held')).toEqual(plan);
  expect(await loadHeldPlan(query, 'empty')).toEqual(nothing);
  expect(await loadHeldPlan(query, 'done')).toBeUndefined();
  const { rows } = await sql`select run, plan, doing from calsync.runs order by run`.execute(query);
  expect(rows).toEqual([
    { run: 'done', plan: { held: null, planned: 3 }, doing: null },
    { run: 'empty', plan: { held: 'first', refs: {} }, doing: {} },
    {
      run: 'held',
      plan: { held: 'too many', refs: { 'venues:Hall': 7 } },
      doing: { jazz: 'update', awaits: 'remove' },
    },
  ]);
  await close();
});

test('the time of the last sign-in is taken from existing sessions', async () => {
  const { database, close } = await migratedBefore('115-last-sign-in');
  const query = database.query();
  await sql`insert into site.users (login, display_name, role) values ('anna', '', 'editor'), ('ben', '', 'editor')`.execute(
    query,
  );
  await sql`insert into site.sessions (hash, user_id, created, expires)
    select 'hash ' || day, id, make_timestamptz(2026, 11, day, 8, 0, 0, 'UTC'), '2027-01-01' from site.users, generate_series(1, 2) as day
    where login = 'anna'`.execute(query);
  await migrate(database);
  const users = await listUsers(query, 10);
  expect(users.map(({ login, lastHere }) => [login, lastHere])).toEqual([
    ['anna', new Date('2026-11-02T08:00:00Z')],
    ['ben', null],
    ['calsyncd', null],
  ]);
  await close();
});

test('what earlier runs wrote is still counted, found and loaded', async () => {
  const { database, close } = await migratedBefore('027-packed-batches');
  const query = database.query();
  const event = { resource: 'events', slug: 'jazz-abcdefghijklmn' };
  const problem = { code: 'site-refused', message: 'no', where: {} };
  const written = [
    [
      { kind: 'create', resource: 'tags', ref: 'tags:a', fields: { name: 'a' } },
      { kind: 'done', id: 1 },
    ],
    [
      { kind: 'create', ...event },
      { kind: 'done', id: 2, differs: { slug: true } },
    ],
    [
      { kind: 'update', ...event },
      { kind: 'done', id: 2, lookedUp: true, problem },
    ],
    [
      { kind: 'remove', ...event },
      { kind: 'done', id: 2 },
    ],
    [
      { kind: 'update', ...event },
      { kind: 'refused', problem: { ...problem, message: 'never' } },
    ],
    [
      { kind: 'update', ...event },
      { kind: 'failed', problem },
    ],
    [{ kind: 'update', ...event }, null],
  ] as unknown as readonly (readonly [Action, Outcome | null])[];
  await sql`insert into calsync.runs (run, site, source, cause, state)
    values ('broken', 'site', 'town', '{}', 'failed'), ('whole', 'site', 'town', '{}', 'done')`.execute(query);
  await sql`insert into calsync.batches (run, stage, number, items, outcomes, attempts) values
    ('broken', 'events', 0, ${json(written.map(([action]) => ({ action, change: null })))}, ${json(written.map(([, outcome]) => outcome))}, 2),
    ('whole', 'terms', 0, ${json([{ action: written[0]![0], change: null }])}, '[null]', 0)`.execute(query);
  await migrate(database);
  const tally = tallyOf(written.map(([action, outcome]) => ({ action, outcome })));
  expect(await loadTallies(query, 'broken')).toEqual([{ stage: 'events', number: 0, tally }]);
  expect(await loadTallies(query, 'whole')).toMatchObject([{ tally: { writes: 1, open: 1, done: 0, problems: [] } }]);
  expect([await isBrokenOff(query, 'broken'), await isBrokenOff(query, 'whole')]).toEqual([true, false]);
  expect(await batchesWith(query, event.slug)).toMatchObject([
    {
      run: 'broken',
      attempts: 2,
      items: written.map(([action]) => ({ action })),
      outcomes: written.map(([, outcome]) => outcome),
    },
  ]);
  expect(await loadBatch(query, { run: 'whole', stage: 'terms', number: 0 })).toMatchObject({ outcomes: [null] });
  await close();
});

async function waiting(where: DatabaseAddress, ms: number): Promise<void> {
  const own = openDatabase(where, 1);
  await waitForDatabase(own, where, ms).finally(own.close);
}

test('waiting goes on only while the server does not answer, and not for a missing database', async () => {
  const { address, close } = await freshDatabase({ empty: true });
  await waiting(address, 1000);
  await close();
  await expect(waiting(address, 60_000)).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('does not exist'),
  });
  const begun = performance.now();
  await expect(waiting({ url: 'postgres://me:secret@127.0.0.1:1/none' }, 1500)).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.not.stringContaining('secret'),
  });
  expect(performance.now() - begun).toBeGreaterThan(300);
});

test('equal bodies are stored once, and every source and run still has its own', async () => {
  const { database, close } = await migratedBefore('036-shared-bodies');
  const query = database.query();
  await sql`insert into calsync.sources (site, source, body)
    values ('site', 'a', 'same'), ('site', 'b', 'same'), ('site', 'c', 'other'), ('site', 'd', null)`.execute(query);
  await sql`insert into calsync.runs (run, site, source, cause, state, body)
    values ('held', 'site', 'a', '{}', 'held', 'same'), ('done', 'site', 'a', '{}', 'done', null)`.execute(query);
  expect(await migrate(database)).toContain('036-shared-bodies');
  const { rows } = await sql<{ name: string; body: Buffer | null }>`
    select source as name, body from calsync.sources left join calsync.bodies on key = body_key
    union all select run, body from calsync.runs left join calsync.bodies on key = body_key order by name`.execute(
    query,
  );
  expect(rows.map(({ name, body }) => [name, body?.toString() ?? null])).toEqual([
    ['a', 'same'],
    ['b', 'same'],
    ['c', 'other'],
    ['d', null],
    ['done', null],
    ['held', 'same'],
  ]);
  expect((await sql`select key from calsync.bodies`.execute(query)).rows).toHaveLength(2);
  await close();
});

test('an event that has moved still knows its former venue', async () => {
  const { database, close } = await migratedBefore('102-former-venue-of-event');
  const query = database.query();
  await sql`insert into site.venues (id, slug, title, status, author, language, published_at, dated, modified_at)
    overriding system value
    select n, 'place-' || n, 'Place ' || n, 'publish', 1, 'en', now(), true, now() from generate_series(1, 3) n`.execute(
    query,
  );
  await sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at, start_wall,
      end_wall, start_at, end_at, timezone, all_day, venue_ids)
    select 'event-' || n, 'Event', 'publish', 1, 'en', now(), true, now(), now(), now(), now(), now(), 'UTC', false, '{1}'
    from generate_series(1, 3) n`.execute(query);
  const moveTo = (place: number, slug: string) =>
    sql`update site.events set venue_ids = array[${place}::integer] where slug = ${slug}`.execute(query);
  await moveTo(2, 'event-1');
  await moveTo(2, 'event-2');
  expect(await migrate(database)).toContain('102-former-venue-of-event');
  await moveTo(1, 'event-2');
  await moveTo(3, 'event-3');
  await moveTo(2, 'event-3');
  const { rows } = await sql<{ told: string }>`
    select slug || ' ' || venue_ids::text || ' ' || coalesce(former_venue_ids::text, '') as told from site.events order by slug`.execute(
    query,
  );
  expect(rows.map(({ told }) => told)).toEqual(['event-1 {2} {1}', 'event-2 {1} ', 'event-3 {2} {1}']);
  await close();
});

test('events still get back the venues and organizers that the trash took from them', async () => {
  const { database, close } = await migratedBefore('107-places-out-of-trash');
  const query = database.query();
  for (const table of ['venues', 'organizers'])
    await sql`insert into ${sql.ref(`site.${table}`)} (id, slug, title, status, author, language, published_at, dated,
        modified_at, unlinked_events) overriding system value
      select n, 'linked-' || n, 'Linked ' || n, case when n < 3 then 'trash' else 'publish' end, 1, 'en', now(), true, now(),
        case n when 1 then '{11,12}' when 2 then '{12}' else '{13}'::integer[] end from generate_series(1, 3) n`.execute(
      query,
    );
  await sql`insert into site.events (id, slug, title, status, author, language, published_at, dated, modified_at,
      start_wall, end_wall, start_at, end_at, timezone, all_day, venue_ids, organizer_ids) overriding system value
    select n, 'event-' || n, 'Event', 'publish', 1, 'en', now(), true, now(), now(), now(), now(), now(), 'UTC', false,
      case n when 11 then '{3}' else '{}'::integer[] end, '{3}' from generate_series(11, 13) n`.execute(query);
  expect(await migrate(database)).toContain('107-places-out-of-trash');
  const { rows } = await sql<{ told: string }>`select concat_ws(' ', id, whole_venue_ids, whole_organizer_ids) as told
    from site.events order by id`.execute(query);
  expect(rows.map(({ told }) => told)).toEqual(['11 {3,-1}', '12 {-1,-2} {3,-1,-2}', '13']);
  await close();
});

test('whether the venue of an event has coordinates is looked up only if the writer does not say it', async () => {
  const { database, close } = await migratedBefore('109-less-for-each-event');
  const query = database.query();
  await sql`insert into site.venues (id, slug, title, status, author, language, published_at, dated, modified_at, geo_lat, geo_lng)
    overriding system value select n, 'place-' || n, 'Place', 'publish', 1, 'en', now(), true, now(), at, at
    from (values (1, 52.2), (2, null)) as place (n, at)`.execute(query);
  const insert = (slug: string, place: number, located?: boolean) =>
    sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at, start_wall,
        end_wall, start_at, end_at, timezone, all_day, venue_ids ${located === undefined ? sql`` : sql`, located`})
      select ${slug}, 'Event', 'publish', 1, 'en', now(), true, now(), now(), now(), now(), now(), 'UTC', false,
        array[${place}::integer] ${located === undefined ? sql`` : sql`, ${located}`}`.execute(query);
  await insert('before-1', 1);
  await insert('before-2', 2);
  expect(await migrate(database)).toContain('109-less-for-each-event');
  await insert('open-1', 1);
  await insert('open-2', 2);
  await insert('said-1', 1, false);
  await sql`update site.events set venue_ids = '{1}' where slug = 'before-2'`.execute(query);
  const { rows } = await sql<{ told: string }>`
    select slug || ' ' || located as told from site.events order by slug`.execute(query);
  expect(rows.map(({ told }) => told)).toEqual([
    'before-1 true',
    'before-2 true',
    'open-1 true',
    'open-2 false',
    'said-1 false',
  ]);
  await close();
});

test('what runs wrote in several months is found in the tables of those months', async () => {
  const { database, close } = await migratedBefore('038-batches-by-month');
  const query = database.query();
  const runs = [
    'town-20261231T235959-0a1b2c',
    'town-20270101T000000-0a1b2d',
    'by-hand',
    'town-202701-20270115T120000-ffffff',
  ];
  for (const run of runs) {
    await sql`insert into calsync.runs (run, site, source, cause, state) values (${run}, 'site', 'town', '{}', 'done')`.execute(
      query,
    );
    for (const number of [0, 1])
      await sql`insert into calsync.batches (run, stage, number, items, outcomes, attempts, slugs, tally)
        values (${run}, 'events', ${number}, ${json([{ action: { slug: run }, change: null }])}::text::bytea, null,
        ${number}, ${digestsOf([run])}, ${json({ writes: 1 })})`.execute(query);
  }
  expect(await migrate(database)).toContain('038-batches-by-month');
  expect(await monthsThereAre(query)).toEqual([0, 202612, 202701]);
  for (const run of runs) {
    expect(await loadBatches(query, run)).toMatchObject(
      [0, 1].map((number) => ({ run, number, attempts: number, items: [{ action: { slug: run } }], outcomes: [null] })),
    );
    expect(await batchesWith(query, run)).toHaveLength(2);
    const begun = await beginAttempts(query, { run, stage: 'events', numbers: [0, 1] }, 1, () => undefined);
    expect(begun.batches).toEqual([]);
  }
  await close();
});

test('venues in the trash still show whether they were ever public', async () => {
  const { database, close } = await migratedBefore('111-status-before-trash');
  const query = database.query();
  await sql`insert into site.venues (id, slug, title, status, author, language, published_at, dated, modified_at)
    overriding system value select n, 'place-' || n, 'Place', status, 1, 'en', now(), is_dated, now()
    from (values (1, 'trash', false), (2, 'trash', true), (3, 'draft', false)) as place (n, status, is_dated)`.execute(
    query,
  );
  expect(await migrate(database)).toContain('111-status-before-trash');
  const { rows } = await sql<{ told: string | null }>`select trashed_from as told from site.venues order by id`.execute(
    query,
  );
  expect(rows.map(({ told }) => told)).toEqual(['draft', null, null]);
  await close();
});
