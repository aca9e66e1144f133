import { sql, type Queryable } from '../database.ts';

/** Stores the cause of a run as data instead of a sentence. */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.runs alter column cause type jsonb using case
    when cause like 'undo of %' then jsonb_build_object('kind', 'undo', 'of', substr(cause, 9))
    when cause like 'restore %' then jsonb_build_object('kind', 'restore', 'of', substr(cause, 9))
    when cause ~ '^settle .* for the (feed|site)$' then jsonb_build_object(
      'kind', 'settle', 'of', substring(cause from '^settle (.*) for the (?:feed|site)$'), 'winner', right(cause, 4))
    else jsonb_build_object('kind', cause) end`.execute(db);
};
