import { sql, type Queryable } from '../database.ts';

/** The events that lost a venue or organizer when it went into the trash; they get it back with it. */
export const up = async (db: Queryable): Promise<void> => {
  for (const table of ['venues', 'organizers'])
    await sql`alter table ${sql.ref(`site.${table}`)} add column unlinked_events integer[] not null default '{}'`.execute(
      db,
    );
};
