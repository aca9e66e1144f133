import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The site's answers by status, and the log. `log_lines` also counts the lines that were left out.
  `alter table calsync.runs add column statuses jsonb not null default '{}', add column log jsonb not null default '[]',
    add column log_lines integer not null default 0`,
  `create function calsync.added_counts(one jsonb, other jsonb) returns jsonb language sql immutable as $$
    select case when other = '{}' then one else
      (select coalesce(jsonb_object_agg(key, total), '{}') from (
        select key, sum(value::bigint) as total
        from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) as each group by key) as sums) end
    $$`,
  // Keeps how a run began, and what it did lately; drops lines in between.
  `create function calsync.with_lines(log jsonb, lines jsonb) returns jsonb language sql immutable as $$
    select case when jsonb_array_length(log || lines) <= 100 then log || lines else
      (select jsonb_agg(line order by place) from jsonb_array_elements(log || lines) with ordinality as every(line, place)
        where place <= 20 or place > jsonb_array_length(log || lines) - 80) end
    $$`,
];

/** Stores with each run the statuses of the site's answers, and its log. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
