import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Plan, Report, Stage } from '../../sync/model/plan.ts';
import type { Validators } from '../fetch/fetch-feed.ts';
import { addingLines, type LogLine } from '../log/run-log.ts';
import type { Traffic } from '../log/traffic.ts';
import { saveBatches, type PlannedBatch, type StoredBatch } from './batches.ts';
import type { Cause } from './causes.ts';
import type { FeedState } from './feed-state.ts';
import type { ReadingSteps } from './progress.ts';

type Query = Queryable;

export type RunState = 'reading' | 'writing' | 'done' | 'unchanged' | 'held' | 'failed' | 'rejected' | 'superseded';

/** A run without its plan. */
export interface RunRecord {
  readonly run: string;
  readonly site: string;
  readonly source: string;
  readonly cause: Cause;
  readonly state: RunState;
  readonly stage: Stage | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Without the time during which its plan waited for a person; null while the run goes on. */
  readonly tookMs: number | null;
  readonly requests: number;
  /** The number of its requests by the status of the site's answer; `none` counts those without an answer. */
  readonly statuses: Traffic['statuses'];
  readonly writes: number;
  readonly report: Report | null;
  /** How many runs the row stands for: consecutive runs of one day that found nothing to do share a row. */
  readonly times: number;
  /** When the first of several runs began. */
  readonly since: Date | null;
  /** The steps of its reading; null if a person asked for its plan, or an older version made it. */
  readonly steps: ReadingSteps | null;
  /** When its plan was stored for writing. */
  readonly writingAt: Date | null;
  /** The later run that planned again what this one held. */
  readonly supersededBy: string | null;
  /** How often a process ended during it or could not continue it; requests to stop do not count. */
  readonly cutOffs: number;
  /** Who asked it to end after the batches under way. */
  readonly stopAskedBy: string | null;
}

const stepMs = (step: string): string => `coalesce((steps->'${step}'->>'ms')::numeric, 0)`;
const spanMs = (from: string): string => `extract(epoch from finished_at - ${from}) * 1000`;

/**
 * How long a run took, in milliseconds, without the time during which its plan waited for a person. Null while it goes
 * on.
 */
export const TOOK_MS = `(case when writing_at is null or steps is null then ${spanMs('started_at')}
  else ${['fetch', 'read', 'compare'].map(stepMs).join(' + ')} + ${spanMs('writing_at')} end)::bigint`;

/** The columns of a run without its plan. */
export const RUN_COLUMNS = sql.raw(
  `run, site, source, cause, state, stage, started_at as "startedAt", finished_at as "finishedAt", requests, statuses, writes, report, times, since,
  steps, writing_at as "writingAt", superseded_by as "supersededBy", cut_offs as "cutOffs", stop_asked_by as "stopAskedBy", ${TOOK_MS} as "tookMs"`,
);

export async function loadRun(query: Query, run: string): Promise<RunRecord | undefined> {
  const { rows } = await sql<RunRecord>`select ${RUN_COLUMNS} from calsync.runs where run = ${run}`.execute(query);
  return rows[0];
}

/**
 * Finds a run by a name that a person gives. A run without a row of its own is found by the row that it was folded
 * into.
 */
export async function findRun(query: Query, run: string): Promise<RunRecord | undefined> {
  return (await loadRun(query, run)) ?? loadFolded(query, run);
}

async function loadFolded(query: Query, run: string): Promise<RunRecord | undefined> {
  // A name consists of the source, a time, and what tells it from other runs of that second; the last two have 23
  // characters.
  const { rows } = await sql<RunRecord>`select ${RUN_COLUMNS} from calsync.runs
    where left(first_run, -23) = left(${run}, -23) and left(${run}, -7) between left(first_run, -7) and left(run, -7)
    order by started_at limit 1`.execute(query);
  return rows[0];
}

/** The reports of runs that have ended since a time, earliest first, and when the last of them did. */
export async function endedSince(
  query: Query,
  since: Date,
): Promise<{ readonly reports: readonly Report[]; readonly until: Date }> {
  const { rows } = await sql<{ report: Report; at: Date }>`select report, finished_at as at from calsync.runs
    where finished_at >= ${since} and report is not null order by finished_at`.execute(query);
  return { reports: rows.map(({ report }) => report), until: rows.at(-1)?.at ?? since };
}

/** Runs, latest first. */
export async function listRuns(query: Query, source: string | undefined, limit: number): Promise<readonly RunRecord[]> {
  const only = source === undefined ? sql`` : sql`where source = ${source}`;
  const { rows } =
    await sql<RunRecord>`select ${RUN_COLUMNS} from calsync.runs ${only} order by started_at desc, run desc limit ${limit}`.execute(
      query,
    );
  return rows;
}

/** Thrown if another attempt at the same run, in this or another process, has already planned it. */
export class PlannedByAnother extends Error {}

/**
 * Stores the plan and its batches, after which any process can continue the run. Throws PlannedByAnother unless the run
 * is still being read, so that a run that was taken over while its first attempt was merely slow is planned once.
 */
export async function savePlan(
  query: Query,
  run: string,
  plan: Plan,
  feedState: FeedState,
  batches: readonly PlannedBatch[],
  stage: Stage,
  lines: readonly LogLine[],
): Promise<readonly StoredBatch[]> {
  const { rowCount } =
    await sql`update calsync.runs set state = 'writing', writing_at = now(), stage = ${stage}, plan = ${jsonb(withoutLedger(plan))},
    actions = null, changes = null, doing = null,
    refs = ${jsonb(plan.refs)}, feed_state = ${jsonb(feedState)}, ${addingLines(lines)}
    where run = ${run} and state = 'reading'`.execute(query);
  if (rowCount === 0) throw new PlannedByAnother(run);
  return saveBatches(query, run, batches);
}

// The batches hold the ledger changes together with their actions.
const withoutLedger = (plan: Plan): object => ({
  ...plan,
  ledger: undefined,
  actions: undefined,
  planned: plan.actions.length,
});

/** What the end of a run needs to know about its plan. */
export async function loadPlanned(
  query: Query,
  run: string,
): Promise<{ plan: Omit<Plan, 'ledger' | 'actions'>; feedState: FeedState } | undefined> {
  const { rows } = await sql<{ plan: Omit<Plan, 'ledger' | 'actions'> | null; feedState: FeedState }>`
    select plan, feed_state as "feedState" from calsync.runs where run = ${run}`.execute(query);
  return rows[0]?.plan ? { plan: rows[0].plan, feedState: rows[0].feedState } : undefined;
}

/** Moves a run on to its next stage; false if another process has already done so. */
export async function advanceStage(query: Query, run: string, from: Stage, to: Stage): Promise<boolean> {
  const { rows } =
    await sql`update calsync.runs set stage = ${to} where run = ${run} and state = 'writing' and stage = ${from} returning run`.execute(
      query,
    );
  return rows.length > 0;
}

// What differs between the reports of two runs that say the same.
const OWN = sql.raw(`'{run,requests,writes}'::text[]`);

/**
 * SQL that deletes the row of the run just before this one, if that run found nothing to do either, reported the same,
 * and began on the same day; this run's row then stands for both.
 */
const folded = (report: Report, isDue: Sql<boolean>): Sql => sql`
  folded as (delete from calsync.runs as former using calsync.runs as latest
    where latest.run = ${report.run} and latest.state in ('reading', 'writing') and ${report.state === 'unchanged'} and ${isDue}
      and former.run = (select other.run from calsync.runs as other
        where other.site = latest.site and other.source = latest.source and other.run <> latest.run and other.started_at <= latest.started_at
        order by other.started_at desc limit 1)
      and former.state = 'unchanged' and former.report - ${OWN} = ${jsonb(report)} - ${OWN}
      and date_trunc('day', former.started_at, 'UTC') = date_trunc('day', latest.started_at, 'UTC')
    returning former.times, former.requests, former.statuses, coalesce(former.first_run, former.run) as first_run,
      coalesce(former.since, former.started_at) as since,
      former.steps->'read' is not null or former.steps->'readBefore' is not null as has_read)`;

const WITH_FOLDED = sql.raw(
  'times = runs.times + coalesce(folded.times, 0), first_run = folded.first_run, since = folded.since',
);

const READ_BEFORE: Pick<ReadingSteps, 'readBefore'> = { readBefore: true };

/**
 * Ends a run with its report, to which the counted requests and writes are added. Undefined if it has already ended.
 */
export async function finishRun(query: Query, report: Report, lines: readonly LogLine[]): Promise<Report | undefined> {
  const { rows } = await sql<{ report: Report }>`with ${folded(report, sql`true`)}
    update calsync.runs set state = ${report.state}, finished_at = now(), ${WITH_FOLDED}, requests = runs.requests + coalesce(folded.requests, 0),
      statuses = calsync.added_counts(runs.statuses, coalesce(folded.statuses, '{}')), ${addingLines(lines)},
      report = ${jsonb(report)} || jsonb_build_object('requests', runs.requests, 'writes', writes)
    from (values (true)) as always left join folded on true
    where run = ${report.run} and (state in ('reading', 'writing') or state = 'held' and report is null) returning report`.execute(
    query,
  );
  return rows[0]?.report;
}

/** What a run found out about an unchanged feed, and its requests. */
export interface UnchangedFeed extends Validators {
  readonly site: string;
  /** When the publisher allows the next fetch, in epoch milliseconds. */
  readonly notBefore: number;
  readonly traffic: Traffic;
  readonly steps: ReadingSteps;
  readonly lines: readonly LogLine[];
}

/**
 * Ends a run whose feed is unchanged. Stores its report and the feed's validators and times, and releases its source,
 * all or nothing. `busy` means that another process has taken the run over.
 */
export async function finishUnchanged(
  query: Query,
  owner: number,
  report: Report,
  { site, etag, lastModified, notBefore, traffic, steps, lines }: UnchangedFeed,
): Promise<Report | 'busy'> {
  const { rows } = await sql<{ report: Report | null }>`
    with own as (delete from calsync.leases where run = ${report.run} and owner = ${owner} returning run),
    noted as (update calsync.sources set failures = 0, retry_at = null, not_before = ${new Date(notBefore)}, etag = ${etag}, last_modified = ${lastModified}
      where site = ${site} and source = ${report.source} and exists (select from own)),
    ${folded(report, sql`exists (select from own)`)},
    ended as (update calsync.runs set state = ${report.state}, finished_at = now(), ${WITH_FOLDED},
      steps = ${jsonb(steps)} || case when folded.has_read then ${jsonb(READ_BEFORE)} else '{}' end,
      requests = runs.requests + ${traffic.requests} + coalesce(folded.requests, 0), ${addingLines(lines)},
      statuses = calsync.added_counts(calsync.added_counts(runs.statuses, coalesce(folded.statuses, '{}')), ${jsonb(traffic.statuses)}),
      report = ${jsonb(report)} || jsonb_build_object('requests', runs.requests + ${traffic.requests}, 'writes', writes)
      from own left join folded on true where runs.run = own.run and state = 'reading' returning report)
    select ended.report from own left join ended on true`.execute(query);
  const [ended] = rows;
  return ended === undefined ? 'busy' : (ended.report ?? report);
}

/** Counts a run's requests to the site before anything is written. */
export async function countTraffic(query: Query, run: string, { requests, statuses }: Traffic): Promise<void> {
  if (requests === 0 && Object.keys(statuses).length === 0) return;
  await sql`update calsync.runs set requests = requests + ${requests}, statuses = calsync.added_counts(statuses, ${jsonb(statuses)})
    where run = ${run}`.execute(query);
}

/** Stores how far the reading of a run has got. */
export async function noteSteps(
  query: Query,
  run: string,
  steps: ReadingSteps,
  lines: readonly LogLine[],
): Promise<void> {
  await sql`update calsync.runs set steps = ${jsonb(steps)}, ${addingLines(lines)} where run = ${run}`.execute(query);
}

export async function loadRefs(query: Query, run: string): Promise<Record<string, number>> {
  const { rows } = await sql<{
    refs: Record<string, number>;
  }>`select refs from calsync.runs where run = ${run}`.execute(query);
  return rows[0]?.refs ?? {};
}
