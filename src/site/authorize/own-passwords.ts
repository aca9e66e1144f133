import { sql, type Queryable } from '../../db/database.ts';
import type { ListedPassword } from './forms.ts';

/** A user's application passwords, the latest first. */
export async function listPasswords(db: Queryable, userId: number): Promise<readonly ListedPassword[]> {
  const { rows } = await sql<ListedPassword>`select uuid, name, created, last_used from site.application_passwords
    where user_id = ${userId} order by created desc, uuid`.execute(db);
  return rows;
}

/** Takes one of a user's passwords back; whether there was one. */
export async function revokePassword(db: Queryable, userId: number, uuid: string): Promise<boolean> {
  if (!/^[\da-f-]{36}$/i.test(uuid)) return false;
  const { rowCount } =
    await sql`delete from site.application_passwords where user_id = ${userId} and uuid = ${uuid}`.execute(db);
  return rowCount === 1;
}
