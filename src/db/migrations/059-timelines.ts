import { sql, type Queryable } from '../database.ts';

/**
 * What a source's timeline shows apart from runs and acts: the messages about the source, and the program that makes
 * its feed.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.readings add column software text`.execute(db);
  await sql`create index deliveries_by_source on calsync.deliveries using gin (episodes jsonb_path_ops)`.execute(db);
};
