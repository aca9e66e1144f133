import { sql, type Queryable } from '../database.ts';

/** What all processes together have counted and timed, for /metrics. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.measured (
    metric text not null, labels jsonb not null,
    value double precision not null,
    primary key (metric, labels))`.execute(db);
};
