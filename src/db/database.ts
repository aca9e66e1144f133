import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

export { sql, type Kysely, type Transaction, type Generated, type RawBuilder, type Selectable } from 'kysely';

/** Where PostgreSQL is: a URL, or the socket directory of the embedded server. */
export type DatabaseAddress = { readonly url: string } | { readonly socketDirectory: string; readonly database: string; readonly user: string };

/** One pool for a process; `tables` names the types that its user wants to see. */
export interface Database {
  readonly pool: pg.Pool;
  readonly query: <Tables>() => Kysely<Tables>;
  readonly close: () => Promise<void>;
}

/** node-postgres' options for an address. */
export function poolConfig(address: DatabaseAddress, max: number): pg.PoolConfig {
  const where = 'url' in address ? { connectionString: address.url } : { host: address.socketDirectory, database: address.database, user: address.user };
  return { ...where, max, keepAlive: true, application_name: 'calsyncd' };
}

/** Opens a pool of at most `max` connections. Connecting happens at the first query. */
export function openDatabase(address: DatabaseAddress, max = 10): Database {
  // Whole numbers of PostgreSQL (bigint, count) fit a double here; text would make ids strings.
  const types = { getTypeParser: ((oid: number, format?: 'text') => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'))) as typeof pg.types.getTypeParser };
  const pool = new pg.Pool({ ...poolConfig(address, max), types });
  surviveLostConnections(pool);
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { pool, query: <Tables>() => kysely as unknown as Kysely<Tables>, close: () => kysely.destroy() };
}

/** A plain node-postgres pool whose unqualified names are those of `schema`, for a library that brings its own tables. */
export function openPool(address: DatabaseAddress, max: number, schema: string): pg.Pool {
  const pool = new pg.Pool({ ...poolConfig(address, max), options: `-c search_path=${schema}` });
  surviveLostConnections(pool);
  return pool;
}

// A connection that the server closed is replaced at its next use, and a query on it fails by itself; without listeners it would end
// the process, also while it is lent out: a pool listens only to its idle ones.
function surviveLostConnections(pool: pg.Pool): void {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => { client.on('error', () => undefined); });
}
