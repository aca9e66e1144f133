import type { Kysely } from '../../db/database.ts';
import type { SiteTables } from '../tables.ts';
import type { ListedPassword } from './forms.ts';

/** A user's application passwords, the latest first. */
export const listPasswords = (db: Kysely<SiteTables>, userId: number): Promise<readonly ListedPassword[]> =>
  db
    .selectFrom('site.application_passwords')
    .select(['uuid', 'name', 'created', 'last_used'])
    .where('user_id', '=', userId)
    .orderBy('created', 'desc')
    .orderBy('uuid')
    .execute();

/** Takes one of a user's passwords back; whether there was one. */
export async function revokePassword(db: Kysely<SiteTables>, userId: number, uuid: string): Promise<boolean> {
  if (!/^[\da-f-]{36}$/i.test(uuid)) return false;
  const { numDeletedRows } = await db
    .deleteFrom('site.application_passwords')
    .where('user_id', '=', userId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
