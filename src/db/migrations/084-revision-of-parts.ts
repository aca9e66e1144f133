import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The revision that last changed anything but events themselves: what events refer to, as shown with them. A term is
  // shown with its number of events.
  'alter table site.revision add column parts bigint not null default 0',
  'update site.revision set parts = value',
  `create or replace function site.raise_revision() returns trigger language plpgsql as $$
    begin update site.revision set value = value + 1, parts = value + 1; return null; end $$`,
  `create or replace function site.raise_all_days() returns trigger language plpgsql as $$
    declare
      raised bigint;
    begin
      update site.revision set value = value + 1, parts = value + 1 returning value into raised;
      update site.event_days set revision = raised;
      delete from site.event_links;
      return null;
    end $$`,
  // The write to events that this belongs to raises the revision to the same value.
  `create function site.note_counts() returns trigger language plpgsql as $$
    begin update site.revision set parts = value + 1 where parts <= value; return null; end $$`,
  `create trigger note_counts after update of count on site.terms for each row
    when (old.count <> new.count) execute function site.note_counts()`,
];

/** Records which writes have only changed events of some days, so that whatever shows other days stays valid. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
