import { sql, type Kysely } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { unavailable } from '../http-problem.ts';
import type { StoreDatabase } from './tables.ts';

/** The store's view of a request's database. */
// Tables are known to the compiler only: this is the same object.
export const storeOf = (ctx: Pick<HandlerContext, 'db'>): StoreDatabase => ctx.db as unknown as StoreDatabase;

/** Does a write in one transaction, in turn; in that of a batch, which has its turn already. */
export async function inTurn<T>(
  ctx: Pick<HandlerContext, 'db' | 'signal'>,
  work: (db: StoreDatabase) => Promise<T>,
): Promise<T> {
  const db = storeOf(ctx);
  return db.isTransaction ? work(db) : whileWaited(db, ctx.signal, work);
}

/**
 * One transaction in turn, which is rolled back when nobody waits for its outcome any more: who was told nothing, or to
 * come again, comes again.
 */
export async function whileWaited<Tables, T>(
  db: Kysely<Tables>,
  signal: AbortSignal | undefined,
  work: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction);
    if (signal?.aborted) throw unavailable();
    const done = await work(transaction);
    if (signal?.aborted) throw unavailable();
    return done;
  });
}

/**
 * Writers take turns on the row of the revision, so that what one of them looked up (free slugs, existing names) still
 * holds when it
 * writes, and none waits for another in a circle. To be taken outside of savepoints: what is rolled back to one gives
 * the turn up.
 */
const takeTurn = <T>(transaction: Kysely<T>): Promise<unknown> =>
  sql`select from site.revision for update`.execute(transaction);

/**
 * The number that every write raises, as text: who has built something from the site's content sees in it whether that
 * is stale.
 */
export async function siteRevision(db: HandlerContext['db']): Promise<string> {
  const { value } = await storeOf({ db }).selectFrom('site.revision').select('value').executeTakeFirstOrThrow();
  return String(value);
}
