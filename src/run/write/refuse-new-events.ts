import { sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Problem } from '../../problem.ts';
import type { Plan } from '../../sync/model/plan.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { SLUG_NOT_KEPT } from './resolve-open.ts';

/**
 * Why a plan that creates events must not begin: the site gave the last event that the source created an address of its
 * own making, and would do so again. Null if there is no such problem.
 */
export async function newEventsProblem(
  { database }: Pick<RunContext, 'database'>,
  { name, site }: Pick<SourceSetup, 'name' | 'site'>,
  { actions }: Pick<Plan, 'actions'>,
): Promise<Problem | null> {
  if (!actions.some(({ resource, kind }) => resource === 'events' && kind === 'create')) return null;
  const { rows } = await sql<{ isNotKept: boolean }>`
    select report->'problems' @> ${NOT_KEPT} as "isNotKept" from calsync.runs
    where site = ${site.key} and source = ${name} and report is not null
      and ((report->>'created')::integer > 0 or report->'problems' @> ${NOT_KEPT})
    order by started_at desc limit 1`.execute(database.query());
  if (!rows[0]?.isNotKept) return null;
  return {
    code: SLUG_NOT_KEPT,
    where: {},
    message:
      `The site ${site.name} gave the last new event of this source another address than it was sent, so that it could ` +
      'not be found again. Nothing was written. Find out what on the site does so, such as a plugin; then ' +
      `"npm run -s calsyncd -- sync ${name} --full" tries it again.`,
  };
}

const NOT_KEPT = jsonb([{ code: SLUG_NOT_KEPT }]);
