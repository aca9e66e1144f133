import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { digestOf } from '../../etag.ts';
import type { Html } from '../../html/template.ts';
import type { SentOnce } from '../../coalesced.ts';
import { createApplicationPassword } from '../users/application-passwords.ts';
import type { SiteSettings } from '../context.ts';
import type { Frame } from '../pages/frame/layout.ts';
import type { User } from '../users/users.ts';
import { isPasswordOfHash, PASSWORD_LENGTH } from './account-password.ts';
import { setAccountPassword } from './accounts.ts';
import { approvedAddress, isAsked, queryOf, rejectedAddress, type ApplicationRequest } from './application-request.ts';
import { newPasswordNote, type AskedField } from './forms.ts';
import { revokePassword } from './own-passwords.ts';
import { beginSession, endSession } from './sessions.ts';
import { LOGIN_LENGTH_MAX, trySignIn, type Throttles } from './sign-in.ts';
import { noSessionCookie, sessionCookie, type Visit } from './visit.ts';
import type { AuthorizeWords } from './words.ts';

/** A form submitted from one of our pages. */
export interface Sent {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  readonly frame: Frame;
  readonly visit: Visit;
  readonly form: (name: string) => string;
  readonly asked: ApplicationRequest;
  readonly peer: string;
  readonly key: string;
  readonly now: number;
  readonly throttles: Throttles;
  readonly once: SentOnce<FormOutcome>;
}

interface Said {
  readonly problem?: string;
  /** The field to which the problem belongs. */
  readonly field?: AskedField;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly login?: string;
}
/** The outcome of a form: a redirect, the page of the user's passwords (with a notice), or the approval form again. */
export type FormOutcome =
  | { readonly kind: 'lead'; readonly to: string; readonly status: 302 | 303; readonly setCookie?: readonly string[] }
  | ({ readonly kind: 'own'; readonly told?: Html } & Said)
  | ({ readonly kind: 'ask' } & Said);

const here = ({ frame, asked }: Sent): string => `${frame.base}/authorize${isAsked(asked) ? `?${queryOf(asked)}` : ''}`;

const doneAddress = ({ base }: Frame, done: keyof AuthorizeWords['done']): string => `${base}/authorize?done=${done}`;

/** Requires a user who is signed in; others are asked to sign in. */
const signedIn =
  (act: (sent: Sent, user: User) => Promise<FormOutcome>) =>
  async (sent: Sent): Promise<FormOutcome> =>
    sent.visit.user
      ? act(sent, sent.visit.user)
      : { kind: 'own', status: 401, problem: sent.visit.place.words.signedOut };

/**
 * For answers that are shown once: a double click or a reload gets the same answer again instead of making another one.
 */
const toldOnce =
  (act: (sent: Sent, user: User) => Promise<FormOutcome>) =>
  (sent: Sent, user: User): Promise<FormOutcome> => {
    const { asked, form, once, visit } = sent;
    const carryOut = (): Promise<FormOutcome> => act(sent, user);
    if (form('once') === '') return carryOut();
    return once(digestOf(JSON.stringify([visit.cookie, asked, form('decision'), form('once')])), carryOut);
  };

/** What the forms do, by the last part of their address. */
export const actions: Readonly<Record<string, (sent: Sent) => Promise<FormOutcome>>> = {
  login: signIn,
  logout: signedIn(async ({ db, frame, visit }) => {
    await endSession(db, visit.cookie);
    return { kind: 'lead', to: `${frame.base}/authorize`, status: 303, setCookie: [noSessionCookie(frame)] };
  }),
  approve: signedIn(toldOnce(approve)),
  create: signedIn(toldOnce(create)),
  revoke: signedIn(async ({ db, form, frame, visit }, user) => {
    if (!(await revokePassword(db, user.id, form('uuid'))))
      return { kind: 'own', problem: visit.place.words.gone, status: 404 };
    return { kind: 'lead', to: doneAddress(frame, 'revoked'), status: 303 };
  }),
  account: signedIn(changeAccountPassword),
};

async function signIn(sent: Sent): Promise<FormOutcome> {
  const { db, form, peer, key, now, frame, throttles, visit } = sent;
  const { words } = visit.place;
  const login = form('login').trim().slice(0, LOGIN_LENGTH_MAX);
  const tried = await trySignIn(db, throttles, { login, password: form('password'), peer, now });
  if ('waitMs' in tried) return tooMany(words, tried.waitMs, login);
  if (!('user' in tried)) return { kind: 'own', status: 403, login, problem: words.wrong, field: 'login' };
  return {
    kind: 'lead',
    to: here(sent),
    status: 303,
    setCookie: [sessionCookie(frame, await beginSession(db, key, tried.user.id, now))],
  };
}

function tooMany(words: AuthorizeWords, waitMs: number, login = ''): FormOutcome {
  const seconds = Math.ceil(waitMs / 1000);
  return {
    kind: 'own',
    status: 429,
    login,
    headers: { 'Retry-After': String(seconds) },
    problem: words.tooMany(seconds),
  };
}

async function create(sent: Sent, user: User): Promise<FormOutcome> {
  const made = await makePassword(sent, user);
  return {
    kind: 'own',
    ...('problem' in made
      ? { problem: made.problem, field: 'app_name', status: 400 }
      : { told: newPasswordNote(sent.visit.place, sent.asked.app_name, made.password) }),
  };
}

async function approve(sent: Sent, user: User): Promise<FormOutcome> {
  const { asked, form, frame, settings, visit } = sent;
  if (form('decision') !== 'approve')
    return { kind: 'lead', to: rejectedAddress(asked) ?? `${frame.base}/authorize`, status: 302 };
  const made = await makePassword(sent, user);
  if ('problem' in made) return { kind: 'ask', problem: made.problem, field: 'app_name', status: 400 };
  if (asked.success_url !== '')
    return {
      kind: 'lead',
      to: approvedAddress(asked.success_url, settings.publicUrl, user.login, made.password),
      status: 302,
    };
  return { kind: 'own', told: newPasswordNote(visit.place, asked.app_name, made.password) };
}

async function makePassword(
  { db, asked, visit }: Sent,
  user: User,
): Promise<{ readonly password: string } | { readonly problem: string }> {
  try {
    return await createApplicationPassword(db, user.login, asked.app_name, {
      appId: asked.app_id === '' ? null : asked.app_id,
    });
  } catch (error) {
    // The user exists, so only the name of the application can be wrong.
    if (!(error instanceof AppError)) throw error;
    return { problem: visit.place.words.nameIt };
  }
}

async function changeAccountPassword(
  {
    db,
    form,
    frame,
    key,
    now,
    peer,
    throttles,
    visit: {
      place: { words },
    },
  }: Sent,
  user: User,
): Promise<FormOutcome> {
  // Only signed-in users get here, so attempts to sign in by others do not count.
  const own = `own ${user.id}`;
  const wait = Math.max(throttles.pair.waitMs(own, now), throttles.address.waitMs(peer, now));
  if (wait > 0) return tooMany(words, wait);
  throttles.pair.failed(own, now);
  if (!(await isPasswordOfHash(form('former'), user.password_hash)))
    return { kind: 'own', status: 403, problem: words.wrongFormer, field: 'former' };
  throttles.pair.passed(own);
  const password = form('password');
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max)
    return { kind: 'own', status: 400, problem: words.length(min, max), field: 'password' };
  await setAccountPassword(db, user.id, password);
  return {
    kind: 'lead',
    to: doneAddress(frame, 'changed'),
    status: 303,
    setCookie: [sessionCookie(frame, await beginSession(db, key, user.id, now))],
  };
}
