import type { Queryable } from '../../db/database.ts';
import type { Role } from '../roles.ts';
import { networkOf } from '../throttle.ts';
import type { User } from '../users/users.ts';
import { beginSession, endSession, signingKey, SESSION_MS } from './sessions.ts';
import { LOGIN_LENGTH_MAX, throttlesForSigningIn, trySignIn } from './sign-in.ts';
import { browserOf, isOwnForm, sessionCookieOf, type Cookies } from './visit.ts';

/** How long somebody stays signed in on a device of their own. */
const LONG_SESSION_MS = 30 * 24 * 3_600_000;

/** Who may use the operator console. */
const OPERATORS: readonly Role[] = ['administrator', 'editor'];

/** Somebody who is signed in to the console. */
export interface SignedIn {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
}

/** The browser that asks for a page of the console. */
export interface OperatorCaller {
  readonly person: SignedIn | undefined;
  /** What its forms bear, and nobody else can know. */
  readonly token: string;
  readonly setCookie: readonly string[];
  /** Whether a form with a token was sent from one of our pages to this very browser. */
  readonly isOwn: (token: string) => boolean;
  /** Tells one session from another, without being it. */
  readonly session: string;
  readonly signOut: () => Promise<readonly string[]>;
}

export interface SignInForm {
  readonly login: string;
  readonly password: string;
  /** For thirty days instead of twelve hours. */
  readonly stays: boolean;
  readonly peer: string;
}

export type SignedInOrNot =
  | { readonly setCookie: readonly string[] }
  | { readonly problem: 'wrong' | 'no operator' }
  | { readonly problem: 'wait'; readonly waitMs: number };

/** Signing in to the operator console with the accounts of the built-in site. */
export interface OperatorDoor {
  readonly callerOf: (request: Request) => Promise<OperatorCaller>;
  readonly signIn: (form: SignInForm) => Promise<SignedInOrNot>;
}

/** `publicUrl`: where the console is reached; `now`: epoch milliseconds. */
export function operatorDoor(db: Queryable, publicUrl: string, now: () => number): OperatorDoor {
  const { pathname, protocol } = new URL(publicUrl);
  const cookies: Cookies = {
    session: 'calsyncd_operator',
    visit: 'calsyncd_operator_visit',
    path: `${pathname.replace(/\/$/, '')}/operator`,
    isSecure: protocol === 'https:',
  };
  const throttles = throttlesForSigningIn();
  let made: string | undefined;
  const key = async (): Promise<string> => (made ??= await signingKey(db));
  return {
    callerOf: async (request) => {
      const signing = await key();
      const browser = await browserOf(request, db, signing, cookies, now());
      return {
        person: personOf(browser.user),
        token: browser.token,
        setCookie: browser.setCookie,
        isOwn: (token) => isOwnForm(browser, signing, token),
        session: browser.token,
        signOut: async () => {
          await endSession(db, browser.cookie);
          return [sessionCookieOf(cookies, '', 0)];
        },
      };
    },
    signIn: async ({ login, password, stays, peer }) => {
      const tried = await trySignIn(db, throttles, {
        login: login.trim().slice(0, LOGIN_LENGTH_MAX),
        password,
        peer: networkOf(peer),
        now: now(),
      });
      if ('waitMs' in tried) return { problem: 'wait', waitMs: tried.waitMs };
      if (!('user' in tried)) return { problem: 'wrong' };
      if (!personOf(tried.user)) return { problem: 'no operator' };
      const ms = stays ? LONG_SESSION_MS : SESSION_MS;
      return {
        setCookie: [sessionCookieOf(cookies, await beginSession(db, await key(), tried.user.id, now(), ms), ms)],
      };
    },
  };
}

const personOf = (user: User | undefined): SignedIn | undefined =>
  user && OPERATORS.includes(user.role)
    ? { id: user.id, login: user.login, name: user.display_name, role: user.role }
    : undefined;
