import { sql, type Queryable } from '../database.ts';

/** Which sources are failing is asked every minute: the failed runs are found without reading all others. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index on calsync.runs (site, source, started_at) where state = 'failed'`.execute(db);
};
