import { hasTable } from './has-table.ts';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Queryable } from './sql.ts';
import { AppError } from '../error.ts';
import { rowOf, type Database } from './database.ts';

/** One step of the schema: carried out once, in one transaction with all other steps, and never changed afterwards. */
export interface Migration {
  readonly name: string;
  readonly up: (db: Queryable) => Promise<void>;
}

const FILES = readdirSync(new URL('migrations/', import.meta.url)).filter((file) => file.endsWith('.ts'));

/**
 * The files of migrations/ in the order of their numbers, each loaded when it is carried out. A released one is never
 * changed, renamed or removed.
 */
export const MIGRATIONS: readonly Migration[] = FILES.toSorted().map((file) => {
  const name = file.slice(0, -'.ts'.length);
  return { name, up: async (db) => ((await import(`./migrations/${name}.ts`)) as Pick<Migration, 'up'>).up(db) };
});

// An arbitrary number of our own: if two processes migrate at the same time, one waits for the other.
const LOCK = 4_217_001;

/**
 * Whether the schema is up to date, as it is at nearly every start. Costs two reads and no lock. Throws AppError if the
 * database is newer than this program.
 */
export const isMigrated = (database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<boolean> =>
  hasAll(database.query(), migrations);

async function hasAll(db: Queryable, migrations: readonly Migration[]): Promise<boolean> {
  return (await hasTable(db, 'calsyncd_migration')) && (await openSteps(db, migrations)).length === 0;
}

/** Called before each step with the number of steps done and the total. */
export type OnStep = (done: number, of: number) => void;

/**
 * Brings the schema up to date in one transaction. Returns the names of the steps carried out. Throws AppError if the
 * database is newer than this program, or its server too old. Processes of the previous version may be working
 * meanwhile: it begins once it has all tables to itself.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  onStep?: OnStep,
): Promise<readonly string[]> {
  for (; ; await sleep(PAUSE_MS)) {
    try {
      return await database.query().transaction(async (transaction) => {
        await takeTurn(transaction);
        if (!(await hasAll(transaction, migrations))) await takeTables(transaction);
        return migrateIn(transaction, migrations, onStep);
      });
    } catch (error) {
      if (!(error instanceof TablesInUse)) throw error;
    }
  }
}

/** Waits while another process is migrating, as long as it takes. */
async function takeTurn(transaction: Queryable): Promise<void> {
  await sql`SET LOCAL lock_timeout = 0`.execute(transaction);
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(transaction);
}

/** Shorter than the second after which PostgreSQL resolves a deadlock by ending one of its statements. */
const TAKING_TIME = sql.lit('500ms');
/** Lets other transactions proceed in between. */
const PAUSE_MS = 300;

class TablesInUse extends Error {}

/**
 * Locks all existing tables, or throws TablesInUse. If the steps locked them one after another, they could hold a table
 * that another process's transaction waits for, while that one holds the next.
 */
async function takeTables(transaction: Queryable): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('calsync', 'site'))
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`.execute(transaction);
  if (rows.length === 0) return;
  await sql`SET LOCAL statement_timeout = ${TAKING_TIME}`.execute(transaction);
  try {
    await sql`LOCK TABLE ${sql.raw(rows.map(({ name }) => name).join(', '))}`.execute(transaction);
  } catch (error) {
    throw IN_USE.has(String((error as { code?: unknown }).code)) ? new TablesInUse() : error;
  }
  await sql`SET LOCAL statement_timeout TO DEFAULT`.execute(transaction);
}

// The statement took too long, or PostgreSQL ended it to resolve a deadlock.
const IN_USE: ReadonlySet<string> = new Set(['57014', '40P01']);

/** The same within a larger transaction. Nobody else migrates until that ends. */
export async function migrateIn(
  transaction: Queryable,
  migrations: readonly Migration[],
  onStep?: OnStep,
): Promise<readonly string[]> {
  await takeTurn(transaction);
  refuseOldServer(
    rowOf(await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(transaction))
      .version,
  );
  await sql`CREATE TABLE IF NOT EXISTS calsyncd_migration (name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())`.execute(
    transaction,
  );
  const open = await openSteps(transaction, migrations);
  for (const [done, { name, up }] of open.entries()) {
    onStep?.(done, open.length);
    await up(transaction);
    await sql`INSERT INTO calsyncd_migration (name) VALUES (${name})`.execute(transaction);
  }
  return open.map(({ name }) => name);
}

/** The steps that a database has not had yet. */
async function openSteps(db: Queryable, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM calsyncd_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  refuseNewer(done, migrations);
  return migrations.filter(({ name }) => !done.has(name));
}

/** The oldest major version of PostgreSQL that all tests pass on. */
export const OLDEST_SERVER = 15;

/** Throws AppError if a server is too old for the schema. Takes its `server_version`, such as `15.20 (Debian …)`. */
export function refuseOldServer(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return;
  throw new AppError(
    'database-old',
    `The database server is PostgreSQL ${version}; calsyncd needs ${OLDEST_SERVER} or later. ` +
      'Upgrade the server, name another one in DATABASE_URL, or leave DATABASE_URL out: ' +
      'calsyncd then uses its own.',
  );
}

function refuseNewer(done: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const unknown = [...done].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length === 0) return;
  throw new AppError(
    'database-newer',
    `The database was created by a newer calsyncd (it has the changes ${unknown.toSorted().join(', ')}). Run that version, or restore a backup from before it.`,
  );
}
