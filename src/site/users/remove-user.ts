import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { SYNC_LOGIN, userByLogin, type User } from './users.ts';

/**
 * Removes a user with all sessions and passwords, in a transaction; what the user wrote stays. Throws AppError for the
 * last administrator and for the user that syncs work as.
 */
export const removeUser = (db: Queryable, login: string): Promise<void> =>
  db.transaction(async (transaction) => {
    const { id } = await removableUser(transaction, login);
    await sql`delete from site.users where id = ${id}`.execute(transaction);
  });

/** Finds a user by login. Throws AppError if there is none, or if `removeUser` would refuse to remove it. */
export async function removableUser(db: Queryable, login: string): Promise<User> {
  const user = await userByLogin(db, login);
  if (!user) throw new AppError('unknown-user', `There is no account "${login}".`);
  if (user.login === SYNC_LOGIN)
    throw new AppError('bad_role', `The sync works as "${SYNC_LOGIN}": it cannot be removed.`);
  await assertNotLast(db, user);
  return user;
}

/**
 * Throws AppError if nobody else could administer the site without this user. Call it in the transaction that removes
 * the user's rights: it locks the rows, so that two administrators cannot remove each other at the same time.
 */
export async function assertNotLast(db: Queryable, { id, login, role, password_hash: password }: User): Promise<void> {
  if (role !== 'administrator') return;
  const { rows } = await sql<Pick<User, 'id' | 'password_hash'>>`
    select id, password_hash from site.users where role = 'administrator' order by id for update`.execute(db);
  // While nobody can sign in, the first to come is given a password.
  const isOther = rows.some((one) => one.id !== id && (one.password_hash !== null || password === null));
  if (!isOther)
    throw new AppError(
      'last_administrator',
      `"${login}" is the only administrator who can sign in. Make another one first: calsyncd users add NAME administrator.`,
    );
}
