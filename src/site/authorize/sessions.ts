import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { rowOf, sql, type Queryable } from '../../db/database.ts';
import type { User } from '../users/users.ts';

/** How long people stay signed in. */
export const SESSION_MS = 12 * 3_600_000;

/** The site's signing key, which a migration generates. */
export async function signingKey(db: Queryable): Promise<string> {
  return rowOf(await sql<{ value: string }>`select value from site.secrets where name = 'session'`.execute(db)).value;
}

const signatureOf = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Generates a random token with its signature, for a cookie. */
export function signedToken(key: string): string {
  const token = randomBytes(32).toString('base64url');
  return `${token}.${signatureOf(key, `cookie ${token}`)}`;
}

/** Whether we have signed a cookie. */
export function isSigned(key: string, cookie: string): boolean {
  const [token = '', signature = ''] = cookie.split('.');
  return isEqual(signature, signatureOf(key, `cookie ${token}`));
}

/**
 * The token in a page's forms, which keeps other sites from submitting them: it is derived from the cookie, which they
 * cannot read.
 */
export const formToken = (key: string, cookie: string): string => signatureOf(key, `form ${cookie}`);
export const isFormToken = (key: string, cookie: string, token: string): boolean =>
  isEqual(token, formToken(key, cookie));

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Begins a session that lasts `ms`, and returns its cookie. Only the cookie's hash is stored. */
export async function beginSession(
  db: Queryable,
  key: string,
  userId: number,
  now: number,
  ms = SESSION_MS,
): Promise<string> {
  const cookie = signedToken(key);
  await sql`delete from site.sessions where expires <= ${new Date(now)}`.execute(db);
  await sql`insert into site.sessions (hash, user_id, created, expires)
    values (${hashOf(cookie)}, ${userId}, ${new Date(now)}, ${new Date(now + ms)})`.execute(db);
  await sql`update site.users set signed_in_at = ${new Date(now)} where id = ${userId}`.execute(db);
  return cookie;
}

/** Finds the user whose session a cookie belongs to. */
export async function sessionUser(db: Queryable, key: string, cookie: string, now: number): Promise<User | undefined> {
  if (!isSigned(key, cookie)) return undefined;
  const { rows } = await sql<User>`
    select users.* from site.users join site.sessions on sessions.user_id = users.id
    where sessions.hash = ${hashOf(cookie)} and sessions.expires > ${new Date(now)}`.execute(db);
  return rows[0];
}

export async function endSession(db: Queryable, cookie: string): Promise<void> {
  await sql`delete from site.sessions where hash = ${hashOf(cookie)}`.execute(db);
}
