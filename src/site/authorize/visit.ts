import type { Kysely } from '../../db/database.ts';
import type { Frame } from '../pages/layout.ts';
import type { SiteTables } from '../tables.ts';
import type { User } from '../users/users.ts';
import type { FormPlace } from './forms.ts';
import { authorizeWordsIn } from './words.ts';
import { formToken, isFormToken, isSigned, SESSION_MS, sessionUser, signedToken } from './sessions.ts';

const SESSION = 'calsyncd_session';
// Before somebody signs in, so that the form for it is tied to the browser that asked for it.
const VISIT = 'calsyncd_visit';

/** Who is at the other end of a request to `/authorize`. */
export interface Visit {
  readonly user: User | undefined;
  /** The cookie that the forms are tied to. */
  readonly cookie: string;
  readonly place: FormPlace;
  /** What the browser is to keep, besides what it has. */
  readonly setCookie: readonly string[];
}

export async function visitOf(
  request: Request,
  db: Kysely<SiteTables>,
  key: string,
  frame: Frame,
  now: number,
): Promise<Visit> {
  const cookies = cookiesOf(request.headers.get('cookie') ?? '');
  const session = cookies.get(SESSION) ?? '';
  const user = session === '' ? undefined : await sessionUser(db, key, session, now);
  const before = cookies.get(VISIT) ?? '';
  const former = before !== '' && isSigned(key, before) ? before : undefined;
  const known = user ? session : former;
  const cookie = known ?? signedToken(key);
  return {
    user,
    cookie,
    place: { base: frame.base, token: formToken(key, cookie), words: authorizeWordsIn(frame.language) },
    setCookie: known === undefined ? [setCookie(frame, VISIT, cookie, SESSION_MS)] : [],
  };
}

/** Whether a form was sent from one of our pages to this very browser. */
export const isOwnForm = ({ cookie, setCookie: made }: Visit, key: string, token: string): boolean =>
  made.length === 0 && isFormToken(key, cookie, token);

export const sessionCookie = (frame: Frame, cookie: string): string => setCookie(frame, SESSION, cookie, SESSION_MS);
export const noSessionCookie = (frame: Frame): string => setCookie(frame, SESSION, '', 0);

/** For these pages only: the interface and the public pages never see it, and no script does. */
function setCookie({ base, settings }: Frame, name: string, value: string, ms: number): string {
  const secure = settings.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${base}/authorize; Max-Age=${Math.floor(ms / 1000)}; HttpOnly; SameSite=Lax${secure}`;
}

const cookiesOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
