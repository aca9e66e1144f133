import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type QueryResult } from 'kysely';
import pg from 'pg';

export { sql, type Kysely, type Transaction, type Generated, type RawBuilder, type Selectable } from 'kysely';

/** Where PostgreSQL is: a URL, or the socket directory of the embedded server. */
export type DatabaseAddress =
  | { readonly url: string }
  | { readonly socketDirectory: string; readonly database: string; readonly user: string };

/** One pool for a process; `tables` names the types that its user wants to see. */
export interface Database {
  readonly pool: pg.Pool;
  readonly query: <Tables>() => Kysely<Tables>;
  readonly close: () => Promise<void>;
}

/** How long the connections of a pool wait, and keep others waiting; milliseconds, 0 for ever. */
export interface Limits {
  /** For a free connection, or a new one. */
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  /** A transaction whose process does nothing: its locks go when the server ends it. */
  readonly idleInTransactionMs: number;
  /**
   * A server that says nothing to a statement: it is frozen, or the network between is gone. Longer than a statement
   * may take.
   */
  readonly silenceMs: number;
}

/**
 * For all that serves and syncs. The longest statements of a site with 100,000 events take a few seconds. A transaction
 * may be idle for as long
 * as a large plan keeps the process busy; who waits for its locks is told earlier to come again.
 */
export const WORKING: Limits = {
  connectMs: 10_000,
  statementMs: 60_000,
  lockMs: 15_000,
  idleInTransactionMs: 30_000,
  silenceMs: 75_000,
};
/**
 * For migrations and housekeeping, whose statements may go over all there is. In the queue for a lock they stand like
 * everybody: one that is paused would have it next.
 */
export const PATIENT: Limits = {
  connectMs: 10_000,
  statementMs: 0,
  lockMs: 15_000,
  idleInTransactionMs: 30_000,
  silenceMs: 0,
};

// The server ends connections (over TCP) to machines that are gone after a minute, and with them their transactions and
// locks.
const KEEPALIVE =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=60000';
const KEEPALIVE_IDLE_MS = 10_000;

/** node-postgres' options for an address. */
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

/** Opens a pool of at most `max` connections. Connecting happens at the first query. */
export function openDatabase(address: DatabaseAddress, max = 10, limits = WORKING): Database {
  // Whole numbers of PostgreSQL (bigint, count) fit a double here; text would make ids strings.
  const types = {
    getTypeParser: ((oid: number, format?: 'text') =>
      oid === pg.types.builtins.INT8
        ? Number
        : pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({ ...poolConfig(address, max, limits), types });
  surviveLostConnections(pool, limits);
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { pool, query: <Tables>() => kysely as unknown as Kysely<Tables>, close: () => kysely.destroy() };
}

/**
 * A plain node-postgres pool whose unqualified names are those of `schema`, for a library that brings its own tables.
 */
export function openPool(address: DatabaseAddress, max: number, schema: string, limits = WORKING): pg.Pool {
  const pool = new pg.Pool(poolConfig(address, max, limits, `-c search_path=${schema}`));
  surviveLostConnections(pool, limits);
  return pool;
}

// A connection that the server closed is replaced at its next use, and a query on it fails by itself; without listeners
// it would end
// the process, also while it is lent out: a pool listens only to its idle ones.
function surviveLostConnections(pool: pg.Pool, { silenceMs }: Limits): void {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endAtSilence(client, silenceMs);
  });
}

/**
 * Ends a connection whose server has been silent for so long while a statement waits: the pool replaces it, and the
 * statement fails.
 */
function endAtSilence(client: pg.PoolClient, silenceMs: number): void {
  // Both are there, but not among node-postgres' types.
  const {
    connection: { stream },
  } = client as unknown as { readonly connection: { readonly stream: Socket } };
  const isWaiting = (): boolean => !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;
  // Not as setTimeout's own listener, which hears of one silence only: also a connection at rest is silent.
  stream.on('timeout', () => {
    if (isWaiting()) stream.destroy(new Error('Connection terminated: the server did not answer'));
  });
  stream.setTimeout(silenceMs);
}

/**
 * The row of a statement that always gives one (`returning` of an insert, an aggregate). Throws where there is none.
 */
export function rowOf<R>({ rows }: Pick<QueryResult<R>, 'rows'>): R {
  const [row] = rows;
  if (row === undefined) throw new Error('a statement gave no row');
  return row;
}
