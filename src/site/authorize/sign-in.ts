import type { Queryable } from '../../db/database.ts';
import { makeThrottle, type Throttle } from '../throttle.ts';
import { userByEmail, userByLogin, type User } from '../users/users.ts';
import { isPasswordOfHash } from './account-password.ts';

export const LOGIN_LENGTH_MAX = 200;

/** Throttles of wrong passwords. Nobody can lock others out of a login, as no wait depends on the login alone. */
export interface Throttles {
  /** By network. */
  readonly address: Throttle;
  /** By network and login. */
  readonly pair: Throttle;
  /**
   * By login. When it sets in, very many networks are trying that login; each of them then has one attempt, and waits
   * after it.
   */
  readonly login: Throttle;
}

export const throttlesForSigningIn = (): Throttles => ({
  address: makeThrottle({ free: 10, firstWaitMs: 2_000, waitMsMax: 900_000, forgetMs: 3_600_000 }),
  pair: makeThrottle({ free: 5, firstWaitMs: 1_000, waitMsMax: 30_000, forgetMs: 3_600_000 }),
  login: makeThrottle({ free: 50, firstWaitMs: 900_000, waitMsMax: 900_000, forgetMs: 3_600_000 }),
});

function waitToSignIn({ address, pair, login }: Throttles, network: string, name: string, now: number): number {
  const key = `${network} ${name}`;
  return Math.max(
    address.waitMs(network, now),
    pair.waitMs(key, now),
    pair.hasFailed(key, now) ? login.waitMs(name, now) : 0,
  );
}

/** An attempt to sign in with an account password. */
export interface Attempt {
  /** A user name or an e-mail address. */
  readonly login: string;
  readonly password: string;
  /** The network from which it comes. */
  readonly peer: string;
  readonly now: number;
}

/** The result of an attempt: the user, the wait before the next attempt, or a wrong password. */
export type SignInResult = { readonly user: User } | { readonly waitMs: number } | { readonly isWrong: true };

export async function trySignIn(
  db: Queryable,
  throttles: Throttles,
  { login, password, peer, now }: Attempt,
): Promise<SignInResult> {
  const name = login.toLowerCase();
  const keys = [
    [throttles.address, peer],
    [throttles.pair, `${peer} ${name}`],
  ] as const;
  const waitMs = waitToSignIn(throttles, peer, name, now);
  if (waitMs > 0) return { waitMs };
  // Counted before the password is checked, so that concurrent attempts count, too.
  for (const [throttle, of] of keys) throttle.failed(of, now);
  const user = (await userByLogin(db, login)) ?? (login.includes('@') ? await userByEmail(db, login) : undefined);
  const isRight = await isPasswordOfHash(password, user?.password_hash);
  if (!user || !isRight) {
    throttles.login.failed(name, now);
    return { isWrong: true };
  }
  for (const [throttle, of] of keys) throttle.passed(of);
  return { user };
}
