import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { insertUser, userAsAsked, type UserAsked } from '../users/make-user.ts';
import type { Role } from '../roles.ts';
import { userByLogin, type User } from '../users/users.ts';
import { hashPassword, randomPassword } from './account-password.ts';

/** A user with a new account password, which is shown once. */
export interface NewAccount {
  readonly login: string;
  readonly password: string;
}

const FIRST_LOGINS = ['admin', 'administrator', 'calsyncd-admin'];
// An arbitrary number of ours, so that two processes starting together do not make two administrators.
const LOCK = 4_217_006;

/** Makes the first account that can sign in, an administrator; undefined if somebody can already sign in. */
export async function makeFirstAdministrator(db: Queryable): Promise<NewAccount | undefined> {
  return db.transaction(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    if (await canAnybodySignIn(transaction)) return undefined;
    const { rows } = await sql<User>`
      select * from site.users where role = 'administrator' order by id limit 1`.execute(transaction);
    return givePassword(transaction, rows[0] ?? (await newAdministrator(transaction)));
  });
}

/** Whether any user of the built-in site has an account password. */
export const canAnybodySignIn = async (db: Queryable): Promise<boolean> =>
  (await sql`select from site.users where password_hash is not null limit 1`.execute(db)).rows.length > 0;

async function newAdministrator(db: Queryable): Promise<User> {
  for (const login of FIRST_LOGINS) {
    if (!(await userByLogin(db, login))) return insertUser(db, login);
  }
  throw new AppError(
    'no-administrator',
    'The built-in site has no administrator, and all names for one are taken. Make one: calsyncd password NAME APPLICATION.',
  );
}

/**
 * Gives a user a new account password, which ends their sessions. Creates a missing user if a role is given. Throws
 * AppError if there is no such user, or for an invalid login or address.
 */
export async function resetAccountPassword(
  db: Queryable,
  login: string,
  asked: UserAsked = {},
): Promise<NewAccount & { readonly role: Role }> {
  return db.transaction(async (transaction) => {
    if (asked.role === undefined && !(await userByLogin(transaction, login)))
      throw new AppError(
        'unknown-user',
        `The built-in site has no user ${JSON.stringify(login)}. Make one by naming a role: calsyncd password ${login} --account --role editor.`,
      );
    const { user } = await userAsAsked(transaction, login, asked);
    return { ...(await givePassword(transaction, user)), role: user.role };
  });
}

async function givePassword(db: Queryable, { id, login }: User): Promise<NewAccount> {
  const password = randomPassword();
  await setAccountPassword(db, id, password);
  return { login, password };
}

/** Sets an account password, and ends all sessions of its user. */
export async function setAccountPassword(db: Queryable, userId: number, password: string): Promise<void> {
  await sql`update site.users set password_hash = ${await hashPassword(password)} where id = ${userId}`.execute(db);
  await sql`delete from site.sessions where user_id = ${userId}`.execute(db);
}
