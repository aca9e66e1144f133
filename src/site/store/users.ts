import { sql, type Queryable } from '../../db/database.ts';
import { INTEGER_MAX } from '../../contract/limits.ts';
import { invalidParams, type HttpProblem } from '../http-problem.ts';

/**
 * Throws HttpProblem if a request names an author who does not exist. A post may keep the one it has (`former`), who
 * may have been removed.
 */
export async function assertAuthor(db: Queryable, id: number | undefined, former: number | undefined): Promise<void> {
  if (id === undefined || id === former) return;
  if (id > INTEGER_MAX) throw noAuthor(id);
  const { rows } = await sql`select from site.users where id = ${id}`.execute(db);
  if (rows.length === 0) throw noAuthor(id);
}

const noAuthor = (id: number): HttpProblem => invalidParams({ author: `There is no user with the id ${id}.` });
