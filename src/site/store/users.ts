import { sql, type Queryable } from '../../db/database.ts';
import { INTEGER_MAX } from '../../contract/limits.ts';
import { invalidParams, type HttpProblem } from '../http-problem.ts';

/** Throws HttpProblem if there is no user with this id. */
export async function assertAuthor(db: Queryable, id: number): Promise<void> {
  if (id > INTEGER_MAX) throw noAuthor(id);
  const { rows } = await sql`select from site.users where id = ${id}`.execute(db);
  if (rows.length === 0) throw noAuthor(id);
}

const noAuthor = (id: number): HttpProblem => invalidParams({ author: `There is no user with the id ${id}.` });
