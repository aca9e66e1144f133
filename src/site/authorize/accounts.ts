import { sql, type Kysely } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { userAsAsked, type UserAsked } from '../users/make-user.ts';
import type { Role, SiteTables } from '../tables.ts';
import { userByLogin, type User } from '../users/users.ts';
import { hashPassword, randomPassword } from './account-password.ts';

/** A user with a new account password, which is told once. */
export interface NewAccount {
  readonly login: string;
  readonly password: string;
}

const FIRST_LOGINS = ['admin', 'administrator', 'calsyncd-admin'];
// Any number that is ours: two processes that start at once must not make two administrators.
const LOCK = 4_217_006;

/** Makes the first person who can sign in, an administrator; undefined where somebody can already. */
export async function makeFirstAdministrator(db: Kysely<SiteTables>): Promise<NewAccount | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    if (await canAnybodySignIn(transaction)) return undefined;
    const user =
      (await transaction
        .selectFrom('site.users')
        .selectAll()
        .where('role', '=', 'administrator')
        .orderBy('id')
        .executeTakeFirst()) ?? (await newAdministrator(transaction));
    return givePassword(transaction, user);
  });
}

/** Whether the built-in site has a person with an account password. */
export const canAnybodySignIn = async (db: Kysely<SiteTables>): Promise<boolean> =>
  (await db.selectFrom('site.users').select('id').where('password_hash', 'is not', null).executeTakeFirst()) !==
  undefined;

async function newAdministrator(db: Kysely<SiteTables>): Promise<User> {
  for (const login of FIRST_LOGINS) {
    if (await userByLogin(db, login)) continue;
    return db
      .insertInto('site.users')
      .values({ login, email: '', display_name: login, role: 'administrator', password_hash: null })
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  throw new AppError(
    'no-administrator',
    'The built-in site has no administrator, and all names for one are taken. Make one: calsyncd password NAME APPLICATION.',
  );
}

/**
 * A new account password for a user; whoever is signed in as that user is no longer. One who does not exist is made
 * where a role is named. Throws AppError.
 */
export async function resetAccountPassword(
  db: Kysely<SiteTables>,
  login: string,
  asked: UserAsked = {},
): Promise<NewAccount & { readonly role: Role }> {
  return db.transaction().execute(async (transaction) => {
    if (asked.role === undefined && !(await userByLogin(transaction, login)))
      throw new AppError(
        'unknown-user',
        `The built-in site has no user ${JSON.stringify(login)}. Make one by naming a role: calsyncd password ${login} --account --role editor.`,
      );
    const { user } = await userAsAsked(transaction, login, asked);
    return { ...(await givePassword(transaction, user)), role: user.role };
  });
}

async function givePassword(db: Kysely<SiteTables>, { id, login }: User): Promise<NewAccount> {
  const password = randomPassword();
  await setAccountPassword(db, id, password);
  return { login, password };
}

/** Sets an account password, and ends all sessions of its user. */
export async function setAccountPassword(db: Kysely<SiteTables>, userId: number, password: string): Promise<void> {
  await db
    .updateTable('site.users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('site.sessions').where('user_id', '=', userId).execute();
}
