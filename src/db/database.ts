import type { Socket } from 'node:net';
import pg from 'pg';
import { growingWithNeed } from './growth.ts';
import { VALUE_TYPES } from './read-values.ts';
import { queryableOf, type Queryable, type Result } from './sql.ts';

export { PREPARED, sql, type Queryable, type Sql } from './sql.ts';

/** Where PostgreSQL is: a URL, or the embedded server's socket directory. */
export type DatabaseAddress =
  | { readonly url: string }
  | { readonly socketDirectory: string; readonly database: string; readonly user: string };

/** The pool of a process. `query` returns what executes statements, always the same object. */
export interface Database {
  readonly pool: pg.Pool;
  readonly query: () => Queryable;
  readonly close: () => Promise<void>;
}

/** How long the connections of a pool wait, and may make others wait; in milliseconds, 0 means for ever. */
export interface Limits {
  /** For a free or a new connection. */
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  /** How long a transaction may be idle before the server ends it and releases its locks. */
  readonly idleInTransactionMs: number;
  /**
   * How long the server may be silent during a statement before we consider it frozen or unreachable. Must be longer
   * than any statement may take.
   */
  readonly silenceMs: number;
}

/**
 * For serving and syncing. On a site with 100,000 events, the longest statements take a few seconds. A transaction may
 * be idle for as long as a large plan keeps the process busy; others that wait for its locks give up earlier and try
 * again.
 */
const WORKING: Limits = {
  connectMs: 10_000,
  statementMs: 60_000,
  lockMs: 15_000,
  idleInTransactionMs: 30_000,
  silenceMs: 75_000,
};
/**
 * For migrations and housekeeping, whose statements may cover all data. They wait for locks no longer than others do,
 * because a waiting statement at the head of the queue would block everybody.
 */
export const PATIENT: Limits = {
  connectMs: 10_000,
  statementMs: 0,
  lockMs: 15_000,
  idleInTransactionMs: 30_000,
  silenceMs: 0,
};

// After a minute the server ends TCP connections to machines that are gone, and with them their transactions and locks.
const KEEPALIVE =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=60000';
const KEEPALIVE_IDLE_MS = 10_000;

/** The node-postgres options for an address. */
export function poolConfig(address: DatabaseAddress, max: number, limits?: Limits, options = ''): pg.PoolConfig {
  const where =
    'url' in address
      ? { connectionString: address.url }
      : { host: address.socketDirectory, database: address.database, user: address.user };
  const bounds = limits && {
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  return {
    ...where,
    ...bounds,
    max,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_MS,
    application_name: 'calsyncd',
    options: `${KEEPALIVE} ${options}`.trim(),
  };
}

/**
 * Opens a pool of at most `max` connections. It connects at the first query, and adds connections when queries wait.
 * Connections unused for ten seconds are closed, except for `kept` of them.
 */
export function openDatabase(address: DatabaseAddress, max = 10, limits = WORKING, kept = 0): Database {
  const pool = new pg.Pool({ ...poolConfig(address, max, limits), types: VALUE_TYPES, min: kept });
  surviveLostConnections(pool, limits);
  const queryable = queryableOf(pool, growingWithNeed(pool));
  return { pool, query: () => queryable, close: () => pool.end() };
}

/** A plain node-postgres pool that resolves unqualified names in `schema`, for a library that brings its own tables. */
export function openPool(address: DatabaseAddress, max: number, schema: string, limits = WORKING): pg.Pool {
  const pool = new pg.Pool(poolConfig(address, max, limits, `-c search_path=${schema}`));
  surviveLostConnections(pool, limits);
  return pool;
}

// A connection closed by the server is replaced at its next use, and its query fails by itself. Without these listeners
// the error would end the process, even while the connection is checked out: a pool listens only to idle ones.
function surviveLostConnections(pool: pg.Pool, { silenceMs }: Limits): void {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endAtSilence(client, silenceMs);
  });
}

/**
 * Ends a connection whose server has been silent for `silenceMs` during a statement: the statement fails, and the pool
 * replaces the connection.
 */
function endAtSilence(client: pg.PoolClient, silenceMs: number): void {
  // Both exist but are missing from node-postgres' types.
  const {
    connection: { stream },
  } = client as unknown as { readonly connection: { readonly stream: Socket } };
  const isWaiting = (): boolean => !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;
  // `on` instead of setTimeout's own listener, which fires only once: idle connections are silent, too.
  stream.on('timeout', () => {
    if (isWaiting()) stream.destroy(new Error('Connection terminated: the server did not answer'));
  });
  stream.setTimeout(silenceMs);
}

/** The row of a statement that always returns one (`returning` of an insert, an aggregate). Throws if there is none. */
export function rowOf<R>({ rows }: Pick<Result<R>, 'rows'>): R {
  const [row] = rows;
  if (row === undefined) throw new Error('a statement gave no row');
  return row;
}
