import { sql, type Queryable } from '../database.ts';

/** Sources whose first plan waits for a person, because they have just been added in the console. */
export async function up(db: Queryable): Promise<void> {
  await sql.raw('create table calsync.first_runs (site text, source text, primary key (site, source))').execute(db);
}
