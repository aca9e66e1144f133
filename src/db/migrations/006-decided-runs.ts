import { sql, type Queryable } from '../database.ts';

/** Held runs can be rejected, or superseded by a later one. Runs can be found by their events. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs drop constraint runs_state_check`.execute(db);
  await sql`alter table calsync.runs add constraint runs_state_check
    check (state in ('reading', 'writing', 'done', 'unchanged', 'held', 'failed', 'rejected', 'superseded'))`.execute(
    db,
  );
  await sql`create index on calsync.runs (finished_at)`.execute(db);
  await sql`create index on calsync.batches using gin (items jsonb_path_ops)`.execute(db);
};
