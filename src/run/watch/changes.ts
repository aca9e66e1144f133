import { sql, type Queryable } from '../../db/database.ts';
import type { Report } from '../../sync/model/plan.ts';

/** The weight of the latest gap in the moving average. */
const SHARE_OF_LATEST = sql.lit(0.25);

/** Records that a sync has changed the site: when, and the usual time between such changes. */
export async function noteChange(query: Queryable, site: string, report: Report): Promise<void> {
  if (report.created + report.updated + report.removed === 0) return;
  const gap = sql`extract(epoch from now() - changed_at) * 1000`;
  await sql`update calsync.sources set changed_at = now(), changes = changes + 1,
      usual_gap_ms = coalesce(usual_gap_ms + (${gap} - usual_gap_ms) * ${SHARE_OF_LATEST}, ${gap})::bigint
    where site = ${site} and source = ${report.source}`.execute(query);
}
