import { sql, type Queryable } from '../database.ts';

/**
 * The actions of held plans are only read by the program, and were too large for one value if a source has 100,000
 * events: they are stored in compressed parts, next to the rest of the plan. What queries need is in `doing`. Parts of
 * earlier plans stay uncompressed.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs add column actions bytea[], add column changes bytea[], add column doing jsonb`.execute(
    db,
  );
  await sql`alter table calsync.runs alter column actions set storage external, alter column changes set storage external`.execute(
    db,
  );
  await sql`update calsync.runs set
      actions = array[convert_to((plan->'actions')::text, 'UTF8')],
      changes = array[convert_to(jsonb_path_query_array(plan, '$.ledger.*')::text, 'UTF8')],
      doing = (select coalesce(jsonb_object_agg(action->>'slug', action->>'kind'), '{}')
        from jsonb_path_query(plan, '$.actions[*] ? (@.resource == "events")') as action),
      plan = plan - array['actions', 'ledger']
    where plan ? 'actions'`.execute(db);
};
