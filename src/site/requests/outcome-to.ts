import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller, HandlerContext, PasswordTries } from '../context.ts';
import { HttpProblem } from '../http-problem.ts';
import { onlyIf, readOfWritten } from './conditional-write.ts';
import { allowHeader, dispatch, endpointFor, matchRoute, type Match, type Site } from './dispatch.ts';
import { withEmbedded } from './embedded.ts';
import { entryOf } from './indexes.ts';
import { noRoute, problemOutcome, unforeseen, type Outcome } from './outcome.ts';
import type { Params } from './php-params.ts';
import type { BodyParams } from './request-params.ts';
import { routeNamedBy } from './route-address.ts';

/** A request as values. */
export interface Asked {
  readonly url: URL;
  readonly query: Params;
  readonly method: string;
  /** Reads the parameters in the body that this caller may send. Throws HttpProblem. */
  readonly bodyOf: (endpoint: Endpoint, caller: Caller | null) => Promise<BodyParams>;
  /** For conditional writes: whether a read of the same address gives what the condition requires. */
  readonly isAsExpected?: ((read: Outcome, caller: Caller | null) => Promise<boolean>) | undefined;
}

/** What a request may use, and how to find its caller. */
export interface RequestContext extends Pick<
  HandlerContext,
  'db' | 'isAwaited' | 'revision' | 'confirm' | 'atOnce' | 'isAsKnown'
> {
  readonly tries: PasswordTries;
  readonly callerOf: () => Promise<Caller | null>;
}

/** The outcome of a request with its caller and route. */
export interface RequestOutcome {
  readonly outcome: Outcome;
  readonly caller: Caller | null;
  readonly match: Match | undefined;
}

/** Carries out a request. Every failure becomes an outcome, too. */
export async function outcomeTo(
  site: Site,
  { callerOf, ...reach }: RequestContext,
  asked: Asked,
  now: number,
): Promise<RequestOutcome> {
  let caller: Caller | null = null;
  let match: Match | undefined;
  let outcome: Outcome;
  try {
    caller = await callerOf();
    match = matchOf(asked.url, site);
    outcome = await outcomeFor(site, { ...asked, ...reach, match, caller, now });
  } catch (error) {
    outcome =
      error instanceof HttpProblem
        ? problemOutcome(error, allowHeader(match, { caller }))
        : unforeseen(error, site.report);
  }
  return { outcome, caller, match };
}

function matchOf(url: URL, { settings, routes }: Site): Match | undefined {
  const route = routeNamedBy(url, settings);
  return route === undefined ? undefined : matchRoute(routes, route);
}

/** A request with its route, caller and time. */
interface Matched extends Asked, Omit<RequestContext, 'callerOf'> {
  readonly match: Match | undefined;
  readonly caller: Caller | null;
  readonly now: number;
}

async function outcomeFor(
  site: Site,
  { query, method, bodyOf, isAsExpected, match, caller, now, ...reach }: Matched,
): Promise<Outcome> {
  if (!match) throw noRoute();
  const ctx = { ...reach, caller, now };
  if (method === 'OPTIONS') return described(site, match, ctx);
  const endpoint = endpointFor(match.route, method);
  if (!endpoint) return problemOutcome(noRoute(match.route));
  const sources = { ...(await bodyOf(endpoint, caller)), query };
  const whole = withEmbeddedFor(site, query, ctx);
  // A condition needs a readable address; without one it is ignored.
  if (!isAsExpected || !endpointFor(match.route, 'GET')) return dispatch(site, match, method, sources, ctx, { whole });
  const isMet = async ({ db }: Pick<HandlerContext, 'db'>): Promise<boolean> => {
    const inside = { ...ctx, db };
    const around = { whole: withEmbeddedFor(site, query, inside) };
    return isAsExpected(await readOfWritten(site, match, sources, inside, around), caller);
  };
  return dispatch(site, match, method, sources, ctx, { whole, within: onlyIf(isMet, ctx) });
}

const withEmbeddedFor =
  (site: Site, { _embed: wanted }: Params, ctx: Omit<HandlerContext, 'settings'>) =>
  async (body: unknown): Promise<unknown> =>
    wanted === undefined ? body : withEmbedded(site, body, wanted, ctx);

/** Answers OPTIONS with the route's description. Only a read of a single post tells what the caller may do with it. */
async function described(site: Site, match: Match, ctx: Omit<HandlerContext, 'settings'>): Promise<Outcome> {
  const isOne = ctx.caller !== null && Object.keys(match.params).length > 0;
  const { headers } = isOne
    ? await dispatch(site, match, 'GET', { json: {}, form: {}, query: {} }, ctx)
    : { headers: allowHeader(match, ctx) };
  const { Allow: allow } = headers;
  return {
    status: 200,
    body: entryOf(match.route, site.settings, ctx.now),
    headers: allow === undefined ? {} : { Allow: allow },
  };
}
