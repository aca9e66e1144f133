import { sql, type Queryable } from '../database.ts';

/** Every minute we check which sources are failing. This finds the failed runs without reading all others. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.runs (site, source, started_at) where state = 'failed'`.execute(db);
};
