import { sql, type Queryable } from '../database.ts';

/**
 * Adds lines to the log of a run in one step. Before, a log that was too long was rebuilt for each of its lines, which
 * took longer than the work that the lines report.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql
    .raw(
      `create or replace function calsync.with_lines(log jsonb, lines jsonb) returns jsonb language sql immutable as $$
    select case when jsonb_array_length(log) + jsonb_array_length(lines) <= 100 then log || lines else
      (select jsonb_path_query_array(every, '$[0 to 19]') || jsonb_path_query_array(every, '$[last - 79 to last]')
        from (select log || lines as every offset 0) as whole) end
    $$`,
    )
    .execute(db);
};
