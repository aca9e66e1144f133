import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import type { Frame } from '../pages/frame/layout.ts';
import type { User } from '../users/users.ts';
import type { FormPlace } from './forms.ts';
import { authorizeWordsIn } from './words.ts';
import { formToken, isFormToken, isSigned, SESSION_MS, sessionUser, signedToken } from './sessions.ts';

/** The cookies of a group of pages. Other pages do not receive them, and scripts cannot read them. */
export interface Cookies {
  readonly session: string;
  /** Set before signing in, to tie the sign-in form to the browser that requested it. */
  readonly visit: string;
  readonly path: string;
  /** Sent over https only. */
  readonly isSecure: boolean;
}

/** The browser behind a request. */
export interface Browser {
  readonly user: User | undefined;
  /** The cookie to which its forms are tied. */
  readonly cookie: string;
  /** The token in its forms. */
  readonly token: string;
  /** Set-Cookie headers for what the browser does not have yet. */
  readonly setCookie: readonly string[];
}

/** The browser behind a request to `/authorize`. */
export interface Visit extends Browser {
  readonly place: FormPlace;
}

export async function browserOf(
  request: Request,
  db: Queryable,
  key: string,
  cookies: Cookies,
  now: number,
): Promise<Browser> {
  const sent = cookiesOf(request.headers.get('cookie') ?? '');
  const session = sent.get(cookies.session) ?? '';
  const user = session === '' ? undefined : await sessionUser(db, key, session, now);
  const before = sent.get(cookies.visit) ?? '';
  const former = before !== '' && isSigned(key, before) ? before : undefined;
  const known = user ? session : former;
  const cookie = known ?? signedToken(key);
  return {
    user,
    cookie,
    token: formToken(key, cookie),
    setCookie: known === undefined ? [setCookie(cookies, cookies.visit, cookie, SESSION_MS)] : [],
  };
}

const cookiesFor = ({ base, settings }: Frame): Cookies => ({
  session: 'calsyncd_session',
  visit: 'calsyncd_visit',
  path: `${base}/authorize`,
  isSecure: settings.publicUrl.startsWith('https:'),
});

export async function visitOf(request: Request, db: Queryable, key: string, frame: Frame, now: number): Promise<Visit> {
  const browser = await browserOf(request, db, key, cookiesFor(frame), now);
  return {
    ...browser,
    place: { base: frame.base, token: browser.token, once: randomUUID(), words: authorizeWordsIn(frame.language) },
  };
}

/** Whether a form was sent from one of our pages in this very browser. */
export const isOwnForm = ({ cookie, setCookie: made }: Browser, key: string, token: string): boolean =>
  made.length === 0 && isFormToken(key, cookie, token);

/** The cookie that signs a browser in for `ms`; '' for 0 ms signs it out. */
export const sessionCookieOf = (cookies: Cookies, cookie: string, ms: number): string =>
  setCookie(cookies, cookies.session, cookie, ms);

export const sessionCookie = (frame: Frame, cookie: string): string =>
  sessionCookieOf(cookiesFor(frame), cookie, SESSION_MS);
export const noSessionCookie = (frame: Frame): string => sessionCookieOf(cookiesFor(frame), '', 0);

function setCookie({ path, isSecure }: Cookies, name: string, value: string, ms: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${Math.floor(ms / 1000)}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

const cookiesOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
