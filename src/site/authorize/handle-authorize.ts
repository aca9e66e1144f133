import type { Queryable } from '../../db/database.ts';
import { html, type Html } from '../../html/template.ts';
import { networkOf } from '../throttle.ts';
import type { SiteSettings } from '../context.ts';
import { HttpProblem } from '../http-problem.ts';
import { lookPolicy } from '../../look/policy.ts';
import { htmlDocument, frameOf, type Frame } from '../pages/frame/layout.ts';
import { STRANGER_BYTES_MAX } from '../../request-bytes.ts';
import { sentOnce } from '../../coalesced.ts';
import { bodyParams } from '../requests/request-params.ts';
import type { User } from '../users/users.ts';
import { actions, type FormOutcome, type Sent } from './actions.ts';
import {
  isAsked,
  isLoopback,
  policySource,
  refusalOf,
  requestFrom,
  type ApplicationRequest,
} from './application-request.ts';
import {
  accountForm,
  approvalForm,
  doneNote,
  loginForm,
  newPasswordForm,
  passwordTable,
  problemNote,
  type FormProblem,
  signedInLine,
  type FormPlace,
} from './forms.ts';
import { mayEnter } from './operator-door.ts';
import { listPasswords } from './own-passwords.ts';
import { signingKey } from './sessions.ts';
import { throttlesForSigningIn } from './sign-in.ts';
import { isOwnForm, visitOf, type Visit } from './visit.ts';

export interface AuthorizeParts {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  /** Epoch milliseconds. */ readonly now: () => number;
}

/** For how long reloading a page shows its new password again. */
const TOLD_AGAIN_MS = 600_000;

/** Handles requests below `/authorize`; `peer` is the client's address. */
export type HandleAuthorize = (request: Request, peer?: string) => Promise<Response>;

/** A page to show, as opposed to a redirect. */
interface Shown {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  readonly formsTo?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For pages that have more than a form. */
  readonly isWide?: true;
}

/**
 * Serves `/authorize`, which the site index advertises: signing in, giving an application its own password, and
 * managing one's passwords.
 */
export function makeAuthorize({ db, settings, now }: AuthorizeParts): HandleAuthorize {
  const frame = frameOf(settings);
  const throttles = throttlesForSigningIn();
  const once = sentOnce<FormOutcome>((deed) => ('problem' in deed ? 0 : TOLD_AGAIN_MS), now);
  const isLocal = isLoopback(new URL(settings.publicUrl).hostname);
  let key: string | undefined;

  return async (request, address = '') => {
    const peer = networkOf(address);
    const signing = (key ??= await signingKey(db));
    const visit = await visitOf(request, db, signing, frame, now());
    const url = new URL(request.url);
    const action = /^\/authorize\/([a-z]+)\/?$/.exec(url.pathname)?.[1] ?? '';
    if (request.method === 'POST') {
      const act = actions[action];
      return act ? acted(request, visit, act, { peer, key: signing }) : unknown(frame, visit, 404);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return unknown(frame, visit, 405);
    if (action !== '') return seeOther(`${frame.base}/authorize`);
    const asked = requestFrom((name) => url.searchParams.get(name));
    const page = respond(frame, visit, await firstPage(visit, asked, url.searchParams.get('done')));
    return request.method === 'HEAD' ? new Response(null, page) : page;
  };

  /** Answers a submitted form. */
  async function acted(
    request: Request,
    visit: Visit,
    act: (sent: Sent) => Promise<FormOutcome>,
    { peer, key }: Pick<Sent, 'peer' | 'key'>,
  ): Promise<Response> {
    const { form, status } = await formOf(request);
    const asked = requestFrom(form);
    if (!isOwnForm(visit, key, form('token'))) return respond(frame, visit, tooOld(frame, visit, asked, status));
    const refusal = refusalOf(asked, isLocal);
    if (refusal !== undefined) return respond(frame, visit, refused(visit, refusal));
    return answer(
      visit,
      asked,
      await act({ db, settings, frame, visit, form, asked, peer, key, now: now(), throttles, once }),
    );
  }

  async function firstPage(visit: Visit, asked: ApplicationRequest, done: string | null): Promise<Shown> {
    const refusal = refusalOf(asked, isLocal);
    if (refusal !== undefined) return refused(visit, refusal);
    if (!visit.user) return loginPage(visit, asked);
    if (isAsked(asked)) return approvalPage(visit, visit.user, asked);
    const { words } = visit.place;
    const told = done === 'revoked' || done === 'changed' ? doneNote(words.done[done]) : undefined;
    return ownPage(visit, visit.user, undefined, told);
  }

  async function answer(visit: Visit, asked: ApplicationRequest, deed: FormOutcome): Promise<Response> {
    if (deed.kind === 'lead') return lead(deed.to, deed.status, deed.setCookie ?? []);
    if (!visit.user)
      return respond(frame, visit, {
        ...loginPage(visit, asked, problemIn(deed), deed.login),
        ...(deed.status && { status: deed.status }),
        ...(deed.headers && { headers: deed.headers }),
      });
    const shown =
      deed.kind === 'ask'
        ? approvalPage(visit, visit.user, asked, problemIn(deed))
        : await ownPage(visit, visit.user, problemIn(deed), deed.told);
    return respond(frame, visit, {
      ...shown,
      ...(deed.status && { status: deed.status }),
      ...(deed.headers && { headers: deed.headers }),
    });
  }

  async function ownPage({ place }: Visit, user: User, fault?: FormProblem, told?: Html): Promise<Shown> {
    const { words } = place;
    return {
      title: words.passwords,
      isWide: true,
      main: html`<h1>${words.passwords}</h1>
${signedInLine(place, user)}
${problemNote(fault?.problem)}${told}
${mayEnter('edit', user.role) && html`<p><a href="${place.base}/edit">${words.edit}</a></p>`}
<p>${words.about}</p>
${passwordTable(place, await listPasswords(db, user.id), settings.timezone)}
<h2>${words.newOne}</h2>
${newPasswordForm(place, fault)}
<h2>${words.own}</h2>
${accountForm(place, user, fault)}`,
    };
  }
}

const unknown = (frame: Frame, visit: Visit, status: 404 | 405): Response =>
  respond(frame, visit, {
    title: frame.words.notFound,
    status,
    main: html`<h1>${frame.words.notFound}</h1>`,
    headers: { Allow: 'GET, HEAD, POST' },
  });

const problemIn = ({ problem, field }: Exclude<FormOutcome, { kind: 'lead' }>): FormProblem | undefined =>
  problem === undefined ? undefined : { problem, ...(field && { field }) };

function loginPage({ place }: Visit, asked: ApplicationRequest, fault?: FormProblem, login = ''): Shown {
  const { words } = place;
  return {
    title: words.signIn,
    main: html`<h1>${words.signIn}</h1>
${isAsked(asked) && html`<p>${words.wantsToWrite(applicationOf(place, asked))}</p>`}
${problemNote(fault?.problem)}
${loginForm(place, asked, login, fault)}`,
  };
}

function approvalPage({ place }: Visit, user: User, asked: ApplicationRequest, fault?: FormProblem): Shown {
  const { words } = place;
  const leadsTo =
    asked.success_url === '' ? words.byHand : words.ledTo(html`<strong>${hostOf(asked.success_url)}</strong>`);
  return {
    title: words.approve,
    formsTo: [...new Set([...policySource(asked.success_url), ...policySource(asked.reject_url)])],
    main: html`<h1>${words.approve}</h1>
${signedInLine(place, user)}
${problemNote(fault?.problem)}
<p>${words.wouldLike(applicationOf(place, asked))}</p>
<p>${leadsTo}</p>
${approvalForm(place, asked, fault)}`,
  };
}

const applicationOf = ({ words }: FormPlace, { app_name }: ApplicationRequest): Html =>
  words.application(app_name === '' ? undefined : html`<strong>${app_name}</strong>`);

const hostOf = (address: string): string => {
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? url.host : `${url.protocol}//${url.host}`;
};

// The reason is for the application's developer, so it is in English.
const refused = ({ place: { words } }: Visit, why: string): Shown => ({
  title: words.refused,
  status: 400,
  main: html`<h1>${words.refused}</h1>\n<div lang="en">${problemNote(why)}</div>\n<p>${words.tellMaker}</p>`,
});

const tooOld = ({ base }: Frame, visit: Visit, asked: ApplicationRequest, status: number): Shown => {
  const { words } = visit.place;
  return visit.user
    ? {
        title: words.again,
        status,
        main: html`<h1>${words.again}</h1>\n${problemNote(words.tooOld)}\n<p><a href="${base}/authorize">${words.passwords}</a></p>`,
      }
    : { ...loginPage(visit, asked, { problem: words.tooOld }), status };
};

/** A form's fields, '' for missing ones, and the status of the answer if the form is not ours. */
interface Form {
  readonly form: (name: string) => string;
  readonly status: number;
}

/**
 * Reads a form. The limit is small because only its fields show whether it is ours. A body that is not a form has no
 * fields.
 */
async function formOf(request: Request): Promise<Form> {
  try {
    const { form } = await bodyParams(request, STRANGER_BYTES_MAX);
    return {
      status: 403,
      form: (name) => {
        const value = form[name];
        return typeof value === 'string' ? value : '';
      },
    };
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // Too large or malformed: it is refused for lack of a token.
    return { status: error.status, form: () => '' };
  }
}

// Must not be cached, framed, or revealed to other sites as a referrer.
const PRIVATE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

function respond(
  frame: Frame,
  { setCookie }: Visit,
  { title, main, status = 200, formsTo = [], headers = {}, isWide }: Shown,
): Response {
  const all = new Headers({
    ...PRIVATE,
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': lookPolicy({ formsTo, framedBy: "'none'" }),
  });
  for (const cookie of setCookie) all.append('Set-Cookie', cookie);
  return new Response(
    htmlDocument(frame, { title, main: html`<div class="${isWide ? 'text' : 'sign'} stack">${main}</div>` }),
    {
      status,
      headers: all,
    },
  );
}

function lead(to: string, status: 302 | 303, setCookie: readonly string[]): Response {
  const headers = new Headers({ ...PRIVATE, 'Referrer-Policy': 'no-referrer', Location: to });
  for (const cookie of setCookie) headers.append('Set-Cookie', cookie);
  return new Response(null, { status, headers });
}

const seeOther = (to: string): Response => lead(to, 303, []);
