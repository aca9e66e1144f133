import { sql, type Queryable } from '../database.ts';

/** Finds the events of a month in the ledgers of all sources, and counts them by source without reading them. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create index ledger_by_time on calsync.ledger (ends_at, starts_at) include (site, source, state)`.execute(
    db,
  );
};
