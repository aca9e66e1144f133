import type { ProblemCode } from '../../codes.ts';
import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { FEED_ADVICE } from '../../feed-codes.ts';
import { hasReadWellSql, isSyncSql } from '../state/causes.ts';
import { deadOwner } from '../state/process.ts';
import { TOOK_MS, type RunState } from '../state/records.ts';
import { NO_EVENTS } from '../../sync/drafts/no-events.ts';
import { failedInARow } from '../state/troubles.ts';
import type { SourceName } from './pauses.ts';
import type { SourceFacts, SourcePause } from './source-state.ts';

type Query = Queryable;

/** A configured source, and its schedule. */
export interface WatchedSource extends SourceName {
  /** The first scheduled times after a time; in epoch milliseconds. */
  readonly timesAfter: (after: number, count: number) => readonly number[];
  /** The configuration says `paused: true`. */
  readonly isPausedByFile?: boolean;
}

/** With fewer changes than this, no usual gap is known. */
const CHANGES_MIN = 4;

/** What the tables say about each source. */
interface Row {
  readonly run: string | null;
  readonly state: RunState;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly tookMs: number | null;
  readonly goodAt: number | null;
  readonly retryAt: number | null;
  readonly notBefore: number | null;
  readonly kept: number;
  readonly coming: number;
  readonly noEventsBecause: string | null;
  readonly changedAt: number | null;
  readonly changes: number;
  readonly usualGapMs: number | null;
  readonly pausedSince: number | null;
  readonly pausedUntil: number | null;
  readonly pauseReason: string | null;
  readonly pausedBy: string;
  readonly workerAt: number | null;
}

/** Facts that apply to few sources. */
interface Trouble {
  readonly failures?: NonNullable<SourceFacts['failures']>;
  readonly held?: NonNullable<SourceFacts['held']>;
  readonly conflicts?: number;
  readonly missing?: number;
  readonly isRunning?: true;
}

/** The facts about sources, in the given order. `now` is in epoch milliseconds. */
export async function loadFacts(
  query: Query,
  sources: readonly WatchedSource[],
  now: number,
): Promise<readonly SourceFacts[]> {
  const [rows, troubles] = await Promise.all([loadRows(query, sources, now), loadTroubles(query, now)]);
  return sources.map((source, index) => {
    const row = rows[index];
    if (!row) throw new TypeError('each source has a row');
    return factsOf(source, row, troubles.get(keyOf(source)) ?? {}, now);
  });
}

const keyOf = ({ site, source }: SourceName): string => JSON.stringify([site, source]);

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;
const COLUMNS =
  sql.raw(`last.run, last.state, ${ms('last.started_at')} as "startedAt", ${ms('last.finished_at')} as "finishedAt",
  last.took_ms as "tookMs",
  ${ms('coalesce(good.at, own.good_at)')} as "goodAt", ${ms('own.retry_at')} as "retryAt", ${ms('own.not_before')} as "notBefore",
  events.kept, events.coming,
  case when events.coming = 0 then (select problem->>'message' from jsonb_array_elements(last.report->'problems') as problem
    where problem->>'code' in ('${NO_EVENTS}', 'csv-header') limit 1) end as "noEventsBecause",
  ${ms('own.changed_at')} as "changedAt", coalesce(own.changes, 0) as changes, own.usual_gap_ms as "usualGapMs",
  ${ms('pauses.since')} as "pausedSince", ${ms('pauses.until')} as "pausedUntil", pauses.reason as "pauseReason",
  pauses.name as "pausedBy", (select ${ms('at')} from calsync.beats where part = 'worker') as "workerAt"`);

const ofAsked = (table: string): Sql => sql.raw(`${table}.site = asked.site and ${table}.source = asked.source`);
// The number of latest runs searched for the last sync, among those that people asked for.
const RECENT = sql.lit(200);

async function loadRows(query: Query, sources: readonly SourceName[], now: number): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from unnest(${sources.map(({ site }) => site)}::text[], ${sources.map(({ source }) => source)}::text[])
        with ordinality as asked (site, source, place)
      left join calsync.sources as own on ${ofAsked('own')}
      left join lateral (select * from (select run, state, cause, report, started_at, finished_at, ${sql.raw(TOOK_MS)} as took_ms from calsync.runs
        where ${ofAsked('runs')} order by started_at desc limit ${RECENT}) as recent where ${isSyncSql} limit 1) as last on true
      left join lateral (select coalesce(finished_at, started_at) as at from calsync.runs
        where ${ofAsked('runs')} and ${hasReadWellSql}
        order by started_at desc limit 1) as good on true
      left join lateral (select count(*)::int as kept, (count(*) filter (where ends_at > ${now}))::int as coming
        from calsync.ledger where ${ofAsked('ledger')} and state = 'kept') as events on true
      left join calsync.pauses on ${ofAsked('pauses')}
    order by place`.execute(query);
  return rows;
}

const FEED_CODES = Object.keys(FEED_ADVICE);
// A run whose writes failed also reports problems of its feed, which are not the reason.
const whyFailed = sql`(select jsonb_build_object('code', problem->'code', 'message', problem->'message')
  from jsonb_array_elements(report->'problems') with ordinality as each (problem, place)
  order by problem->>'code' = any(${FEED_CODES}::text[]), place limit 1)`;

type HeldPlan = NonNullable<SourceFacts['held']>;
type Named<T> = SourceName & T;

/** What is wrong, held or running, by source. The queries start from these few facts and not from the sources. */
async function loadTroubles(query: Query, now: number): Promise<ReadonlyMap<string, Trouble>> {
  const [failing, held, conflicts, missing, atWork] = await Promise.all([
    sql<Named<{ count: number; since: number; run: string; why: { code: ProblemCode; message: string } | null }>>`
      select distinct on (site, source) site, source, run, count(*) over each as count,
        ${sql.raw(ms('min(started_at) over each'))} as since, ${whyFailed} as why
      from ${failedInARow} as failed window each as (partition by site, source) order by site, source, started_at desc`.execute(
      query,
    ),
    sql<Named<Omit<HeldPlan, 'reasons'> & { reasons: HeldPlan['reasons'] | null }>>`
      select distinct on (site, source) site, source, run, ${sql.raw(ms('finished_at'))} as since, plan->>'held' as why, plan->'reasons' as reasons,
        case when cause->>'kind' = 'undo' then cause->>'of' end as undoes,
        (select ${sql.raw(ms('act.at'))} from calsync.acts as act
          where act.source = held.source and act.site = held.site and act.kind in ('approve', 'reject') and act.at <= held.finished_at
          order by act.at desc limit 1) as "decidedBefore"
      from calsync.runs as held where state = 'held' order by site, source, started_at desc`.execute(query),
    sql<Named<{ conflicts: number }>>`
      select site, source, count(*) as conflicts from calsync.ledger
      where in_conflict and state = 'kept' and ends_at > ${now} group by site, source`.execute(query),
    sql<Named<{ missing: number }>>`
      select site, source, count(*) as missing from calsync.ledger
      where missing > 0 and state = 'kept' and ends_at > ${now} group by site, source`.execute(query),
    sql<SourceName>`select site, source from calsync.leases where not ${deadOwner}`.execute(query),
  ]);
  const troubles = new Map<string, Trouble>();
  const note = (name: SourceName, trouble: Trouble): void => {
    troubles.set(keyOf(name), { ...troubles.get(keyOf(name)), ...trouble });
  };
  for (const row of failing.rows) {
    const { count, since, run, why } = row;
    note(row, { failures: { count, since, run, code: why?.code ?? null, message: why?.message ?? null } });
  }
  for (const row of held.rows)
    note(row, {
      held: {
        run: row.run,
        since: row.since,
        why: row.why,
        reasons: row.reasons ?? [],
        undoes: row.undoes ?? null,
        decidedBefore: row.decidedBefore ?? null,
      },
    });
  for (const { site, source, ...counted } of [...conflicts.rows, ...missing.rows]) note({ site, source }, counted);
  for (const row of atWork.rows) note(row, { isRunning: true });
  return troubles;
}

function factsOf(
  { site, source, timesAfter, isPausedByFile }: WatchedSource,
  row: Row,
  trouble: Trouble,
  now: number,
): SourceFacts {
  const pause = isPausedByFile ? BY_FILE(now) : pauseOf(row, now);
  const waitUntil = Math.max(row.retryAt ?? 0, row.notBefore ?? 0);
  const first = (after: number): number | null => timesAfter(Math.max(after, waitUntil - 1), 1)[0] ?? null;
  return {
    site,
    source,
    lastRun: lastRunOf(row),
    goodAt: row.goodAt,
    tookMs: row.tookMs ?? 0,
    ...NO_TROUBLE,
    ...trouble,
    kept: row.kept,
    coming: row.coming,
    noEventsBecause: row.noEventsBecause,
    changedAt: row.changedAt,
    usualGapMs: row.changes < CHANGES_MIN ? null : row.usualGapMs,
    dueAt: pause || row.run === null ? null : first(awaitedSince(row)),
    nextAt: nextOf(pause, now, first),
    pause,
    workerAt: row.workerAt,
  };
}

const NO_TROUBLE = { failures: null, held: null, conflicts: 0, missing: 0, isRunning: false } as const;

const lastRunOf = ({ run, state, startedAt, finishedAt }: Row): SourceFacts['lastRun'] =>
  run === null ? null : { run, state, startedAt, finishedAt };

/** A scheduled time during a run or a pause asks for nothing. */
const awaitedSince = ({ startedAt, finishedAt, pausedUntil }: Row): number =>
  Math.max(finishedAt ?? startedAt, pausedUntil ?? 0);

function nextOf(pause: SourcePause | null, now: number, first: (after: number) => number | null): number | null {
  if (!pause) return first(now);
  return pause.until === null ? null : first(pause.until - 1);
}

const BY_FILE = (now: number): SourcePause => ({ since: now, until: null, reason: null, by: null });

function pauseOf({ pausedSince, pausedUntil, pauseReason, pausedBy }: Row, now: number): SourcePause | null {
  if (pausedSince === null || (pausedUntil !== null && pausedUntil <= now)) return null;
  return { since: pausedSince, until: pausedUntil, reason: pauseReason, by: pausedBy };
}
