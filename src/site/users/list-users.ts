import { sql, type Queryable } from '../../db/database.ts';
import type { Role } from '../roles.ts';
import { SYNC_LOGIN } from './users.ts';

/** A user as listed. */
export interface ListedUser {
  readonly login: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the user has an account password. */
  readonly canSignIn: boolean;
  /** When the user last signed in; null if that has never happened. */
  readonly lastHere: Date | null;
  /** The number of application passwords. */
  readonly programs: number;
  /** Whether this is the user that syncs work as. */
  readonly isProgram: boolean;
}

/** Lists at most `limit` users, those with the most rights first. */
export async function listUsers(db: Queryable, limit: number): Promise<readonly ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select login, email, role, password_hash is not null as "canSignIn", login = ${SYNC_LOGIN} as "isProgram",
      signed_in_at as "lastHere",
      (select count(*)::integer from site.application_passwords where user_id = users.id) as programs
    from site.users
    order by array_position(array['administrator', 'editor', 'author', 'contributor', 'subscriber'], role), lower(login)
    limit ${limit}`.execute(db);
  return rows;
}
