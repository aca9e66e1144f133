import { namesStrongTag, namesTag } from '../../etag.ts';
import { tagsOf } from '../../files/content-coding.ts';
import type { HandlerContext } from '../context.ts';
import { preconditionFailed } from '../http-problem.ts';
import { inTurn } from '../store/turn.ts';
import { dispatch, type Match, type Site, type Surroundings } from './dispatch.ts';
import type { Outcome } from './outcome.ts';
import type { Params } from './php-params.ts';
import type { Sources } from './request-params.ts';

/** Whether the target of a write is in the required state, given the digest of a read; a refused read has none. */
export type Condition = (digest: string | undefined) => boolean;

/**
 * The condition in a request's headers, if any. Nothing here has a modification date, so If-Unmodified-Since is ignored
 * (RFC 9110, section 13.1.4).
 */
export function conditionIn(headers: Pick<Headers, 'get'>): Condition | undefined {
  const wanted = headers.get('if-match');
  const unwanted = headers.get('if-none-match');
  if (wanted === null && unwanted === null) return undefined;
  return (digest) => {
    const tags = digest === undefined ? [] : tagsOf(digest);
    return (wanted === null || namesStrongTag(wanted, tags)) && !namesTag(unwanted, tags);
  };
}

/** Reads the address that is written to, as the same caller. */
export const readOfWritten = (
  site: Site,
  match: Match,
  sources: Omit<Sources, 'path'>,
  ctx: Omit<HandlerContext, 'settings'>,
  around?: Surroundings,
): Promise<Outcome> =>
  dispatch(site, match, 'GET', { json: namedIn(match, sources), form: {}, query: sources.query }, ctx, around);

/** Path parameters that the body repeats: they name what is actually written. */
function namedIn({ params }: Match, { json, form }: Pick<Sources, 'json' | 'form'>): Params {
  const inBody = { ...form, ...json };
  return Object.fromEntries(Object.entries(inBody).filter(([name]) => name in params));
}

/**
 * Calls a handler under the write lock, so that of two requests with the same condition only one succeeds. An unmet
 * condition rolls the write back only afterwards: a request that would be refused anyway is refused for its own reason
 * (RFC 9110, section 13.2.1).
 */
export const onlyIf =
  (
    isAsExpected: (inside: Pick<HandlerContext, 'db'>) => Promise<boolean>,
    ctx: Pick<HandlerContext, 'db' | 'isAwaited' | 'takeTurn'>,
  ): NonNullable<Surroundings['within']> =>
  (call) =>
    inTurn(ctx, async (db) => {
      const isMet = await isAsExpected({ db });
      const answer = await call({ db });
      if (!isMet) throw preconditionFailed();
      return answer;
    });
