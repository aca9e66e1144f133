import { randomUUID } from 'node:crypto';
import { makeBudget, retryAfter, type Budget } from '../budget.ts';
import { digestOf } from '../etag.ts';
import { FORM_BYTES_MAX, formSent, isForeign, keptFrom, sentAtDoor } from '../request-bytes.ts';
import { sentOnce, type SentOnce } from '../coalesced.ts';
import { keptIn, refilled, type KeptForm } from '../html/kept-form.ts';
import { html, type Html } from '../html/template.ts';
import { msSinceBeat } from '../run/watch/beat.ts';
import { zonesOfSites } from '../run/state/site-zones.ts';
import { brandFile } from '../look/files.ts';
import { makeAssets } from './frame/assets.ts';
import { gateDocument, mainOf, pageDocument, waitingMark, type AssetPaths, type FrameState } from './frame/layout.ts';
import type { Answer, Asked, Caller, Door, Operator, Page, Person, Route, Sent } from './frame/operator.ts';
import { banner, head, linkTo, pathBelow } from './frame/parts.ts';
import { spanInWords } from '../run/watch/moments.ts';
import { signInMain, type Gate } from './frame/sign-in-page.ts';
import { inNavigation, wholePage } from './live/general-parts.ts';
import { makeLiveChannel } from './live/live-channel.ts';
import { countWaiting } from './sources/overview.ts';
import { LIVE_PARTS, ROUTES } from './routes.ts';

/** The parts of the console that its pages do not need. */
export interface ConsoleParts {
  readonly operator: Operator;
  readonly door: Door;
  /** Whether clients at an address may use the console. */
  readonly isAllowed: (peer: string) => boolean;
}

type Handle = (request: Request, peer: string) => Promise<Response>;

/** How many forms a person may send, from all browsers together: more than anyone can by hand, too few to do harm. */
const FORMS = { burst: 60, perHour: 3_600 };

// Pages may load and run only what is our own. They must not be cached, framed, or revealed to other sites.
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types console',
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** How long an answer is kept. A second click comes within seconds; a page that nothing else shows may be reloaded. */
const KEPT_MS = { led: 10_000, toldOnce: 600_000 };

function keptMs(answer: Answer): number {
  if ('to' in answer) return KEPT_MS.led;
  return 'main' in answer && answer.isToldOnce ? KEPT_MS.toldOnce : 0;
}

const PATTERNS: readonly (readonly [URLPattern, Route])[] = ROUTES.map((route) => [
  new URLPattern({ pathname: route.path }),
  route,
]);

/** The running console. */
export interface OperatorConsole {
  readonly handle: Handle;
  /** Ends the streams of open pages, without which the server could not close. */
  readonly close: () => Promise<void>;
}

/** The console, at `/operator` and below, for signed-in editors and administrators. */
export function makeOperatorConsole({ operator, door, isAllowed }: ConsoleParts): OperatorConsole {
  const base = new URL(operator.publicUrl).pathname.replace(/\/$/, '');
  const assets = makeAssets(base);
  const title = (): string => titleOf(operator);
  const paths = (): AssetPaths => {
    const brand = brandFile(operator.config().builtin.brand);
    return { ...assets.paths, brand: brand && base + brand.path };
  };
  const once = sentOnce(keptMs, operator.context.now);
  const budgets = new Map<number, Budget>();
  const budgetOf = ({ id }: Person): Budget => {
    const budget = budgets.get(id) ?? makeBudget(FORMS, operator.context.now);
    budgets.set(id, budget);
    return budget;
  };

  const live = makeLiveChannel({
    operator,
    parts: [
      ...LIVE_PARTS,
      wholePage(shownAt),
      inNavigation(async (asked) => waitingMark((await standingOf(asked)).waiting)),
    ],
    isStill: async ({ request, person: { id, role } }) => {
      const { person } = await door.callerOf(request);
      return person?.id === id && person.role === role;
    },
    silentMs: () => msSinceBeat(operator.context.database.query()),
  });

  const handle: Handle = async (request, peer) => {
    if (!isAllowed(peer)) return notAllowed(peer, operator.config().operator.allowAddresses.length > 0);
    const url = new URL(request.url);
    const path = pathBelow(url);
    if (path === '') return lead(`${base}/operator/`);
    return (
      assets.serve(request, path) ??
      refusalOf(request, operator.publicUrl) ??
      withCaller(request, path, peer, await door.callerOf(request))
    );
  };
  return { handle, close: live.close };

  /** The current content of the page that a stream belongs to. */
  async function shownAt(asked: Asked): Promise<Html | undefined> {
    const found = routeOf(pathBelow(asked.url));
    if (!found) return undefined;
    const page = await answerOf({ ...asked, params: found.params }, found.route, {
      budget: budgetOf(asked.person),
      once,
    });
    return 'main' in page ? mainOf(asked, await standingOf(asked), page) : undefined;
  }

  async function withCaller(request: Request, path: string, peer: string, caller: Caller): Promise<Response> {
    const { person } = caller;
    if (!person) return atDoor(request, path, peer, caller);
    const asked = await askedFor({ request, peer, caller, person });
    if (path === '/signout') return signOut(asked);
    const { url } = asked;
    if (path === '/live' && request.method === 'GET')
      return live.open(asked, pageOf(url), url.searchParams.getAll('part'));
    const found = routeOf(path);
    return respond(asked, found ? await answerOf(asked, found.route, { budget: budgetOf(person), once }) : MISSING);
  }

  async function askedFor(by: Pick<Asked, 'request' | 'peer' | 'caller' | 'person'>): Promise<Asked> {
    const url = new URL(by.request.url);
    return {
      ...by,
      operator,
      url,
      base,
      params: routeOf(pathBelow(url))?.params ?? {},
      once: pathBelow(url) === '/live' ? onceOf(url) : randomUUID(),
      now: operator.context.now(),
      zoneOf: await zonesOfSites(operator.context.database.query(), operator.config().builtin.timezone),
      mayOpen: (of) => isFor(routeOf(of)?.route, by.person),
    };
  }

  async function respond(asked: Asked, answer: Answer): Promise<Response> {
    if (answer instanceof Response) return answer;
    if ('to' in answer) return lead(linkTo(asked, answer.to));
    const body = pageDocument(asked, title(), paths(), await standingOf(asked), answer);
    const { status = 200, waitMs } = answer;
    const headers = { ...HEADERS, ...(waitMs === undefined ? {} : retryAfter(waitMs)) };
    return withCookies(
      new Response(asked.request.method === 'HEAD' ? null : body, { status, headers }),
      asked.caller.setCookie,
    );
  }

  function gate(caller: Caller, status: number, shown: Gate = {}): Response {
    const main = signInMain(caller, shown);
    const { problem } = shown;
    const waits = problem?.problem === 'wait' ? retryAfter(problem.waitMs) : {};
    return withCookies(
      new Response(gateDocument(title(), paths(), 'Sign in', main), { status, headers: { ...HEADERS, ...waits } }),
      caller.setCookie,
    );
  }

  /** Asks the visitor to sign in, then shows the page requested, with everything typed into its form. */
  async function atDoor(request: Request, path: string, peer: string, caller: Caller): Promise<Response> {
    if (request.method !== 'POST') return gate(caller, 401);
    const sent = await sentAtDoor(request);
    if (sent.kind === 'too large') return refused(413, 'too large');
    const { kind, kept } = sent;
    if (kind === 'form') return gate(caller, 401, { kept });
    const { login, token } = sent;
    if (!caller.isOwn(token)) return gate(caller, 403, { login, kept, problem: { problem: 'too old' } });
    const done = await door.signIn({ ...sent, peer });
    if ('problem' in done) return gate(caller, done.problem === 'wait' ? 429 : 403, { login, kept, problem: done });
    const route = routeOf(path)?.route;
    const form = keptIn(kept);
    const asked = await askedFor({ request, peer, caller: done.caller, person: done.caller.person });
    if (form && route) return respond(asked, await shownAgain(asked, route, 200, form));
    const { search } = asked.url;
    return withCookies(lead(linkTo(asked, route ? path + search : '/')), done.caller.setCookie);
  }

  async function signOut({ request, caller }: Asked): Promise<Response> {
    const sent = await formSent(request, FORM_BYTES_MAX);
    if (sent === 'too large' || !caller.isOwn(sent.field('token'))) return lead(`${base}/operator/`);
    live.endSession(caller.session);
    return withCookies(lead(`${base}/operator/`), await caller.signOut());
  }
}

/** The title of the calendar, or the host name of an external site. */
function titleOf({ sites, config }: Operator): string {
  const all = sites();
  const [first] = all;
  return first && !all.some(({ isBuiltin }) => isBuiltin) ? new URL(first.home).host : config().builtin.title;
}

/** The page view that a stream belongs to, so that forms in its parts carry the same id as the page's. */
const onceOf = ({ searchParams }: URL): string => /^[\da-f-]{36}$/.exec(searchParams.get('once') ?? '')?.[0] ?? '';

/** The address of the page that a stream belongs to. */
function pageOf(stream: URL): URL {
  const named = stream.searchParams.get('page') ?? '';
  return new URL(stream.origin + (named.startsWith('/') ? named : stream.pathname));
}

const isFor = (route: Route | undefined, { role }: Person): boolean =>
  route !== undefined && (route.right !== 'administrator' || role === 'administrator');

/** How forms are limited and deduplicated. */
interface Taking {
  readonly budget: Budget;
  readonly once: SentOnce<Answer>;
}

async function answerOf(asked: Asked, route: Route, { budget, once }: Taking): Promise<Answer> {
  if (!isFor(route, asked.person)) return NO_RIGHT;
  if (asked.request.method !== 'POST') return route.show(asked);
  const waitMs = budget.waitMs();
  if (waitMs > 0) return tooMany(waitMs);
  budget.spend(1);
  return act(asked, route, once);
}

/** Carries out a form's act, if it came from one of our pages. */
async function act(asked: Asked, route: Route, once: SentOnce<Answer>): Promise<Answer> {
  const { acts = {}, bytesMax = FORM_BYTES_MAX } = route;
  const sent = await formSent(asked.request, bytesMax);
  if (sent === 'too large') return tooLarge(bytesMax);
  if (!asked.caller.isOwn(sent.field('token'))) return shownAgain(asked, route, 403, keptFrom(sent));
  const name = sent.field('do');
  const doing = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (!doing) return UNKNOWN_ACT;
  // The fields do not show whether another file was chosen.
  const canBeTold = sent.field('once') !== '' && !sent.hadFile;
  return canBeTold ? once(keyOf(asked, sent), () => doing(asked, sent)) : doing(asked, sent);
}

/** Identifies a form sent from one view of a page, with its content. */
function keyOf({ url, caller }: Asked, sent: Sent): string {
  return digestOf(JSON.stringify([caller.session, url.pathname + url.search, sent.fields]));
}

/** Shows the page of a rejected form again, filled in as before. Nothing is done until it is sent again. */
async function shownAgain(asked: Asked, route: Route, status: number, kept: KeptForm | undefined): Promise<Answer> {
  if (!isFor(route, asked.person)) return NO_RIGHT;
  if (!kept) return TOO_OLD;
  const answer = await route.show(asked);
  const shown = 'main' in answer ? answer : TOO_OLD;
  const { page, left } = refilled(shown.main, kept.fields);
  const written = left.filter(([, value]) => value !== '');
  return {
    ...shown,
    status,
    main: html`${keptNote(kept)}${page}${written.length > 0 && leftPart(written)}`,
    // An update of the whole page would overwrite what was filled in.
    live: shown.live?.filter((part) => !/^page(?::|$)/.test(part)) ?? [],
  };
}

const keptNote = ({ hadFile }: KeptForm): Html =>
  banner(
    'warn',
    html`<p>
      <b>Nothing has been done yet.</b> What you filled in is here again: check it, and press the button
      again.${hadFile && ' A file cannot be kept: choose it again.'}
    </p>`,
    true,
  );

const leftPart = (left: KeptForm['fields']): Html =>
  html`<section class="stack" aria-labelledby="left">
    <h2 id="left">What you filled in that no longer has a place here</h2>
    <dl class="facts">
      ${left.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;

function routeOf(path: string): { readonly route: Route; readonly params: Asked['params'] } | undefined {
  for (const [pattern, route] of PATTERNS) {
    const found = pattern.exec({ pathname: path });
    if (!found) continue;
    const named = Object.entries(found.pathname.groups).map(([name, value]) => [name, decoded(value ?? '')]);
    return { route, params: Object.fromEntries(named) as Asked['params'] };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Browsers do not send this; it matches nothing.
    return text;
  }
}

function refusalOf(request: Request, publicUrl: string): Response | undefined {
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return new Response('The console takes GET and POST.\n', { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
  // No stored text contains a NUL, and the database rejects it.
  if (/%00/.test(request.url)) return refused(400, 'no text');
  return request.method === 'POST' && isForeign(request, publicUrl) ? refused(403, 'another site') : undefined;
}

async function standingOf(asked: Asked): Promise<FrameState> {
  const { operator, now, person } = asked;
  const ms = await msSinceBeat(operator.context.database.query());
  return { waiting: await countWaiting(asked, person), lastWord: ms === undefined ? undefined : now - ms };
}

const messagePage = (status: number, title: string, sentence: string): Page => ({
  title,
  status,
  main: head(title, html`${sentence}`),
});

const MISSING = messagePage(404, 'There is no such page', 'The address may be old, or what it named is gone.');
const NO_RIGHT = messagePage(403, 'Only administrators may do this', 'You are signed in as an editor.');
const TOO_OLD = messagePage(
  403,
  'Nothing was done',
  'The form is too old, or was not sent from this page. Go back, reload the page and try again.',
);
const UNKNOWN_ACT = messagePage(
  400,
  'Nothing was done',
  'This page has no such button. Go back, reload it and try again.',
);
const tooMany = (waitMs: number): Page => ({
  ...messagePage(
    429,
    'Nothing was done',
    `You have sent very many forms within a minute. Go back, and send it again in ${spanInWords(waitMs)}.`,
  ),
  waitMs,
});
const tooLarge = (bytesMax: number): Page =>
  messagePage(
    413,
    'Nothing was done',
    `The form is larger than ${bytesMax} bytes, which is the most that is accepted here.`,
  );

const REFUSALS = {
  'another site': 'This form was sent by another site, so nothing was done. Open the console and send it from there.\n',
  'no text': 'The address has a character that no text has.\n',
  'too large':
    'You were signed out in the meantime, and this is too long to be kept. Go back, copy what you wrote, and sign in.\n',
};
const refused = (status: number, why: keyof typeof REFUSALS): Response =>
  new Response(REFUSALS[why], { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });

/** `areNamed`: whether other networks are allowed, which are none of the client's business. */
const notAllowed = (peer: string, areNamed: boolean): Response =>
  new Response(
    `The console is open to this machine${areNamed ? ' and the networks of its configuration' : ''} only, and you ` +
      `come from ${peer}. To open it to others, ${areNamed ? 'add their networks there' : 'name their networks in the configuration'}:` +
      `\n\noperator:\n  allow_addresses: [${areNamed ? '…, ' : ''}${peer}]\n\n(0.0.0.0/0 and ::/0 are everybody.)\n`,
    { status: 403, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } },
  );

const lead = (to: string): Response =>
  new Response(null, { status: 303, headers: { Location: to, 'Cache-Control': 'no-store' } });

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}
