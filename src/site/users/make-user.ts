import { rowOf, sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { ROLES, type Role } from '../roles.ts';
import { assertNotLast } from './remove-user.ts';
import { SYNC_LOGIN, userByEmail, userByLogin, type User } from './users.ts';

/** What an operator requests for a user; anything left out stays unchanged. */
export interface UserAsked {
  readonly role?: Role | undefined;
  readonly email?: string | undefined;
}

/**
 * Returns the user with a login, created if missing (as an administrator, unless a role is given); an existing one gets
 * the given role and e-mail address. Throws AppError for an invalid login or address, for a role of the sync's own
 * user, and for the last administrator.
 */
export async function userAsAsked(
  db: Queryable,
  login: string,
  { role, email }: UserAsked = {},
): Promise<{ readonly user: User; readonly isNew: boolean }> {
  const former = await userByLogin(db, login);
  await assertPossible(db, login, email, former);
  if (!former) return { user: await insertUser(db, login, { role, email }), isNew: true };
  return { user: await changed(db, former, { role, email }), isNew: false };
}

/**
 * Throws AppError for an impossible login, and for an e-mail address that is invalid or belongs to anyone but `former`,
 * the user who has this login.
 */
export async function assertPossible(
  db: Queryable,
  login: string,
  email: string | undefined,
  former?: User,
): Promise<void> {
  if (!/^[\p{L}\p{N}_.@ -]{1,60}$/u.test(login) || login.trim() !== login)
    throw new AppError(
      'bad_login',
      `${JSON.stringify(login)} cannot be a user name: use up to 60 letters, digits, any of . _ - @ and, between them, spaces`,
    );
  if (email !== undefined) await assertFreeAddress(db, email, former);
}

/** Updates an existing user. */
async function changed(db: Queryable, former: User, { role, email }: UserAsked): Promise<User> {
  if (role !== undefined && former.login === SYNC_LOGIN)
    throw new AppError('bad_role', `The sync works as "${SYNC_LOGIN}", an editor: its role cannot be changed.`);
  if (role === undefined && email === undefined) return former;
  if (role !== undefined && role !== 'administrator') await assertNotLast(db, former);
  return rowOf(
    await sql<User>`update site.users
      set role = ${role ?? former.role}, email = ${email ?? former.email} where id = ${former.id} returning *`.execute(
      db,
    ),
  );
}

/** The error for a login that is already taken. */
export const loginTaken = (login: string): AppError =>
  new AppError('login_taken', `There is an account "${login}" already. It can be given a new password.`);

/** Creates a user, who cannot sign in yet. Throws AppError if the login was taken meanwhile. */
export async function insertUser(
  db: Queryable,
  login: string,
  { role = 'administrator', email = '' }: UserAsked = {},
): Promise<User> {
  const { rows } = await sql<User>`insert into site.users (login, email, display_name, role)
      values (${login}, ${email}, ${login}, ${role}) on conflict (lower(login)) do nothing returning *`.execute(db);
  if (!rows[0]) throw loginTaken(login);
  return rows[0];
}

/** Finds a role by name; undefined if there is none. */
export const roleNamed = (name: string): Role | undefined => ROLES.find((role) => role === name);

async function assertFreeAddress(db: Queryable, email: string, former: User | undefined): Promise<void> {
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email))
    throw new AppError('bad_email', `${JSON.stringify(email)} is no e-mail address.`);
  const other = await userByEmail(db, email);
  if (other && other.id !== former?.id)
    throw new AppError('email_taken', `The e-mail address ${email} is that of "${other.login}".`);
}
