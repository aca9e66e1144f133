import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { People } from '../../operator/frame/operator.ts';
import { resetAccountPassword } from '../../site/authorize/accounts.ts';
import type { Role } from '../../site/roles.ts';
import { listUsers } from '../../site/users/list-users.ts';
import { loginTaken, roleNamed, userAsAsked } from '../../site/users/make-user.ts';
import { removeUser } from '../../site/users/remove-user.ts';
import { userByLogin } from '../../site/users/users.ts';

/** The accounts of the built-in site, for the console. */
export const peopleOf = (query: () => Queryable): People & { readonly remove: (login: string) => Promise<void> } => ({
  list: (limit) => listUsers(query(), limit),
  setRole: async (login, role) => {
    await query().transaction(async (transaction) =>
      userAsAsked(transaction, (await known(transaction, login)).login, { role: asRole(role) }),
    );
  },
  remove: async (login) => removeUser(query(), login),
  newPassword: async (login) => (await resetAccountPassword(query(), (await known(query(), login)).login)).password,
  invite: async (login, role, email) => {
    if (await userByLogin(query(), login)) throw loginTaken(login);
    return (await resetAccountPassword(query(), login, { role: asRole(role), email })).password;
  },
});

function asRole(name: string): Role {
  const role = roleNamed(name);
  if (!role) throw new AppError('bad_role', `There is no role "${name}".`);
  return role;
}

async function known(db: Queryable, login: string): Promise<{ readonly login: string }> {
  const user = await userByLogin(db, login);
  if (!user) throw new AppError('unknown-user', `There is no account "${login}".`);
  return user;
}
