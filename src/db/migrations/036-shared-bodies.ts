import { sql, type Queryable } from '../database.ts';

const HOLDERS = ['sources', 'runs'] as const;

const isHeldBy = (table: (typeof HOLDERS)[number]): string =>
  `exists (select from calsync.${table} where body_key = old.body_key)`;

/**
 * Bodies are stored once per content, by the hash of their compressed bytes, however many sources have them. A body
 * that no source and no held run has any more is deleted immediately.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`create table calsync.bodies (key bytea primary key, body bytea not null)`.execute(db);
  // Whoever is about to refer to the body has locked its row, so only now is it known whether it is still in use.
  await sql
    .raw(
      `create function calsync.forget_body() returns trigger language plpgsql as $$ begin
        perform from calsync.bodies where key = old.body_key for update;
        delete from calsync.bodies where key = old.body_key and not ${HOLDERS.map(isHeldBy).join(' and not ')};
        return null;
      end $$`,
    )
    .execute(db);
  for (const name of HOLDERS) {
    const table = sql.raw(`calsync.${name}`);
    await sql`alter table ${table} add column body_key bytea references calsync.bodies`.execute(db);
    await sql`insert into calsync.bodies (key, body) select distinct on (sha256(body)) sha256(body), body from ${table} where body is not null
      on conflict do nothing`.execute(db);
    await sql`update ${table} set body_key = sha256(body) where body is not null`.execute(db);
    await sql`alter table ${table} drop column body`.execute(db);
    await sql`create index on ${table} (body_key) where body_key is not null`.execute(db);
    await sql`create trigger forget_replaced_body after update of body_key on ${table} for each row
      when (old.body_key is distinct from new.body_key) execute function calsync.forget_body()`.execute(db);
    await sql`create trigger forget_deleted_body after delete on ${table} for each row
      when (old.body_key is not null) execute function calsync.forget_body()`.execute(db);
  }
};
