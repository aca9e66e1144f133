import { sql, type Queryable } from '../database.ts';

/**
 * What held plans do is read by the program only, and was too much for one value where a source has 100,000 events: it
 * is kept in parts, compressed, beside the rest of the plan. What the server is asked about it is in `doing`. Parts of
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
