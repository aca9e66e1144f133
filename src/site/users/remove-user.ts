import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { SYNC_LOGIN, userByLogin, type User } from './users.ts';

/**
 * Removes a user with all sessions and passwords, in a transaction; what the user wrote stays. Throws AppError for the
 * last administrator and for the one that syncs work as.
 */
export const removeUser = (db: Queryable, login: string): Promise<void> =>
  db.transaction(async (transaction) => {
    const { id } = await removableUser(transaction, login);
    await sql`delete from site.users where id = ${id}`.execute(transaction);
  });

/** The user with a login. Throws AppError for one who cannot be removed, as `removeUser` does. */
export async function removableUser(db: Queryable, login: string): Promise<User> {
  const user = await userByLogin(db, login);
  if (!user) throw new AppError('unknown-user', `There is no account "${login}".`);
  if (user.login === SYNC_LOGIN)
    throw new AppError('bad_role', `The sync works as "${SYNC_LOGIN}": it cannot be removed.`);
  await assertNotLast(db, user);
  return user;
}

/**
 * Throws AppError if nobody else could administer the site without a user. Call it in the transaction that takes the
 * user's rights away: two who take each other's away at once wait for each other.
 */
export async function assertNotLast(db: Queryable, { id, login, role, password_hash: password }: User): Promise<void> {
  if (role !== 'administrator') return;
  const { rows } = await sql<Pick<User, 'id' | 'password_hash'>>`
    select id, password_hash from site.users where role = 'administrator' order by id for update`.execute(db);
  // Where nobody can sign in yet, whoever comes first is given a password.
  const isOther = rows.some((one) => one.id !== id && (one.password_hash !== null || password === null));
  if (!isOther)
    throw new AppError(
      'last_administrator',
      `"${login}" is the only administrator who can sign in. Make another one first: calsyncd users add NAME administrator.`,
    );
}
