import type pg from 'pg';
import type { Database } from '../../../src/db/database.ts';
import { queryableOf } from '../../../src/db/sql.ts';

/**
 * The database of a process that can be killed: `gate` is called before each statement and throws once the process is
 * dead. An open transaction is then rolled back.
 */
export function gated({ pool, close }: Database, gate: () => void): Database {
  const known = new WeakMap<pg.PoolClient, pg.PoolClient>();
  const wrap = (client: pg.PoolClient): pg.PoolClient => {
    const found =
      known.get(client) ??
      new Proxy(client, {
        get: (target, name): unknown => {
          const value: unknown = Reflect.get(target, name);
          if (name !== 'query')
            return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
          return (...args: unknown[]): unknown => {
            if (args[0] !== 'rollback') gate();
            return (value as (...given: unknown[]) => unknown).apply(target, args);
          };
        },
      });
    known.set(client, found);
    return found;
  };
  // Statements and the steps of a run always get their connection from the promise form of `connect`.
  const gatedPool = new Proxy(pool, {
    get: (target, name): unknown =>
      name === 'connect' ? async () => wrap(await target.connect()) : Reflect.get(target, name),
  });
  const queryable = queryableOf(gatedPool);
  return { pool: gatedPool, query: () => queryable, close };
}
