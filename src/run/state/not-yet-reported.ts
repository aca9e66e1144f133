import { sql, type Queryable } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Problem } from '../../problem.ts';
import type { SourceSetup } from './context.ts';

/** Problems that stay until somebody acts on them: reported once, not with every run. */
const TOLD_ONCE: ReadonlySet<string> = new Set(['beyond-coverage']);

/** The problems without those that an earlier run of the source has reported in the same words. */
export async function notYetReported(
  query: Queryable,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const fresh: Problem[] = [];
  for (const problem of problems)
    if (!TOLD_ONCE.has(problem.code) || !(await isTold(query, site.key, name, problem))) fresh.push(problem);
  return fresh;
}

/** What the last ended run of a source reported under a code. */
export async function lastTold(
  query: Queryable,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  code: string,
): Promise<readonly Problem[]> {
  const { rows } = await sql<{ problem: Problem }>`
    with last as (select report from calsync.runs where site = ${site.key} and source = ${name} and report is not null order by started_at desc limit 1)
    select problem from last, jsonb_array_elements(report->'problems') as problem where problem->>'code' = ${code}`.execute(
    query,
  );
  return rows.map(({ problem }) => problem);
}

async function isTold(query: Queryable, site: string, source: string, { code, message }: Problem): Promise<boolean> {
  const { rows } =
    await sql`select run from calsync.runs where site = ${site} and source = ${source} and report->'problems' @> ${jsonb([{ code, message }])} limit 1`.execute(
      query,
    );
  return rows.length > 0;
}
