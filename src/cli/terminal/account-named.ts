import type { Queryable } from '../../db/database.ts';
import { listUsers } from '../../site/users/list-users.ts';
import { userByLogin, type User } from '../../site/users/users.ts';
import { knownNames, probablyMeant } from '../text/unknown-name.ts';
import { WrongUse } from './wrong-use.ts';

const LISTED_MAX = 1_000;

const logins = async (query: Queryable): Promise<readonly string[]> =>
  (await listUsers(query, LISTED_MAX)).map(({ login }) => login);

/** The login of an account of the built-in site, in its own spelling. Throws WrongUse with the known ones. */
export const accountNamed = async (query: Queryable, login: string): Promise<string> =>
  (await userNamed(query, login)).login;

/** The account of the built-in site with a login. Throws WrongUse with the known ones. */
export async function userNamed(query: Queryable, login: string): Promise<User> {
  const user = await userByLogin(query, login);
  if (!user)
    throw new WrongUse(`There is no account "${login}". ${knownNames(login, await logins(query), 'There are')}`);
  return user;
}

/** Whether nobody has this login yet. Throws WrongUse if it looks like a misspelling of an existing one. */
export async function isNewLogin(query: Queryable, login: string): Promise<boolean> {
  if (await userByLogin(query, login)) return false;
  const meant = probablyMeant(login, await logins(query));
  if (meant === undefined) return true;
  throw new WrongUse(
    `There is no account "${login}". Did you mean "${meant}"? To make a new one, say what it may do: --role editor.`,
  );
}
