import type { Measures } from '../../measures.ts';
import type { Report } from '../../sync/model/plan.ts';

/** Counts a run that has ended, and the events it has written. */
export function countRun(measures: Measures, report: Report): void {
  const { state, created, updated, removed, requests, writes } = report;
  measures.ended(report, { state, created, updated, removed, requests, writes });
  measures.count('calsyncd_runs_total', { state });
  const isWritten = state === 'done' || state === 'failed';
  for (const [change, events] of Object.entries(isWritten ? { created, updated, removed } : {}))
    if (events > 0) measures.count('calsyncd_event_changes_total', { change }, events);
  if (writes > 0) measures.count('calsyncd_site_writes_total', {}, writes);
}
