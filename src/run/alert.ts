import { sql, type Kysely } from '../db/database.ts';
import type { Report } from '../sync/plan.ts';

/** What the webhook is told. */
export interface Alert { readonly event: 'held' | 'failing' | 'recovered'; readonly source: string; readonly run: string; readonly text: string; readonly report: Report }

/** Failures in a row that are worth a word: the first, then ever more seldom. */
const TOLD_FAILURES: ReadonlySet<number> = new Set([1, 3, 10, 30, 100]);

/** Whether a report is worth telling, seen from how many runs failed in a row before it (not counting it). */
export function alertFor(report: Report, failuresBefore: number): Alert | undefined {
  const about = { source: report.source, run: report.run, report };
  const why = report.problems[0]?.message ?? 'no reason was given';
  if (report.state === 'held') return { ...about, event: 'held', text: `A run of ${report.source} waits for a person: ${why}` };
  if (report.state === 'failed') return TOLD_FAILURES.has(failuresBefore + 1) ? { ...about, event: 'failing', text: `${report.source} has failed ${failuresBefore + 1} times in a row: ${why}` } : undefined;
  return failuresBefore > 0 ? { ...about, event: 'recovered', text: `${report.source} works again.` } : undefined;
}

/** How many runs of a source failed in a row before a run. */
export async function failuresBefore(query: Kysely<unknown>, { source, run }: Report): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    with earlier as (select run, state, started_at from calsync.runs where source = ${source} and run <> ${run} and state in ('done', 'unchanged', 'held', 'failed')
      and started_at <= (select started_at from calsync.runs where run = ${run}))
    select count(*) as failures from earlier where state = 'failed'
      and started_at > coalesce((select max(started_at) from earlier where state <> 'failed'), '-infinity')`.execute(query);
  return rows[0]?.failures ?? 0;
}
