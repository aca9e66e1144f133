import { sql, type Queryable } from '../../src/db/database.ts';
import { hashPassword, randomPassword } from '../../src/site/authorize/account-password.ts';
import type { NewAccount } from '../../src/site/authorize/accounts.ts';
import { userAsAsked, type UserAsked } from '../../src/site/users/make-user.ts';

/** What Argon2id allows at least: the program takes the cost of a password from its hash. */
const COST = { memory: 8, passes: 1, parallelism: 1 };

/**
 * A new account password for a user, who is made where a role is named. It is checked in no time, as tests sign in
 * hundreds of times; sessions of the user go on.
 */
export async function quickAccount(db: Queryable, login: string, asked: UserAsked = {}): Promise<NewAccount> {
  const { user } = await userAsAsked(db, login, asked);
  const password = randomPassword();
  await sql`update site.users set password_hash = ${await hashPassword(password, COST)} where id = ${user.id}`.execute(
    db,
  );
  return { login: user.login, password };
}
