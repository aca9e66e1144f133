import { sql, type Queryable } from '../../db/database.ts';
import type { Caller } from '../context.ts';
import type { Role } from '../roles.ts';

export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: Role;
  readonly created: Date;
  /** The hash of the password for signing in on the site's pages; null for users who cannot. */
  readonly password_hash: string | null;
}

/** The user that the sync works as, in process. */
export const SYNC_LOGIN = 'calsyncd';

/** Finds a user; logins are not case-sensitive. */
export const userByLogin = async (db: Queryable, login: string): Promise<User | undefined> =>
  (await sql<User>`select * from site.users where lower(login) = ${login.toLowerCase()}`.execute(db)).rows[0];

export const userByEmail = async (db: Queryable, email: string): Promise<User | undefined> =>
  (await sql<User>`select * from site.users where lower(email) = ${email.toLowerCase()}`.execute(db)).rows[0];

export const callerFromUser = ({ id, login, email, role }: User): Caller => ({
  id,
  login,
  email,
  role,
});

/** Finds a caller for use in process, where no password is needed; undefined if there is no such user. */
export async function callerByLogin(db: Queryable, login: string = SYNC_LOGIN): Promise<Caller | undefined> {
  const user = await userByLogin(db, login);
  return user && callerFromUser(user);
}
