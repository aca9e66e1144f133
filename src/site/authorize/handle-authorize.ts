import type { Kysely } from '../../db/database.ts';
import { escapeHtml } from '../../html.ts';
import type { SiteSettings } from '../context.ts';
import { HttpProblem } from '../http-problem.ts';
import { documentOf, frameOf, pagePolicy, type Frame } from '../pages/layout.ts';
import { wordsIn } from '../pages/words.ts';
import { bodyParams } from '../request-params.ts';
import type { SiteTables } from '../tables.ts';
import type { User } from '../users.ts';
import { actions, brakesForSigningIn, type Deed } from './actions.ts';
import { isAsked, isLoopback, policySource, refusalOf, requestFrom, type ApplicationRequest } from './application-request.ts';
import { accountForm, approvalForm, loginForm, newPasswordForm, passwordTable, problemNote, signedInLine } from './forms.ts';
import { listPasswords } from './own-passwords.ts';
import { signingKey } from './sessions.ts';
import { isOwnForm, visitOf, type Visit } from './visit.ts';

export interface AuthorizeParts { readonly db: Kysely<SiteTables>; readonly settings: SiteSettings; /** Epoch milliseconds. */ readonly now: () => number }

/** Answers below `/authorize`; `peer` is the address that asks. */
export type HandleAuthorize = (request: Request, peer?: string) => Promise<Response>;

/** What an answer is made of, unless it leads elsewhere. */
interface Shown { readonly title: string; readonly main: string; readonly status?: number; readonly formsTo?: readonly string[]; readonly headers?: Readonly<Record<string, string>> }

/** `/authorize`: signing in, giving an application a password of its own (as the site index advertises it), and looking after one's passwords. */
export function makeAuthorize({ db, settings, now }: AuthorizeParts): HandleAuthorize {
  // These pages are for who runs the site; they are in English.
  const frame: Frame = { ...frameOf(settings), language: 'en', words: wordsIn('en') };
  const brakes = brakesForSigningIn();
  const isLocal = isLoopback(new URL(settings.publicUrl).hostname);
  let key: Promise<string> | undefined;

  return async (request, peer = '') => {
    const signing = await (key ??= signingKey(db));
    const visit = await visitOf(request, db, signing, frame, now());
    const url = new URL(request.url);
    const action = /^\/authorize\/([a-z]+)\/?$/.exec(url.pathname)?.[1];
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (action !== undefined) return seeOther(`${frame.base}/authorize`);
      const shown = await firstPage(visit, requestFrom((name) => url.searchParams.get(name)));
      return respond(frame, visit, request.method === 'HEAD' ? { ...shown, main: '' } : shown);
    }
    const act = actions[action ?? ''];
    if (request.method !== 'POST' || !act) return respond(frame, visit, { title: 'Not found', status: request.method === 'POST' ? 404 : 405, main: '<h1>Not found</h1>', headers: { Allow: 'GET, HEAD, POST' } });
    const form = await formOf(request);
    const asked = requestFrom(form);
    if (!isOwnForm(visit, signing, form('token'))) return respond(frame, visit, tooOld(frame, visit, asked));
    const refusal = refusalOf(asked, isLocal);
    if (refusal !== undefined) return respond(frame, visit, refused(refusal));
    return answer(visit, asked, await act({ db, settings, frame, visit, form, asked, peer, key: signing, now: now(), brakes }));
  };

  async function firstPage(visit: Visit, asked: ApplicationRequest): Promise<Shown> {
    const refusal = refusalOf(asked, isLocal);
    if (refusal !== undefined) return refused(refusal);
    if (!visit.user) return loginPage(visit, asked);
    return isAsked(asked) ? approvalPage(visit, visit.user, asked) : ownPage(visit, visit.user);
  }

  async function answer(visit: Visit, asked: ApplicationRequest, deed: Deed): Promise<Response> {
    if (deed.kind === 'lead') return lead(deed.to, deed.status, deed.setCookie ?? []);
    if (!visit.user) return respond(frame, visit, { ...loginPage(visit, asked, deed.problem, deed.login), ...(deed.status && { status: deed.status }), ...(deed.headers && { headers: deed.headers }) });
    const shown = deed.kind === 'ask' ? approvalPage(visit, visit.user, asked, deed.problem) : await ownPage(visit, visit.user, deed.problem, deed.told);
    return respond(frame, visit, { ...shown, ...(deed.status && { status: deed.status }), ...(deed.headers && { headers: deed.headers }) });
  }

  async function ownPage({ place }: Visit, user: User, problem?: string, told = ''): Promise<Shown> {
    return { title: 'Application passwords', main: `<h1>Application passwords</h1>
${signedInLine(place, user)}
${problemNote(problem)}${told}
<p>Programs that write to this calendar use a password of their own, which you can take back from each alone.</p>
${passwordTable(place, await listPasswords(db, user.id))}
<h2>A new application password</h2>
${newPasswordForm(place)}
<h2>Your own password</h2>
${accountForm(place, user)}` };
  }
}

function loginPage({ place }: Visit, asked: ApplicationRequest, problem?: string, login = ''): Shown {
  const name = asked.app_name === '' ? 'An application' : `<strong>${escapeHtml(asked.app_name)}</strong>`;
  return { title: 'Sign in', main: `<h1>Sign in</h1>
${isAsked(asked) ? `<p>${name} wants to write to this calendar for you. Sign in to decide.</p>` : ''}
${problemNote(problem)}
${loginForm(place, asked, login)}` };
}

function approvalPage({ place }: Visit, user: User, asked: ApplicationRequest, problem?: string): Shown {
  const name = asked.app_name === '' ? 'An application' : `<strong>${escapeHtml(asked.app_name)}</strong>`;
  const leadsTo = asked.success_url === '' ? 'You will be shown a new password to enter there by hand.' : `You will be led to <strong>${escapeHtml(hostOf(asked.success_url))}</strong>, which gets a new password for it.`;
  return {
    title: 'Approve an application', formsTo: [...new Set([...policySource(asked.success_url), ...policySource(asked.reject_url)])],
    main: `<h1>Approve an application</h1>
${signedInLine(place, user)}
${problemNote(problem)}
<p>${name} would like to use this calendar as you: it could do whatever you can do through the interface. Do this only if you know and trust it.</p>
<p>${leadsTo}</p>
${approvalForm(place, asked)}`,
  };
}

const hostOf = (address: string): string => { const url = new URL(address); return /^https?:$/.test(url.protocol) ? url.host : `${url.protocol}//${url.host}`; };

const refused = (why: string): Shown => ({ title: 'This request cannot be granted', status: 400, main: `<h1>This request cannot be granted</h1>\n${problemNote(why)}\n<p>Tell whoever makes the application that sent you here.</p>` });

const tooOld = ({ base }: Frame, visit: Visit, asked: ApplicationRequest): Shown => {
  const note = 'This form is too old, or was not sent from this page. Nothing was done; try again.';
  return visit.user ? { title: 'Try again', status: 403, main: `<h1>Try again</h1>\n${problemNote(note)}\n<p><a href="${base}/authorize">Application passwords</a></p>` } : { ...loginPage(visit, asked, note), status: 403 };
};

/** The fields of a form; '' for what it does not have. Throws nothing: a body that is no form has no fields. */
async function formOf(request: Request): Promise<(name: string) => string> {
  try {
    const { form } = await bodyParams(request);
    return (name) => { const value = form[name]; return typeof value === 'string' ? value : ''; };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // Too large or broken: without a token it is refused.
    return () => '';
  }
}

// Nothing of this may be kept by caches, shown in frames, or told to other sites by its address.
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff' };

function respond(frame: Frame, { setCookie }: Visit, { title, main, status = 200, formsTo = [], headers = {} }: Shown): Response {
  const all = new Headers({ ...PRIVATE, ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy(formsTo, "'none'") });
  for (const cookie of setCookie) all.append('Set-Cookie', cookie);
  return new Response(main === '' ? null : documentOf(frame, { title, main, isText: true }), { status, headers: all });
}

function lead(to: string, status: 302 | 303, setCookie: readonly string[]): Response {
  const headers = new Headers({ ...PRIVATE, 'Referrer-Policy': 'no-referrer', Location: to });
  for (const cookie of setCookie) headers.append('Set-Cookie', cookie);
  return new Response(null, { status, headers });
}

const seeOther = (to: string): Response => lead(to, 303, []);
