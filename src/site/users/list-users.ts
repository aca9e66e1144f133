import { sql, type Queryable } from '../../db/database.ts';
import type { Role } from '../roles.ts';
import { SYNC_LOGIN } from './users.ts';

/** An account as it is listed. */
export interface ListedUser {
  readonly login: string;
  readonly email: string;
  readonly role: Role;
  /** Has an account password. */
  readonly canSignIn: boolean;
  /** When the last session began that has not ended yet; null if there is none. */
  readonly lastHere: Date | null;
  /** How many programs may work as this user: those with an application password. */
  readonly programs: number;
  /** The one that syncs work as. */
  readonly isProgram: boolean;
}

/** Users, those with most rights first; at most `limit`. */
export async function listUsers(db: Queryable, limit: number): Promise<readonly ListedUser[]> {
  const { rows } = await sql<ListedUser>`
    select login, email, role, password_hash is not null as "canSignIn", login = ${SYNC_LOGIN} as "isProgram",
      (select max(created) from site.sessions where user_id = users.id) as "lastHere",
      (select count(*)::integer from site.application_passwords where user_id = users.id) as programs
    from site.users
    order by array_position(array['administrator', 'editor', 'author', 'contributor', 'subscriber'], role), lower(login)
    limit ${limit}`.execute(db);
  return rows;
}
