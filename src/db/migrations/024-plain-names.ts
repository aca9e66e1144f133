import { sql, type Queryable, type Sql } from '../database.ts';

/** Renames keys in stored plans and outcomes to the names that the program uses now. */
export const up = async (db: Queryable): Promise<void> => {
  const change = renamed(sql`change`, 'awaits', 'pendingFields');
  await sql`update calsync.runs set plan = jsonb_set(plan, '{ledger}', (
    select jsonb_object_agg(slug, ${change}) from jsonb_each(plan->'ledger') as changes(slug, change)))
    where plan @? '$.ledger.*.awaits'`.execute(db);
  await sql`update calsync.unanswered set change = ${change} where change ? 'awaits'`.execute(db);
  const inItem = renamed(sql`(item->'change')`, 'awaits', 'pendingFields');
  await sql`update calsync.batches set items = (
    select jsonb_agg(case when item @? '$.change.awaits' then item || jsonb_build_object('change', ${inItem})
      else item end order by place)
    from jsonb_array_elements(items) with ordinality as list(item, place))
    where items @? '$[*].change.awaits'`.execute(db);
  await sql`update calsync.batches set outcomes = (
    select jsonb_agg(${renamed(sql`outcome`, 'found', 'lookedUp')} order by place)
    from jsonb_array_elements(outcomes) with ordinality as list(outcome, place))
    where outcomes @? '$[*].found'`.execute(db);
};

/** An object with one of its keys renamed, if it has that key. */
const renamed = (value: Sql, from: string, to: string): Sql =>
  sql`case when ${value} ? ${sql.lit(from)}
    then (${value} - ${sql.lit(from)}) || jsonb_build_object(${sql.lit(to)}, ${value}->${sql.lit(from)}) else ${value} end`;
