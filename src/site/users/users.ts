import { sql, type Kysely, type Selectable } from '../../db/database.ts';
import type { Caller } from '../context.ts';
import type { SiteTables, UserTable } from '../tables.ts';

export type User = Selectable<UserTable>;

/** The user that the sync works as, in process. */
export const SYNC_LOGIN = 'calsyncd';

/** Finds a user; logins are not case-sensitive. */
export const userByLogin = (db: Kysely<SiteTables>, login: string): Promise<User | undefined> =>
  db
    .selectFrom('site.users')
    .selectAll()
    .where(sql`lower(login)`, '=', login.toLowerCase())
    .executeTakeFirst();

export const userByEmail = (db: Kysely<SiteTables>, email: string): Promise<User | undefined> =>
  db
    .selectFrom('site.users')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();

export const callerFromUser = ({ id, login, display_name, email, role }: User): Caller => ({
  id,
  login,
  displayName: display_name,
  email,
  role,
});

/** A caller in process, who needs no password; undefined if there is no such user. */
export async function callerByLogin(db: Kysely<SiteTables>, login: string = SYNC_LOGIN): Promise<Caller | undefined> {
  const user = await userByLogin(db, login);
  return user && callerFromUser(user);
}
