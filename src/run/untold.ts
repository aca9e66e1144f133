import { sql, type Kysely } from '../db/database.ts';
import type { Problem } from '../problem.ts';
import type { SourceSetup } from './context.ts';

/** What stays as it is until somebody does something about it: told once, not with every run. */
const TOLD_ONCE: ReadonlySet<string> = new Set(['beyond-coverage']);

/** The problems without those that an earlier run of the source has told in the same words. */
export async function untold(query: Kysely<unknown>, { site, name }: Pick<SourceSetup, 'site' | 'name'>, problems: readonly Problem[]): Promise<readonly Problem[]> {
  const fresh: Problem[] = [];
  for (const problem of problems) if (!TOLD_ONCE.has(problem.code) || !await isTold(query, site.key, name, problem)) fresh.push(problem);
  return fresh;
}

async function isTold(query: Kysely<unknown>, site: string, source: string, { code, message }: Problem): Promise<boolean> {
  const { rows } = await sql`select run from calsync.runs where site = ${site} and source = ${source} and report->'problems' @> ${JSON.stringify([{ code, message }])}::jsonb limit 1`.execute(query);
  return rows.length > 0;
}
