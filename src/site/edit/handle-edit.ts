import { makeBudget, retryAfter, type Budget } from '../../budget.ts';
import type { Queryable } from '../../db/database.ts';
import { digestOf } from '../../etag.ts';
import {
  formSent,
  isForeign,
  keptFrom,
  sentAtDoor,
  SIGN_IN,
  STRANGER_BYTES_MAX,
  type Sent,
} from '../../request-bytes.ts';
import { describedByNote } from '../../html/invalid-fields.ts';
import { keptIn, refilled, type KeptForm } from '../../html/kept-form.ts';
import { html, type Html } from '../../html/template.ts';
import { lookPolicy } from '../../look/policy.ts';
import { makeDoor, type OperatorCaller, type SignedIn, type SignedInOrNot } from '../authorize/operator-door.ts';
import { authorizeWordsIn } from '../authorize/words.ts';
import type { SiteSettings } from '../context.ts';
import { frameOf, htmlDocument, type Frame } from '../pages/frame/layout.ts';
import type { RestSite } from '../requests/handle.ts';
import { mayEditOthers, mayUpload } from '../store/rights.ts';
import { carriedOutOnce } from '../store/sent-forms.ts';
import {
  callerOfPerson,
  type AskedEdit,
  type EditAnswer,
  type EditPage,
  type EditPlace,
  type EditRoute,
  type EventSources,
} from './editor.ts';
import { EDIT_ROUTES } from './edit-routes.ts';
import { doButton, editNote, noted } from './form-parts.ts';
import { editWordsIn } from './words/edit-words-in.ts';

export interface EditParts {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  readonly answer: RestSite['answer'];
  readonly sources: EventSources;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const PROBLEM_ID = 'problem';

/** The state of the sign-in page. */
interface Gate extends Pick<EditPage, 'waitMs'> {
  readonly status: number;
  readonly problem?: string;
  readonly login?: string;
  /** The form that they had filled in, as serialized by `keptText`. */
  readonly kept?: string;
}

type HandleEdit = (request: Request, peer?: string) => Promise<Response>;

/** A request by a person who is signed in. */
interface Came {
  readonly url: URL;
  readonly path: string;
  readonly browser: OperatorCaller;
  readonly person: SignedIn;
  readonly peer: string;
}

/** How many forms one person may send: more than anybody can by hand, fewer than would do harm. */
const FORMS = { burst: 60, perHour: 3_600 };
const BYTES_MAX = { withPicture: 12_000_000, without: 1_000_000 };

const PATTERNS: readonly (readonly [URLPattern, EditRoute])[] = EDIT_ROUTES.map((route) => [
  new URLPattern({ pathname: route.path }),
  route,
]);

// Must not be cached, framed, or revealed to other sites as a referrer.
const PRIVATE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves `/edit` and everything below it, where people who are signed in write events. */
export function makeEdit({ db, settings, answer, sources, now }: EditParts): HandleEdit {
  const frame = frameOf(settings);
  const words = editWordsIn(frame.language);
  const signing = authorizeWordsIn(frame.language);
  const place: EditPlace = { db, frame, words, answer, sources, now };
  const door = makeDoor('edit', db, settings.publicUrl, now);
  const budgets = new Map<number, Budget>();
  const budgetOf = ({ id }: SignedIn): Budget => {
    const budget = budgets.get(id) ?? makeBudget(FORMS, now);
    budgets.set(id, budget);
    return budget;
  };

  return async (request, peer = '') => {
    if (!['GET', 'HEAD', 'POST'].includes(request.method))
      return new Response(null, { status: 405, headers: { ...PRIVATE, Allow: 'GET, HEAD, POST' } });
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/edit/, '');
    if (path === '') return lead('/');
    if (request.method === 'POST' && isForeign(request, settings.publicUrl))
      return document(pageOf(403, words.tooOld), []);
    const browser = await door.callerOf(request);
    const { person } = browser;
    if (!person) return atDoor(request, { url, path, browser, peer });
    if (path === '/signout') return signOut(request, browser);
    return withPerson({ url, path, browser, person, peer }, (asked, route) =>
      request.method === 'POST' ? act(request, asked, route) : route.show(asked),
    );
  };

  async function withPerson(
    { url, path, browser, person, peer }: Came,
    answer: (asked: AskedEdit, route: EditRoute) => Promise<EditAnswer>,
  ): Promise<Response> {
    const found = routeOf(path);
    if (!found) return document(inFrame(browser, person, unknownPage(frame.words)), []);
    const asked: AskedEdit = { ...place, url, params: found.params, person, browser, budget: budgetOf(person), peer };
    const done = await answer(asked, found.route);
    return 'to' in done ? lead(done.to) : document(inFrame(browser, person, done), browser.setCookie);
  }

  /** Carries out a form, if it is one of ours. */
  async function act(request: Request, asked: AskedEdit, route: EditRoute): Promise<EditAnswer> {
    const { acts = {} } = route;
    const waitMs = asked.budget.waitMs();
    if (waitMs > 0) return { ...pageOf(429, words.tooMany(Math.ceil(waitMs / 1000))), waitMs };
    asked.budget.spend(1);
    const bytesMax = mayUpload(callerOfPerson(asked.person)) ? BYTES_MAX.withPicture : BYTES_MAX.without;
    const sent = await formSent(request, bytesMax);
    if (sent === 'too large') return pageOf(413, words.tooLarge(bytesMax / 1e6));
    const name = sent.field('do');
    if (!asked.browser.isOwn(sent.field('token'))) return shownAgain(asked, route, 403, keptFrom(sent));
    const doing = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (!doing) return pageOf(400, words.tooOld);
    const carryOut = (): Promise<EditAnswer> => doing(asked, sent);
    return sent.field('once') === '' ? carryOut() : carriedOutOnce(db, keyOf(asked, sent), now(), carryOut);
  }

  function pageOf(status: number, text: string): EditPage {
    return {
      status,
      title: words.nothingDone,
      main: noted(words.nothingDone, text),
    };
  }

  function inFrame(browser: OperatorCaller, person: SignedIn, page: EditPage): EditPage {
    const { base } = frame;
    const name = person.name === person.login ? person.login : `${person.name} (${person.login})`;
    const head = html`<div class="row between"><nav aria-label="${words.area}"><ul class="row">
<li><a href="${base}/edit/">${words.myEvents}</a></li><li><a href="${base}/edit/event/new/">${words.newEvent}</a></li>
<li><a href="${base}/edit/venues/">${words.places.venues}</a></li><li><a href="${base}/edit/organizers/">${words.places.organizers}</a></li>
${mayEditOthers(callerOfPerson(person)) && html`<li><a href="${base}/edit/review/">${words.review.title}</a></li>`}
</ul></nav>
<form class="row" method="post" action="${base}/edit/signout"><input type="hidden" name="token" value="${browser.token}">
<span class="dim">${words.signedInAs(name)}, ${signing.roles[person.role]}</span> <button>${signing.signOut}</button></form></div>`;
    return { ...page, main: html`${head}\n${page.main}` };
  }

  /** Shows the page of a form that was not accepted, with its contents; nothing happens until it is sent again. */
  async function shownAgain(
    asked: AskedEdit,
    route: EditRoute,
    status: number,
    kept: KeptForm | undefined,
  ): Promise<EditAnswer> {
    if (!kept) return pageOf(status, words.tooOld);
    const shown = await route.show(asked);
    const page = 'to' in shown ? pageOf(status, words.tooOld) : shown;
    const { page: main, left } = refilled(page.main, kept.fields);
    const told = kept.hadFile ? `${words.kept.here} ${words.kept.picture}` : words.kept.here;
    return { ...page, status, main: html`${editNote(told, 'bad')}\n${main}\n${leftPart(left)}` };
  }

  function leftPart(left: KeptForm['fields']): Html | false {
    const written = left.filter(([, value]) => value !== '');
    const named: Readonly<Record<string, string>> = words.fields;
    return (
      written.length > 0 &&
      html`<section class="card stack"><h2>${words.kept.left}</h2>
<dl>${written.map(([name, value]) => html`<div><dt class="lab">${named[name] ?? name}</dt><dd class="typed">${value}</dd></div>`)}</dl></section>`
    );
  }

  function gate(browser: OperatorCaller, { status, problem, login = '', kept = '', ...gate }: Gate): EditPage {
    return {
      ...gate,
      status,
      title: signing.signIn,
      main: html`<h1>${words.area}</h1>
<p>${words.signInText}</p>
${kept !== '' && editNote(words.kept.signIn)}
${problem !== undefined && editNote(problem, 'bad', PROBLEM_ID)}
${signInForm(browser, login, kept, problem !== undefined && describedByNote(PROBLEM_ID, problem === signing.wrong))}`,
    };
  }

  /** Posts to the page that was requested. */
  function signInForm({ token }: OperatorCaller, login: string, kept: string, about: Html | false): Html {
    return html`<form class="form" method="post" enctype="multipart/form-data">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="kept" value="${kept}">
<label>${signing.login}<input name="login" value="${login}" autocomplete="username" required autofocus${about}></label>
<label>${signing.password}<input type="password" name="password" autocomplete="current-password" required${about}></label>
<label class="chip"><input type="checkbox" name="stay" value="yes">${words.stay}</label>
<div>${doButton(SIGN_IN, signing.signIn, { isMain: true })}</div>
</form>`;
  }

  /** Asks people to sign in, and then shows the page they requested, with what they had typed. */
  async function atDoor(request: Request, { url, path, browser, peer }: Omit<Came, 'person'>): Promise<Response> {
    const again = (shown: Gate): Response => document(gate(browser, shown), browser.setCookie);
    if (request.method !== 'POST') return again({ status: 401 });
    const sent = await sentAtDoor(request);
    if (sent.kind === 'too large') return document(pageOf(413, words.kept.tooLarge), []);
    const { kind, kept } = sent;
    if (kind === 'form') return again({ status: 401, kept });
    const { login, token } = sent;
    if (!browser.isOwn(token)) return again({ status: 403, problem: signing.tooOld, login, kept });
    const done = await door.signIn({ ...sent, peer });
    if ('problem' in done) return again({ ...refusalOf(done), login, kept });
    const { caller } = done;
    const form = keptIn(kept);
    if (!form) return lead(routeOf(path) ? path + url.search : '/', caller.setCookie);
    return withPerson({ url, path, browser: caller, person: caller.person, peer }, (asked, route) =>
      shownAgain(asked, route, 200, form),
    );
  }

  function refusalOf(refused: Exclude<SignedInOrNot, { caller: unknown }>): Gate {
    const { problem } = refused;
    if (problem === 'wait')
      return {
        status: 429,
        problem: signing.tooMany(Math.ceil(refused.waitMs / 1000)),
        waitMs: refused.waitMs,
      };
    return { status: 403, problem: problem === 'wrong' ? signing.wrong : words.noRight };
  }

  async function signOut(request: Request, browser: OperatorCaller): Promise<Response> {
    const sent = request.method === 'POST' ? await formSent(request, STRANGER_BYTES_MAX) : 'too large';
    if (sent === 'too large' || !browser.isOwn(sent.field('token'))) return lead('/');
    return lead('/', await browser.signOut());
  }

  function document({ title, main, status = 200, waitMs }: EditPage, cookies: readonly string[]): Response {
    const headers = new Headers({
      ...PRIVATE,
      ...(waitMs === undefined ? {} : retryAfter(waitMs)),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': lookPolicy({ framedBy: "'none'" }),
    });
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    return new Response(htmlDocument(frame, { title, main: html`<div class="text stack">${main}</div>` }), {
      status,
      headers,
    });
  }

  function lead(to: string, cookies: readonly string[] = []): Response {
    const headers = new Headers({ ...PRIVATE, Location: `${frame.base}/edit${to}` });
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    return new Response(null, { status: 303, headers });
  }
}

/** Identifies a form; the same only if it is sent again unchanged. */
function keyOf({ url, person }: AskedEdit, sent: Sent): string {
  const { name, size } = sent.file('image') ?? {};
  return digestOf(JSON.stringify([person.id, url.pathname + url.search, sent.fields, name, size]));
}

function routeOf(path: string): { readonly route: EditRoute; readonly params: AskedEdit['params'] } | undefined {
  for (const [pattern, route] of PATTERNS) {
    const found = pattern.exec({ pathname: path });
    if (found) return { route, params: found.pathname.groups as AskedEdit['params'] };
  }
  return undefined;
}

const unknownPage = ({ notFound, notFoundText }: Frame['words']): EditPage => ({
  status: 404,
  title: notFound,
  main: noted(notFound, notFoundText),
});
