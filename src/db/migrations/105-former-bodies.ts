import { sql, type Queryable } from '../database.ts';

/** The columns that refer to a body. */
const HOLDERS = [
  ['sources', 'body_key'],
  ['sources', 'former_body_key'],
  ['runs', 'body_key'],
] as const;

const isHeld = (key: string): string =>
  HOLDERS.map(([table, column]) => `exists (select from calsync.${table} where ${column} = ${key})`).join(' or ');

/** The former function, with one more column. */
const forgetting = (name: string, key: string): string =>
  `create or replace function calsync.${name}() returns trigger language plpgsql as $$ begin
    perform from calsync.bodies where key = ${key} for update;
    delete from calsync.bodies where key = ${key} and not (${isHeld(key)});
    return null;
  end $$`;

/**
 * While events of a source are missing from its feed, the last body that had all of them is also kept: a plan that
 * removes them is compared with it.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.sources add column former_body_key bytea references calsync.bodies,
    add column former_content_type text, add column former_fetched_at timestamptz`.execute(db);
  await sql`create index on calsync.sources (former_body_key) where former_body_key is not null`.execute(db);
  await sql.raw(forgetting('forget_body', 'old.body_key')).execute(db);
  await sql.raw(forgetting('forget_former_body', 'old.former_body_key')).execute(db);
  await sql`create trigger forget_replaced_former_body after update of former_body_key on calsync.sources for each row
    when (old.former_body_key is distinct from new.former_body_key) execute function calsync.forget_former_body()`.execute(
    db,
  );
  await sql`create trigger forget_deleted_former_body after delete on calsync.sources for each row
    when (old.former_body_key is not null) execute function calsync.forget_former_body()`.execute(db);
};
