import { sql, type Queryable } from '../database.ts';

/** A detached event stays in the ledger, so that its source recognises it and can have it back. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.ledger drop constraint ledger_state_check, add constraint ledger_state_check
    check (state in ('kept', 'removed', 'ignored', 'detached'))`.execute(db);
};
