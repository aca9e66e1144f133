import type { Queryable } from '../../db/database.ts';
import { isOneOf, userWithPasswords } from './application-passwords.ts';
import { makeThrottle, type Throttle } from '../throttle.ts';
import type { Caller } from '../context.ts';
import { HttpProblem, tooManyAttempts } from '../http-problem.ts';
import { callerFromUser } from './users.ts';

/**
 * Returns the caller identified by an `Authorization` header, or null for no header or another scheme. Throws
 * HttpProblem for a wrong credential (401), even on public routes, like real sites, and after many of them (429).
 */
export async function authenticate(
  db: Queryable,
  authorization: string | null,
  { peer, now, throttles }: Trial,
): Promise<Caller | null> {
  const credential = basicCredential(authorization);
  if (!credential) return null;
  const keys = [
    [throttles.address, peer],
    [throttles.login, `${peer} ${credential.login.toLowerCase()}`],
  ] as const;
  try {
    return await callerOf(db, credential, now);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // Only wrong credentials have to wait: failures of others in the same network must not lock out a user with the
    // right one.
    const waitMs = Math.max(...keys.map(([throttle, key]) => throttle.waitMs(key, now)));
    if (waitMs > 0) throw tooManyAttempts(waitMs, 'wrong credentials');
    for (const [throttle, key] of keys) throttle.failed(key, now);
    throw error;
  }
}

/** An attempt to authenticate: its network and time, and the throttles that count failures. */
export interface Trial {
  readonly peer: string;
  readonly now: number;
  readonly throttles: CredentialThrottles;
}
interface CredentialThrottles {
  readonly address: Throttle;
  readonly login: Throttle;
}

// An application password has 142 bits and cannot be guessed. This only limits the load, and makes a client with a
// wrong one noticeable.
export const throttlesForCredentials = (): CredentialThrottles => ({
  address: makeThrottle({ free: 100, firstWaitMs: 1_000, waitMsMax: 60_000, forgetMs: 900_000 }),
  login: makeThrottle({ free: 20, firstWaitMs: 1_000, waitMsMax: 60_000, forgetMs: 900_000 }),
});

interface Credential {
  readonly login: string;
  readonly secret: string;
}

async function callerOf(db: Queryable, { login, secret }: Credential, now: number): Promise<Caller> {
  const known =
    (await userWithPasswords(db, 'login', login)) ??
    (login.includes('@') ? await userWithPasswords(db, 'email', login) : undefined);
  if (!known) throw unknownUser(login);
  if (!(await isOneOf(db, known.passwords, secret, now)))
    throw new HttpProblem('incorrect_password', 'The provided password is an invalid application password.');
  return callerFromUser(known.user);
}

const unknownUser = (login: string): HttpProblem =>
  login.includes('@')
    ? new HttpProblem('invalid_email', 'Unknown email address. Check again or try your username.')
    : new HttpProblem('invalid_username', 'Unknown username. Check again or try your email address.');

/** Parses basic authentication (RFC 7617); undefined for other schemes and malformed values. */
function basicCredential(authorization: string | null): Credential | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization?.trim() ?? '')?.[1];
  // PostgreSQL's text cannot contain NUL, and no login has one.
  const pair = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').replaceAll('\0', '');
  const colon = pair?.indexOf(':') ?? -1;
  return pair === undefined || colon < 1
    ? undefined
    : { login: pair.slice(0, colon).trim(), secret: pair.slice(colon + 1) };
}
