import { coalesced } from '../../coalesced.ts';
import { sql, type Queryable } from '../../db/database.ts';
import { isPassing } from '../../db/wait.ts';
import type { HandlerContext } from '../context.ts';
import { unavailable } from '../http-problem.ts';
import { noticeRevision } from './changes.ts';

/**
 * Runs a write in one transaction, under the write lock; inside a batch, in the batch's transaction, which may already
 * hold it.
 */
export async function inTurn<T>(
  ctx: Pick<HandlerContext, 'db' | 'isAwaited' | 'takeTurn'>,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const { db } = ctx;
  if (!db.isTransaction) return whileWaited(db, ctx.isAwaited, work);
  await ctx.takeTurn?.();
  return work(db);
}

/** A CTE that makes a statement take the write lock first; the rest of the statement must depend on `turn`. */
export const TAKING_TURN = sql`turn as (select from site.revision for update)`;

/**
 * The same for work whose first statement takes the lock itself: the server continues with it as soon as the previous
 * writer has finished, without a round trip to this process, which may be busy.
 */
export async function takingTurn<T>(
  { db, isAwaited, takeTurn: mayWait }: Pick<HandlerContext, 'db' | 'isAwaited' | 'takeTurn'>,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  if (!db.isTransaction) return unlessAborted(db, isAwaited, work);
  try {
    return await work(db);
  } catch (error) {
    throw mayWait && isPassing(error) ? new NoTurn(error) : error;
  }
}

/**
 * Runs `work` in one transaction that takes the write lock with its first write, so that what is decided before keeps
 * nobody waiting. Rolled back if the client has stopped waiting.
 */
export async function untilTurn<T>(
  { db, isAwaited }: Pick<HandlerContext, 'db' | 'isAwaited'>,
  work: (inside: Pick<HandlerContext, 'db' | 'takeTurn'>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (transaction) => {
    let taken: Promise<void> | undefined;
    const take = async (): Promise<void> => {
      await takeTurn(transaction).catch((error: unknown) => {
        throw new NoTurn(error);
      });
      if (isAwaited?.() === false) throw new NoTurn(unavailable());
    };
    try {
      const done = await work({ db: transaction, takeTurn: () => (taken ??= take()) });
      if (isAwaited?.() === false) throw unavailable();
      return done;
    } catch (error) {
      throw error instanceof NoTurn ? error.cause : error;
    }
  });
}

/** The write lock could not be obtained; the write itself is not at fault. */
export class NoTurn extends Error {
  constructor(cause: unknown) {
    super('the turn to write has not come', { cause });
  }
}

/**
 * Runs `work` in one transaction, under the write lock. Rolled back if the client has stopped waiting, as it will send
 * the request again.
 */
export async function whileWaited<T>(
  db: Queryable,
  isAwaited: (() => boolean) | undefined,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  return unlessAborted(db, isAwaited, async (transaction) => {
    await takeTurn(transaction);
    if (isAwaited?.() === false) throw unavailable();
    return work(transaction);
  });
}

const unlessAborted = <T>(
  db: Queryable,
  isAwaited: (() => boolean) | undefined,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> =>
  db.transaction(async (transaction) => {
    const done = await work(transaction);
    if (isAwaited?.() === false) throw unavailable();
    return done;
  });

/**
 * Writers take turns by locking the row of the revision, so that what one of them looked up (free slugs, existing
 * names) still holds when it writes, and no deadlock can occur. Call it outside of savepoints, as rolling back to one
 * would release the lock.
 */
const takeTurn = (transaction: Queryable): Promise<unknown> =>
  sql`select from site.revision for update`.execute(transaction);

const revisions = new WeakMap<HandlerContext['db'], () => Promise<string>>();

/**
 * Returns the number that every write raises, as text: it tells whether anything built from the site's content is
 * stale. Concurrent callers share one query, which never starts before one of them asks.
 */
export function siteRevision(db: HandlerContext['db']): Promise<string> {
  const ask = revisions.get(db) ?? coalesced(() => noticeRevision(db));
  revisions.set(db, ask);
  return ask();
}
