import { sql, type Queryable } from '../database.ts';

const IS_PENDING = { new: "new.status = 'pending'", old: "old.status = 'pending'" };

const STATEMENTS = [
  `create function calsync.tell_submission() returns trigger language plpgsql as $$
    begin
      perform calsync.tell('{"kind": "submission"}');
      return null;
    end $$`,
  `create trigger tell after insert or update or delete on site.suggestions for each statement
    execute function calsync.tell_submission()`,
  // Nothing is checked or sent for events that nobody submits.
  `create trigger tell_new after insert on site.events for each row when (${IS_PENDING.new})
    execute function calsync.tell_submission()`,
  `create trigger tell_changed after update of status on site.events for each row
    when (old.status <> new.status and (${IS_PENDING.old} or ${IS_PENDING.new})) execute function calsync.tell_submission()`,
  `create trigger tell_gone after delete on site.events for each row when (${IS_PENDING.old})
    execute function calsync.tell_submission()`,
];

/** Notifies the open To do of what authors submit and visitors suggest. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
