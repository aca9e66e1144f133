import { sql, type Queryable } from '../../db/database.ts';
import { failedInARow } from '../state/troubles.ts';
import type { Report } from '../../sync/model/plan.ts';

/** What is sent to the webhook. */
export interface Alert {
  readonly event: 'held' | 'failing' | 'recovered';
  readonly source: string;
  readonly run: string;
  readonly text: string;
  readonly report: Report;
}

/**
 * The counts of consecutive failures that are reported. A single failure usually passes with the next run; one that
 * lasts an hour is reported by `lateAlerts`.
 */
const TOLD_FAILURES: ReadonlySet<number> = new Set([2, 10, 30, 100]);
const LASTS_LONG = '1 hour';

/** The failed runs of a source in a row, before a given run or including it. */
export interface Failures {
  readonly count: number;
  /** One of them has been reported already. */
  readonly isTold: boolean;
}

/** The alert that a report calls for, if any. `failures`: the consecutive failures right before its run. */
export function alertFor(report: Report, { count, isTold }: Failures): Alert | undefined {
  const about = { source: report.source, run: report.run, report };
  if (report.state === 'held')
    return { ...about, event: 'held', text: `A run of ${report.source} waits for a person: ${reasonOf(report)}` };
  if (report.state === 'failed') return TOLD_FAILURES.has(count + 1) ? failing(report, count + 1) : undefined;
  return isTold ? { ...about, event: 'recovered', text: `${report.source} works again.` } : undefined;
}

function failing(report: Report, count: number): Alert {
  const often = count === 1 ? 'has failed, and was not read again for an hour' : `has failed ${count} times in a row`;
  return {
    event: 'failing',
    source: report.source,
    run: report.run,
    text: `${report.source} ${often}: ${reasonOf(report)}`,
    report,
  };
}

const reasonOf = ({ problems }: Report): string => problems[0]?.message ?? 'no reason was given';

/** The consecutive failures of a source right before a run. */
export async function failuresBefore(
  query: Queryable,
  { source, run }: Pick<Report, 'source' | 'run'>,
): Promise<Failures> {
  const { rows } = await sql<Failures>`
    with earlier as (select run, state, started_at, told_at from calsync.runs where source = ${source} and run <> ${run} and state in ('done', 'unchanged', 'held', 'failed')
      and started_at <= (select started_at from calsync.runs where run = ${run}))
    select count(*)::int as count, coalesce(bool_or(told_at is not null), false) as "isTold" from earlier where state = 'failed'
      and started_at > coalesce((select max(started_at) from earlier where state <> 'failed'), '-infinity')`.execute(
    query,
  );
  return rows[0] ?? { count: 0, isTold: false };
}

/**
 * Alerts for sources that have done nothing but fail for an hour, if no alert was sent yet. Uses the database's clock,
 * which also wrote the timestamps.
 */
export async function lateAlerts(query: Queryable): Promise<readonly Alert[]> {
  const { rows } = await sql<{ report: Report; count: number }>`
    select (array_agg(report order by started_at desc))[1] as report, count(*)::int as count
    from ${failedInARow} as failed where report is not null
    group by site, source having min(finished_at) < now() - ${LASTS_LONG}::interval and bool_and(told_at is null)`.execute(
    query,
  );
  return rows.map(({ report, count }) => failing(report, count));
}

/** Records that an alert is being sent for a run; false when another process has already claimed it. */
export async function claimAlert(query: Queryable, run: string): Promise<boolean> {
  const { rows } =
    await sql`update calsync.runs set told_at = now() where run = ${run} and told_at is null returning run`.execute(
      query,
    );
  return rows.length > 0;
}

/** Releases the claim when the alert could not be sent. */
export async function returnAlert(query: Queryable, run: string): Promise<void> {
  await sql`update calsync.runs set told_at = null where run = ${run}`.execute(query);
}
