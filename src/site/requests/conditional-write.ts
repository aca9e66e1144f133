import type { Queryable } from '../../db/database.ts';
import { namesStrongTag, namesTag } from '../../etag.ts';
import { tagsOf } from '../../files/content-coding.ts';
import type { HandlerContext } from '../context.ts';
import { preconditionFailed } from '../http-problem.ts';
import { whileWaited } from '../store/turn.ts';
import type { Surroundings } from './dispatch.ts';

/** Whether what is at an address, of which a read has this digest, is as it has to be; a refused read has none. */
export type Condition = (digest: string | undefined) => boolean;

/**
 * The condition under which a request wants to write, if there is one. Nothing here has a date of modification, so
 * If-Unmodified-Since is to be ignored (RFC 9110, 13.1.4).
 */
export function conditionIn(headers: Headers): Condition | undefined {
  const wanted = headers.get('if-match');
  const unwanted = headers.get('if-none-match');
  if (wanted === null && unwanted === null) return undefined;
  return (digest) => {
    const tags = digest === undefined ? [] : tagsOf(digest);
    return (wanted === null || namesStrongTag(wanted, tags)) && !namesTag(unwanted, tags);
  };
}

/**
 * Calls a handler in turn, so that of two who expect the same only one writes. Where that is not what there is, what was
 * written is undone: whatever is refused anyway is refused for its own reason (RFC 9110, 13.2.1).
 */
export const onlyIf =
  (
    isAsExpected: (db: Queryable) => Promise<boolean>,
    { db, isAwaited }: Pick<HandlerContext, 'db' | 'isAwaited'>,
  ): NonNullable<Surroundings['within']> =>
  (call) =>
    whileWaited(db, isAwaited, async (transaction) => {
      const isMet = await isAsExpected(transaction);
      const answer = await call({ db: transaction });
      if (!isMet) throw preconditionFailed();
      return answer;
    });
