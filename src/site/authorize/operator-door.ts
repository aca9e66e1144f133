import type { Queryable } from '../../db/database.ts';
import type { Role } from '../roles.ts';
import { networkOf } from '../throttle.ts';
import type { User } from '../users/users.ts';
import { beginSession, endSession, formToken, signingKey, SESSION_MS } from './sessions.ts';
import { LOGIN_LENGTH_MAX, throttlesForSigningIn, trySignIn } from './sign-in.ts';
import { browserOf, isOwnForm, sessionCookieOf, type Browser, type Cookies } from './visit.ts';

/** How long people stay signed in on a device of their own. */
const LONG_SESSION_MS = 30 * 24 * 3_600_000;

/** Pages that require signing in. */
interface DoorPlace {
  /** The path below the site's address. */
  readonly path: string;
  readonly cookie: string;
  /** The roles that may enter. */
  readonly roles: readonly Role[];
}

const DOORS = {
  operator: { path: '/operator', cookie: 'calsyncd_operator', roles: ['administrator', 'editor'] },
  edit: { path: '/edit', cookie: 'calsyncd_edit', roles: ['administrator', 'editor', 'author', 'contributor'] },
} as const satisfies Readonly<Record<string, DoorPlace>>;

/** A person signed in to the console or to the pages for editing events. */
export interface SignedIn {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** The browser that requests one of these pages. */
export interface OperatorCaller {
  readonly person: SignedIn | undefined;
  /** Included in its forms, and unknown to anybody else. */
  readonly token: string;
  readonly setCookie: readonly string[];
  /** Whether a form with this token was sent from one of our pages in this very browser. */
  readonly isOwn: (token: string) => boolean;
  /** Identifies the session without revealing its cookie. */
  readonly session: string;
  readonly signOut: () => Promise<readonly string[]>;
}

export interface SignInForm {
  readonly login: string;
  readonly password: string;
  /** Stay signed in for thirty days instead of twelve hours. */
  readonly stays: boolean;
  readonly peer: string;
}

export type SignedInOrNot =
  /** The browser after signing in. */
  | { readonly caller: OperatorCaller & { readonly person: SignedIn } }
  | { readonly problem: 'wrong' | 'no operator' }
  | { readonly problem: 'wait'; readonly waitMs: number };

/** Signing in with accounts of the built-in site. */
export interface OperatorDoor {
  readonly callerOf: (request: Request) => Promise<OperatorCaller>;
  readonly signIn: (form: SignInForm) => Promise<SignedInOrNot>;
}

/**
 * Makes the door to some pages. People who sign in at one door enter all that are open to them, in the same session.
 * `publicUrl` is the program's address; `now` returns epoch milliseconds.
 */
export function makeDoor(place: keyof typeof DOORS, db: Queryable, publicUrl: string, now: () => number): OperatorDoor {
  const { pathname, protocol } = new URL(publicUrl);
  const cookiesOf = ({ path, cookie }: DoorPlace): Cookies => ({
    session: cookie,
    visit: `${cookie}_visit`,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    isSecure: protocol === 'https:',
  });
  const here = DOORS[place];
  const cookies = cookiesOf(here);
  const cookiesFor = (role: Role, value: string, ms: number): readonly string[] =>
    [here, ...Object.values(DOORS).filter((door) => door !== here)]
      .filter((door) => isOpenTo(door, role))
      .map((door) => sessionCookieOf(cookiesOf(door), value, ms));
  const throttles = throttlesForSigningIn();
  let made: string | undefined;
  const key = async (): Promise<string> => (made ??= await signingKey(db));
  const callerIn = (browser: Browser, signing: string): OperatorCaller => ({
    person: personOf(here, browser.user),
    token: browser.token,
    setCookie: browser.setCookie,
    isOwn: (token) => isOwnForm(browser, signing, token),
    session: browser.token,
    signOut: async () => {
      await endSession(db, browser.cookie);
      return cookiesFor(browser.user?.role ?? 'administrator', '', 0);
    },
  });
  return {
    callerOf: async (request) => {
      const signing = await key();
      return callerIn(await browserOf(request, db, signing, cookies, now()), signing);
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
      const { user } = tried;
      const person = personOf(here, user);
      if (!person) return { problem: 'no operator' };
      const ms = stays ? LONG_SESSION_MS : SESSION_MS;
      const signing = await key();
      const cookie = await beginSession(db, signing, user.id, now(), ms);
      const setCookie = cookiesFor(user.role, cookie, ms);
      const browser = { user, cookie, token: formToken(signing, cookie), setCookie };
      return { caller: { ...callerIn(browser, signing), person } };
    },
  };
}

/** Whether a role may enter by a door. */
export const mayEnter = (place: keyof typeof DOORS, role: Role): boolean => isOpenTo(DOORS[place], role);

/** The paths at which a role can sign in with an account password. */
export const signInPaths = (role: Role): readonly string[] => [
  ...Object.values(DOORS)
    .filter((door) => isOpenTo(door, role))
    .map(({ path }) => path),
  '/authorize',
];

const isOpenTo = ({ roles }: DoorPlace, role: Role): boolean => roles.includes(role);

const personOf = (door: DoorPlace, user: User | undefined): SignedIn | undefined =>
  user && isOpenTo(door, user.role)
    ? { id: user.id, login: user.login, name: user.display_name, email: user.email, role: user.role }
    : undefined;
