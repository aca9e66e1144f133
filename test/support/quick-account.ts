import { sql, type Queryable } from '../../src/db/database.ts';
import { hashPassword, randomPassword } from '../../src/site/authorize/account-password.ts';
import type { NewAccount } from '../../src/site/authorize/accounts.ts';
import { userAsAsked, type UserAsked } from '../../src/site/users/make-user.ts';

/** The minimum cost that Argon2id allows; the program takes the cost of a password from its hash. */
const COST = { memory: 8, passes: 1, parallelism: 1 };

/**
 * Sets a new account password that is cheap to check, because tests sign in hundreds of times. A user who is named by
 * role is created. Existing sessions of the user remain.
 */
export async function quickAccount(db: Queryable, login: string, asked: UserAsked = {}): Promise<NewAccount> {
  const { user } = await userAsAsked(db, login, asked);
  const password = randomPassword();
  await sql`update site.users set password_hash = ${await hashPassword(password, COST)} where id = ${user.id}`.execute(
    db,
  );
  return { login: user.login, password };
}
