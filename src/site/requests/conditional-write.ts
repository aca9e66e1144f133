import { namesStrongTag, namesTag } from '../../etag.ts';
import { tagsOf } from '../../files/content-coding.ts';
import type { HandlerContext } from '../context.ts';
import { preconditionFailed } from '../http-problem.ts';
import { inTurn } from '../store/turn.ts';
import { dispatch, type Match, type Site, type Surroundings } from './dispatch.ts';
import type { Outcome } from './outcome.ts';
import type { Params } from './php-params.ts';
import type { Sources } from './request-params.ts';

/** Whether what is at an address, of which a read has this digest, is as it has to be; a refused read has none. */
export type Condition = (digest: string | undefined) => boolean;

/**
 * The condition under which a request wants to write, if there is one. Nothing here has a date of modification, so
 * If-Unmodified-Since is to be ignored (RFC 9110, 13.1.4).
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

/** What a read of the address that is written to comes to, for the same caller. */
export const readOfWritten = (
  site: Site,
  match: Match,
  sources: Omit<Sources, 'path'>,
  ctx: Omit<HandlerContext, 'settings'>,
  around?: Surroundings,
): Promise<Outcome> =>
  dispatch(site, match, 'GET', { json: namedIn(match, sources), form: {}, query: sources.query }, ctx, around);

/** What a body says in place of the path: that is what is written. */
function namedIn({ params }: Match, { json, form }: Pick<Sources, 'json' | 'form'>): Params {
  const inBody = { ...form, ...json };
  return Object.fromEntries(Object.entries(inBody).filter(([name]) => name in params));
}

/**
 * Calls a handler in turn, so that of two who expect the same only one writes. Where that is not what there is, what was
 * written is undone: whatever is refused anyway is refused for its own reason (RFC 9110, 13.2.1).
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
