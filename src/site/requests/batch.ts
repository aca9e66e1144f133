import type { Api } from '../../contract/api.ts';
import { BATCH_MAX, type BatchRequest } from '../../contract/batch.ts';
import type { Input } from '../../contract/endpoint.ts';
import type { BatchAnswer, BatchItem } from '../../contract/representation.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import {
  allowHeader,
  endpointFor,
  matchRoute,
  perform,
  performAsSet,
  performInStatement,
  prepare,
  type Match,
  type Ready,
  type Refused,
  type Site,
  type Surroundings,
} from './dispatch.ts';
import { conditionIn, onlyIf, readOfWritten } from './conditional-write.ts';
import { HttpProblem } from '../http-problem.ts';
import { noRoute, problemOutcome, unforeseen, type Outcome } from './outcome.ts';
import { mayUse } from './rights.ts';
import { fetchImages } from '../store/fetch-images.ts';
import { NoTurn, untilTurn, whileWaited } from '../store/turn.ts';
import type { Params } from './php-params.ts';
import { queryParams } from './request-params.ts';
import { rendered } from './respond.ts';

/**
 * Runs several writes in one transaction: one that fails leaves no trace, and the others stay. First assumes that none
 * will fail, and carries out neighbours with the same endpoint together. If one fails, starts over one by one, in
 * transactions no larger than a batch of the interface.
 * With `require-all-validate` nothing is done if any of them fails validation.
 */
export async function runBatch(
  site: Site,
  { validation, requests }: Input<Api['sendBatch']>,
  ctx: HandlerContext,
): Promise<BatchAnswer> {
  // Most items address the same place.
  const places = new Map<string, Place>();
  const items = requests.map((request) => {
    const place = places.get(request.path) ?? placeOf(site, request.path);
    places.set(request.path, place);
    return prepareItem(site, request, place, ctx);
  });
  const strict = validation === 'require-all-validate';
  if (strict && items.some(({ kind }) => kind === 'refused'))
    return failedValidation(items.map((item) => (item.kind === 'refused' ? item.problem : null)));
  if (items.length === 0) return { responses: [] };
  const allowed = items.flatMap((item) =>
    item.kind === 'ready' && mayUse(item.endpoint.right, ctx.caller) ? [item.args] : [],
  );
  const images = await fetchImages(site.fetchImage, allowed, ctx);
  try {
    const all = { ...ctx, images };
    return { responses: (await carriedOut(site, items, all, strict)).map(batchItem) };
  } catch (error) {
    if (error instanceof InvalidItems) return failedValidation(error.outcomes);
    throw error;
  }
}

async function carriedOut(
  site: Site,
  items: readonly (Item | Refused)[],
  ctx: HandlerContext,
  strict: boolean,
): Promise<readonly Outcome[]> {
  const written = await inOneStatement(site, items, ctx);
  const done = written ? await written() : await together(site, items, ctx);
  if (done) return done;
  if (strict || items.length <= BATCH_MAX) return oneByOne(site, items, ctx, strict);
  const outcomes: Outcome[] = [];
  for (let from = 0; from < items.length; from += BATCH_MAX)
    outcomes.push(...(await carriedOut(site, items.slice(from, from + BATCH_MAX), ctx, strict)));
  return outcomes;
}

/**
 * Writes neighbours of one endpoint in a single statement. Building the answers is not part of the write, so an error
 * there does not cause another one. Returns undefined, having done nothing, if one statement is not enough or something
 * is refused.
 */
async function inOneStatement(
  site: Site,
  items: readonly (Item | Refused)[],
  ctx: HandlerContext,
): Promise<(() => Promise<readonly Outcome[]>) | undefined> {
  const [group, ...others] = groupsOf(items);
  if (!group || 'kind' in group || others.length > 0) return undefined;
  const [first] = group;
  const handler = first.around ? undefined : site.statementHandlerOf(first.endpoint);
  try {
    return handler && (await performInStatement(site, handler, group, ctx));
  } catch (error) {
    if (error instanceof HttpProblem && error.status < 500) return undefined;
    throw error;
  }
}

/**
 * Carries out everything in one transaction, without savepoints. Returns undefined, having done nothing, if any item is
 * refused or fails.
 */
async function together(
  site: Site,
  items: readonly (Item | Refused)[],
  ctx: HandlerContext,
): Promise<readonly Outcome[] | undefined> {
  try {
    return await untilTurn(ctx, async (inside) => {
      const outcomes: Outcome[] = [];
      for (const group of groupsOf(items)) outcomes.push(...(await unrefused(site, group, { ...ctx, ...inside })));
      return outcomes;
    });
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
    return undefined;
  }
}

/** Rolls back a transaction in which not everything succeeded. */
class Abandoned extends Error {}

async function unrefused(site: Site, group: Group, ctx: HandlerContext): Promise<readonly Outcome[]> {
  if ('kind' in group) return [withAllow(group, ctx)];
  const [first] = group;
  const handler = first.around ? undefined : site.setHandlerOf(first.endpoint);
  let outcomes: readonly Outcome[] | undefined;
  try {
    outcomes = handler ? await performAsSet(site, handler, group, ctx) : await performInOrder(site, group, ctx);
  } catch (error) {
    if (error instanceof NoTurn) throw error;
    // An item that fails on its own is reported when it fails again; this error may only occur for sets.
    if (handler && !(error instanceof HttpProblem)) site.report(error);
  }
  if (!outcomes?.every(({ status }) => status < 400)) throw new Abandoned();
  return outcomes;
}

async function performInOrder(site: Site, items: readonly Item[], ctx: HandlerContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const item of items) outcomes.push(await perform(site, item, ctx, item.around?.(ctx)));
  return outcomes;
}

/** Carries out one item after the other, each with its own outcome. */
async function oneByOne(
  site: Site,
  items: readonly (Item | Refused)[],
  ctx: HandlerContext,
  strict: boolean,
): Promise<readonly Outcome[]> {
  return whileWaited(ctx.db, ctx.isAwaited, async (db) => {
    const outcomes: Outcome[] = [];
    await sql`savepoint item`.execute(db);
    for (const item of items)
      outcomes.push(item.kind === 'refused' ? withAllow(item, ctx) : await inSavepoint(site, db, item, ctx));
    // Only the transaction can tell whether ids exist, which real sites also check in validation.
    const invalid = outcomes.map((outcome) => (isInvalid(outcome) ? outcome : null));
    if (strict && invalid.some((outcome) => outcome !== null)) throw new InvalidItems(invalid);
    return outcomes;
  });
}

/** Carries the outcomes of invalid items out of the transaction that is rolled back because of them. */
class InvalidItems extends Error {
  readonly outcomes: readonly (Outcome | null)[];
  constructor(outcomes: readonly (Outcome | null)[]) {
    super('not all items of the batch are valid');
    this.outcomes = outcomes;
  }
}

/** The route and query parameters of a path, or the refusal if there is no such route. */
type Place = { readonly match: Match; readonly query: Params } | { readonly problem: Outcome };

function placeOf(site: Site, path: string): Place {
  const parts = pathParts(path);
  let query: Params;
  try {
    query = queryParams(parts?.query ?? '');
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return { problem: problemOutcome(error) };
  }
  if (!parts) return { problem: problemOutcome(new HttpProblem('parse_path_failed', 'Could not parse the path.')) };
  const match = matchRoute(site.routes, parts.path);
  return match ? { match, query } : { problem: problemOutcome(noRoute()) };
}

/** A valid item. `around` is set if it is conditional. */
interface Item extends Ready {
  readonly around?: (ctx: HandlerContext) => Surroundings;
}

function prepareItem(site: Site, request: BatchRequest, place: Place, ctx: HandlerContext): Item | Refused {
  if ('problem' in place) return { kind: 'refused', match: undefined, problem: place.problem };
  const { match, query } = place;
  const endpoint = endpointFor(match.route, request.method);
  if (endpoint && !endpoint.batch)
    return {
      kind: 'refused',
      match,
      problem: problemOutcome(
        new HttpProblem('rest_batch_not_allowed', 'The requested route does not support batch requests.'),
      ),
    };
  const sources = { json: {}, form: request.body, query };
  const prepared = prepare(site, match, request.method, sources, ctx);
  const condition = conditionIn({ get: (name) => request.headers[name] ?? null });
  if (prepared.kind === 'refused' || !condition) return prepared;
  const isMetIn = async (inside: HandlerContext): Promise<boolean> =>
    condition(await digestOf(await readOfWritten(site, match, sources, inside), inside));
  return { ...prepared, around: (now) => ({ within: onlyIf((inside) => isMetIn({ ...now, ...inside }), now) }) };
}

/** The digest in the ETag of the same answer to a separate request. */
async function digestOf(read: Outcome, { settings, caller }: HandlerContext): Promise<string | undefined> {
  const form = { settings, caller, conditional: true, envelope: false, xml: false, callback: undefined };
  return (await rendered(read, form)).digest;
}

/** The path and query of an item, even if it gives a full address. */
function pathParts(text: string): { readonly path: string; readonly query: string } | undefined {
  if (/^\/\/[^/]*(?::\D|$)|^\/\/\//.test(text)) return undefined;
  const local = text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#')[0] ?? '';
  const [path = '', ...query] = local.split('?');
  return { path, query: query.join('?') };
}

/**
 * A refused item, or unconditional neighbours that a set handler can take together: of the same endpoint, namespace and
 * language.
 */
type Group = Refused | readonly [Item, ...Item[]];

function groupsOf(items: readonly (Item | Refused)[]): readonly Group[] {
  const groups: (Refused | [Item, ...Item[]])[] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (item.kind === 'refused') groups.push(item);
    else if (Array.isArray(group) && isAlike(group[0], item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

const isAlike = (one: Item, other: Item): boolean =>
  one.endpoint === other.endpoint &&
  one.match.route === other.match.route &&
  one.language === other.language &&
  !one.around &&
  !other.around;

async function inSavepoint(site: Site, db: Queryable, item: Item, ctx: HandlerContext): Promise<Outcome> {
  let outcome: Outcome;
  try {
    const inside = { ...ctx, db };
    outcome = await perform(site, item, inside, item.around?.(inside));
  } catch (error) {
    outcome = unforeseen(error, site.report);
  }
  await endItem(db, outcome.status < 400);
  return outcome;
}

/** In either case the next item gets a savepoint; sending both statements together saves a round trip. */
const endItem = (db: Queryable, isGood: boolean): Promise<unknown> =>
  (isGood ? sql`release savepoint item; savepoint item` : sql`rollback to savepoint item`).execute(db);

const isInvalid = ({ body }: Outcome): boolean =>
  /^rest_(?:invalid|missing_callback)_param$/.test(String((body as { readonly code?: unknown } | null)?.code));
const withAllow = ({ match, problem }: Refused, ctx: HandlerContext): Outcome => ({
  ...problem,
  headers: { ...problem.headers, ...allowHeader(match, ctx) },
});

// PHP serializes an empty object as an empty list.
const batchItem = ({ body, status, headers }: Outcome): BatchItem => ({
  body,
  status,
  headers: Object.keys(headers).length === 0 ? [] : headers,
});
const failedValidation = (problems: readonly (Outcome | null)[]): BatchAnswer => ({
  failed: 'validation',
  responses: problems.map((problem) => problem && batchItem({ ...problem, headers: {} })),
});
