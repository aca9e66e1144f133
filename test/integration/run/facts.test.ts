import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { loadFacts, type WatchedSource } from '../../../src/run/watch/facts.ts';
import { pauseSource, resumeSource } from '../../../src/run/watch/pauses.ts';
import { sourceState, type SourceFacts } from '../../../src/run/watch/source-state.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { daysInNumbers, problemsOf } from '../../../src/run/watch/history.ts';
import { loadFeedState, saveFeedState } from '../../../src/run/state/feed-state.ts';
import { sql } from '../../../src/db/database.ts';
import { jsonb } from '../../../src/db/jsonb.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

const HOUR = 3_600_000;
const hourly = (source: string): WatchedSource => ({
  site: 'builtin',
  source,
  timesAfter: (after, count) =>
    Array.from({ length: count }, (_, index) => (Math.floor(after / HOUR) + 1 + index) * HOUR),
});

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.close());

const NOW = Math.floor(Date.now() / HOUR) * HOUR + 20 * 60_000;
const query = () => fresh.database.query();
const problem = (code: string, message: string) => ({ code, message, where: {} });

interface RunRow {
  readonly state: string;
  readonly agoMs: number;
  readonly cause?: string;
  readonly problems?: readonly object[];
  readonly why?: string;
  readonly plan?: object;
}

async function runOf(source: string, { state, agoMs, cause = 'schedule', problems, why, plan }: RunRow): Promise<void> {
  const at = new Date(NOW - agoMs);
  await sql`insert into calsync.runs (run, site, source, cause, state, started_at, finished_at, report, plan)
    values (${`${source}-${agoMs}`}, 'builtin', ${source}, ${jsonb({ kind: cause })}, ${state}, ${at}, ${at},
      ${jsonb({ problems: problems ?? [] })}, ${why === undefined ? planOf(plan) : jsonb({ held: why })})`.execute(
    query(),
  );
}

const planOf = (plan: object | undefined) => (plan === undefined ? null : jsonb(plan));

async function entryOf(source: string, slug: string, endsIn: number, conflict = false): Promise<void> {
  await sql`insert into calsync.ledger (site, slug, source, key, rung, identity, title, starts_at, ends_at, state, fields)
    values ('builtin', ${slug}, ${source}, ${slug}, 'uid', ${slug}, ${slug}, ${NOW + endsIn - HOUR}, ${NOW + endsIn}, 'kept',
      ${jsonb({ title: conflict ? { conflict: true } : {} })})`.execute(query());
}

const factsOf = async (source: string): Promise<SourceFacts> => {
  const [facts] = await loadFacts(query(), [hourly(source)], NOW);
  if (!facts) throw new Error('no facts');
  return facts;
};

test('a source that has never run is new', async () => {
  const facts = await factsOf('unknown');
  expect(sourceState(facts, NOW).word).toBe('new');
  expect(facts).toMatchObject({ lastRun: null, goodAt: null, dueAt: null, nextAt: NOW + 40 * 60_000, coming: 0 });
});

test('the events on the site, to come, in conflict and missing from the feed are counted', async () => {
  await runOf('library', { state: 'unchanged', agoMs: 10 * 60_000 });
  await entryOf('library', 'past', -HOUR, true);
  await entryOf('library', 'soon', HOUR);
  await entryOf('library', 'later', 2 * HOUR, true);
  const facts = await factsOf('library');
  expect(facts).toMatchObject({ kept: 3, coming: 2, conflicts: 1, goodAt: NOW - 10 * 60_000, failures: null });
  expect(facts.missing).toBe(0);
  await sql`update calsync.ledger set missing = 1 where source = 'library'`.execute(query());
  expect(await factsOf('library')).toMatchObject({ kept: 3, coming: 2, missing: 2 });
  expect(sourceState(facts, NOW).word).toBe('well');
});

test('the time that a plan waited for a person does not delay when its source counts as late', async () => {
  await runOf('gallery', { state: 'done', agoMs: 9 * HOUR });
  await sql`update calsync.runs set writing_at = ${new Date(NOW - 2 * HOUR)}, finished_at = ${new Date(NOW - 2 * HOUR + 2000)},
    steps = ${jsonb({ fetch: { ms: 500 }, read: { ms: 300 }, compare: { ms: 200 } })} where source = 'gallery'`.execute(
    query(),
  );
  const facts = await factsOf('gallery');
  expect(facts.tookMs).toBe(3000);
  expect(sourceState(facts, NOW).word).toBe('late');
  const days = await daysInNumbers(query(), hourly('gallery'), NOW - 24 * HOUR, 'UTC');
  expect(days.map(({ tookMs }) => tookMs)).toEqual([3000]);
});

test('failures in a row count from the first one, with the reason of the last one', async () => {
  await runOf('cinema', { state: 'failed', agoMs: 9 * HOUR, problems: [problem('feed-gone', 'older')] });
  await runOf('cinema', { state: 'rejected', agoMs: 8 * HOUR });
  await runOf('cinema', { state: 'failed', agoMs: 3 * HOUR, problems: [problem('feed-busy', 'busy')] });
  await runOf('cinema', {
    state: 'failed',
    agoMs: HOUR,
    problems: [problem('uid-missing', 'no UID'), problem('site-unreachable', 'The site is away.')],
  });
  const facts = await factsOf('cinema');
  expect(facts.failures).toEqual({
    count: 2,
    since: NOW - 3 * HOUR,
    run: `cinema-${HOUR}`,
    code: 'site-unreachable',
    message: 'The site is away.',
  });
  expect(facts.goodAt).toBe(NOW - 8 * HOUR);
});

test('what people do to its events neither ends the failure of a feed nor counts as reading it', async () => {
  await runOf('harbour', { state: 'unchanged', agoMs: 9 * HOUR, problems: [problem('uid-missing', 'no UID')] });
  await runOf('harbour', { state: 'failed', agoMs: 3 * HOUR, problems: [problem('feed-gone', 'The feed is away.')] });
  await runOf('harbour', { state: 'done', agoMs: 2 * HOUR, cause: 'settle' });
  await runOf('harbour', { state: 'unchanged', agoMs: HOUR, cause: 'lock' });
  const facts = await factsOf('harbour');
  expect(facts.failures).toMatchObject({ count: 1, since: NOW - 3 * HOUR, code: 'feed-gone' });
  expect(facts.goodAt).toBe(NOW - 9 * HOUR);
  expect(sourceState(facts, NOW).word).toBe('failing');
  const told = await problemsOf(query(), { site: 'builtin', source: 'harbour' });
  expect(told).toMatchObject({ at: NOW - 9 * HOUR, kinds: [{ code: 'uid-missing' }] });
});

test('a run that read nothing does not change when a source was last read well', async () => {
  const end = async (hasRead: boolean): Promise<unknown> => {
    const state = await loadFeedState(query(), 'builtin', 'quay');
    await saveFeedState(query(), 'builtin', 'quay', state, hasRead);
    const { rows } = await sql<{
      good_at: Date | null;
    }>`select good_at from calsync.sources where source = 'quay'`.execute(query());
    return rows[0]?.good_at;
  };
  expect(await end(false)).toBeNull();
  const read = await end(true);
  expect(read).toBeInstanceOf(Date);
  expect(await end(false)).toEqual(read);
});

test('a refused request of a person is not a failure of the source, but a site that cannot be written is', async () => {
  await runOf('mill', { state: 'unchanged', agoMs: 3 * HOUR });
  await entryOf('mill', 'bread', HOUR);
  const refused = problem('nothing-to-settle', 'It is in no conflict.');
  await runOf('mill', { state: 'failed', agoMs: 2 * HOUR, cause: 'settle', problems: [refused] });
  expect((await factsOf('mill')).failures).toBeNull();
  const away = problem('site-unreachable', 'The site is away.');
  await runOf('mill', { state: 'failed', agoMs: HOUR, cause: 'undo', problems: [away], plan: {} });
  expect((await factsOf('mill')).failures).toMatchObject({ count: 1, code: 'site-unreachable' });
  await runOf('mill', { state: 'done', agoMs: HOUR / 2, cause: 'undo', plan: {} });
  expect((await factsOf('mill')).failures).toBeNull();
});

test('a failing source is next read at the first scheduled time after its waiting period', async () => {
  await runOf('choir', { state: 'failed', agoMs: HOUR, problems: [problem('feed-busy', 'busy')] });
  await sql`insert into calsync.sources (site, source, failures, retry_at) values ('builtin', 'choir', 1, ${new Date(NOW + 3 * HOUR)})`.execute(
    query(),
  );
  const facts = await factsOf('choir');
  expect([facts.nextAt, facts.dueAt]).toEqual([NOW + 3 * HOUR + 40 * 60_000, NOW + 3 * HOUR + 40 * 60_000]);
});

test('a held plan waits, with its reason', async () => {
  await runOf('theatre', { state: 'held', agoMs: HOUR, why: 'It would remove 17 of 70.' });
  const facts = await factsOf('theatre');
  expect(facts.held).toEqual({
    run: `theatre-${HOUR}`,
    since: NOW - HOUR,
    why: 'It would remove 17 of 70.',
    reasons: [],
    undoes: null,
    decidedBefore: null,
  });
  expect(sourceState(facts, NOW)).toMatchObject({ word: 'held', mustAct: 'you' });
});

test('a source is late if nothing has read it since it was due, whatever people did to its events', async () => {
  await runOf('pool', { state: 'unchanged', agoMs: 3 * HOUR });
  await runOf('pool', { state: 'done', agoMs: HOUR, cause: 'undo' });
  await entryOf('pool', 'swim', HOUR);
  const facts = await factsOf('pool');
  expect(sourceState(facts, NOW)).toMatchObject({ word: 'late', since: NOW - 2 * HOUR - 20 * 60_000 });
  expect(facts.workerAt).toBeNull();
  await noteWorkerAlive(query());
  expect((await factsOf('pool')).workerAt).toBeGreaterThan(NOW - HOUR);
});

test('a pause ends by itself or by hand, is in the history, and leaves nothing overdue', async () => {
  const clerk = { name: 'clerk', from: 'console' } as const;
  const parish = { site: 'builtin', source: 'parish' };
  await runOf('parish', { state: 'unchanged', agoMs: 50 * HOUR });
  await entryOf('parish', 'mass', 99 * HOUR);
  const until = Date.now() + 26 * HOUR;
  await pauseSource(query(), parish, { until, reason: 'new roof' }, clerk);
  const facts = await factsOf('parish');
  expect(facts.pause).toMatchObject({ until, reason: 'new roof', by: 'clerk' });
  expect(facts.nextAt).toBe(Math.ceil(until / HOUR) * HOUR);
  const after = Math.ceil(until / HOUR) * HOUR + 1;
  const [later] = await loadFacts(query(), [hourly('parish')], after);
  expect(later && sourceState(later, after).word).toBe('well');
  expect([await resumeSource(query(), parish, clerk), await resumeSource(query(), parish, clerk)]).toEqual([
    true,
    false,
  ]);
  const resumed = Date.now() + 1;
  const [now] = await loadFacts(query(), [hourly('parish')], resumed);
  expect(now && sourceState(now, resumed).word).toBe('well');
  expect((await listActs(query(), { source: 'parish' }, 9)).map(({ kind, reason }) => [kind, reason])).toEqual([
    ['resume', null],
    ['pause', 'new roof'],
  ]);
});

test('a source that the configuration file pauses is never due', async () => {
  const [facts] = await loadFacts(query(), [{ ...hourly('library'), isPausedByFile: true }], NOW);
  expect(facts).toMatchObject({ pause: { by: null, until: null }, nextAt: null, dueAt: null });
});

test('the usual time between changes is known after four changes', async () => {
  await sql`insert into calsync.sources (site, source, changed_at, changes, usual_gap_ms) values
    ('builtin', 'often', now(), 4, 1000), ('builtin', 'rare', now(), 3, 1000)`.execute(query());
  expect([(await factsOf('often')).usualGapMs, (await factsOf('rare')).usualGapMs]).toEqual([1000, null]);
});
