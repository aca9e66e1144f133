import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../error.ts';
import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { userAsAsked, type UserAsked } from './make-user.ts';
import type { User } from './users.ts';
import type { Role } from '../roles.ts';
import { DAY_MS } from '../../time.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;

/** A new password. It is shown once, and only its hash is stored. */
export interface NewPassword {
  readonly login: string;
  readonly password: string;
  readonly userCreated: boolean;
  readonly role: Role;
}

/** Validates and trims the name of an application. Throws AppError if it is empty or too long. */
export function applicationNamed(name: string): string {
  if (name.trim() === '' || name.length > 200)
    throw new AppError(
      'bad_application_name',
      'Name the application that will use the password, in up to 200 characters',
    );
  return name.trim();
}

/**
 * Creates an application password at the request of its user or of an operator on this machine, who may give a login
 * that does not exist yet; that user is created. Throws AppError for an invalid login or name.
 */
export async function createApplicationPassword(
  db: Queryable,
  login: string,
  name: string,
  { appId = null, ...asked }: UserAsked & { readonly appId?: string | null } = {},
): Promise<NewPassword> {
  const application = applicationNamed(name);
  return db.transaction(async (transaction) => {
    const { user, isNew } = await userAsAsked(transaction, login, asked);
    const password = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
    await sql`insert into site.application_passwords (user_id, name, app_id, hash)
      values (${user.id}, ${application}, ${appId}, ${hashOf(password)})`.execute(transaction);
    return { login: user.login, password, userCreated: isNew, role: user.role };
  });
}

interface KnownPassword {
  readonly uuid: string;
  readonly hash: string;
  readonly last_used: Date | null;
}

/** Finds a user by login or e-mail address, with their application passwords, in one statement. */
export async function userWithPasswords(
  db: Queryable,
  column: 'login' | 'email',
  name: string,
): Promise<{ readonly user: User; readonly passwords: readonly KnownPassword[] } | undefined> {
  const { rows } = await sql<User & { readonly [K in keyof KnownPassword]: KnownPassword[K] | null }>`${PREPARED}
    select users.*, uuid, hash, last_used
    from site.users left join site.application_passwords on user_id = users.id
    where lower(${sql.ref(column)}) = ${name.toLowerCase()}`.execute(db);
  const [user] = rows;
  return (
    user && {
      user,
      passwords: rows.flatMap(({ uuid, hash, last_used }) =>
        uuid === null || hash === null ? [] : [{ uuid, hash, last_used }],
      ),
    }
  );
}

/** Whether a secret is one of a user's application passwords. Records its use, at most once a day. */
export async function isOneOf(
  db: Queryable,
  passwords: readonly KnownPassword[],
  secret: string,
  now: number,
): Promise<boolean> {
  const given = Buffer.from(hashOf(secret), 'hex');
  const found = passwords.filter(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given))[0];
  if (found && (found.last_used === null || now - found.last_used.getTime() > DAY_MS)) {
    await sql`update site.application_passwords set last_used = ${new Date(now)} where uuid = ${found.uuid}`.execute(
      db,
    );
  }
  return found !== undefined;
}

// The secret is 24 random characters (142 bits), so it cannot be guessed even from a fast hash. People type it in
// groups of four.
const hashOf = (secret: string): string =>
  createHash('sha256')
    .update(secret.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex');
