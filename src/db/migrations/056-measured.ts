import { sql, type Kysely } from '../database.ts';

/** What all processes together have counted and timed, for /metrics. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table calsync.measured (
    metric text not null, labels jsonb not null,
    value double precision not null,
    primary key (metric, labels))`.execute(db);
};
