import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from '../../db/database.ts';
import type { SiteTables } from '../tables.ts';
import type { User } from '../users/users.ts';

/** How long somebody stays signed in. */
export const SESSION_MS = 12 * 3_600_000;

/** The key that the site signs with; made by a migration. */
export async function signingKey(db: Kysely<SiteTables>): Promise<string> {
  const { value } = await db
    .selectFrom('site.secrets')
    .select('value')
    .where('name', '=', 'session')
    .executeTakeFirstOrThrow();
  return value;
}

const signatureOf = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A random text with its signature, for a cookie. */
export function signedToken(key: string): string {
  const token = randomBytes(32).toString('base64url');
  return `${token}.${signatureOf(key, `cookie ${token}`)}`;
}

/** Whether a cookie is one that we have signed. */
export function isSigned(key: string, cookie: string): boolean {
  const [token = '', signature = ''] = cookie.split('.');
  return isEqual(signature, signatureOf(key, `cookie ${token}`));
}

/**
 * What the forms of a page bear, so that no other site can send them: it follows from the cookie, which other sites
 * cannot read.
 */
export const formToken = (key: string, cookie: string): string => signatureOf(key, `form ${cookie}`);
export const isFormToken = (key: string, cookie: string, token: string): boolean =>
  isEqual(token, formToken(key, cookie));

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Begins a session that lasts `ms`; gives its cookie. Only a hash of it is kept. */
export async function beginSession(
  db: Kysely<SiteTables>,
  key: string,
  userId: number,
  now: number,
  ms = SESSION_MS,
): Promise<string> {
  const cookie = signedToken(key);
  await db.deleteFrom('site.sessions').where('expires', '<=', new Date(now)).execute();
  await db
    .insertInto('site.sessions')
    .values({ hash: hashOf(cookie), user_id: userId, created: new Date(now), expires: new Date(now + ms) })
    .execute();
  return cookie;
}

/** Who is signed in with a cookie. */
export async function sessionUser(
  db: Kysely<SiteTables>,
  key: string,
  cookie: string,
  now: number,
): Promise<User | undefined> {
  if (!isSigned(key, cookie)) return undefined;
  return db
    .selectFrom('site.users')
    .innerJoin('site.sessions', 'site.sessions.user_id', 'site.users.id')
    .selectAll('site.users')
    .where('site.sessions.hash', '=', hashOf(cookie))
    .where('site.sessions.expires', '>', new Date(now))
    .executeTakeFirst();
}

export async function endSession(db: Kysely<SiteTables>, cookie: string): Promise<void> {
  await db.deleteFrom('site.sessions').where('hash', '=', hashOf(cookie)).execute();
}
