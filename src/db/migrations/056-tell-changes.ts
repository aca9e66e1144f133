import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // Until when somebody is viewing the console. Otherwise, no notifications are sent, because a commit with
  // notifications waits for all others.
  'create table calsync.lookers (process text primary key, until timestamptz not null)',
  `create function calsync.tell(change jsonb) returns void language plpgsql as $$
    begin
      if exists (select from calsync.lookers where until > now()) then
        perform pg_notify('calsync_changes', change::text);
      end if;
    end $$`,
  // A run's row contains its plan, so only a few columns are sent.
  `create function calsync.tell_run() returns trigger language plpgsql as $$
    begin
      perform calsync.tell(jsonb_build_object('kind', 'run', 'site', new.site, 'source', new.source, 'run', new.run));
      return null;
    end $$`,
  `create function calsync.tell_act() returns trigger language plpgsql as $$
    declare changed jsonb := to_jsonb(coalesce(new, old));
    begin
      perform calsync.tell(jsonb_strip_nulls(jsonb_build_object('kind', tg_argv[0], 'site', changed->'site',
        'source', changed->'source', 'run', changed->'run')));
      return null;
    end $$`,
  'create trigger tell after insert or update on calsync.runs for each row execute function calsync.tell_run()',
  ...['acts', 'pauses', 'snoozes', 'notes'].map(
    (table) =>
      `create trigger tell after insert or update or delete on calsync.${table} for each row execute function calsync.tell_act('${table.slice(0, -1)}')`,
  ),
];

/** Notifies open pages of the console about a change, with the transaction that makes it. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
