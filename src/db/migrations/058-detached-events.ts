import { sql, type Queryable } from '../database.ts';

/** An event that a person has made their own stays known, so that its source recognises it and can have it back. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger drop constraint ledger_state_check, add constraint ledger_state_check
    check (state in ('kept', 'removed', 'ignored', 'detached'))`.execute(db);
};
