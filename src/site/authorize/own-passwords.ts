import { sql, type Queryable } from '../../db/database.ts';
import type { ListedPassword } from './forms.ts';

/** Lists a user's application passwords, the latest first. */
export async function listPasswords(db: Queryable, userId: number): Promise<readonly ListedPassword[]> {
  const { rows } = await sql<ListedPassword>`select uuid, name, created, last_used from site.application_passwords
    where user_id = ${userId} order by created desc, uuid`.execute(db);
  return rows;
}

/** Revokes one of a user's passwords; returns whether it existed. */
export async function revokePassword(db: Queryable, userId: number, uuid: string): Promise<boolean> {
  if (!/^[\da-f-]{36}$/i.test(uuid)) return false;
  const { rowCount } =
    await sql`delete from site.application_passwords where user_id = ${userId} and uuid = ${uuid}`.execute(db);
  return rowCount === 1;
}

/** Revokes a user's passwords with a name, or all of them; returns their names, sorted. */
export async function revokePasswords(db: Queryable, userId: number, name?: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`delete from site.application_passwords
    where user_id = ${userId} and (${name ?? null}::text is null or name = ${name ?? null}) returning name`.execute(db);
  return rows.map((row) => row.name).toSorted();
}
