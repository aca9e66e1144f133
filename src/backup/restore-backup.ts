import { hasTable } from '../db/has-table.ts';
import { inCopyTransaction, type CopyIn, type CopyTransaction } from '../db/copy.ts';
import { sql, type Database, type Queryable } from '../db/database.ts';
import { migrateIn, MIGRATIONS, type Migration } from '../db/migrate.ts';
import { AppError } from '../error.ts';
import { readArchive, unreadable, type Sum } from './archive.ts';
import { dropOurs, liftRules, listTables, stepsDone } from './catalog.ts';
import { compareSums, type CheckedPortable } from './check-backup.ts';
import { copied, type Progress } from './make-backup.ts';
import { CONTENTS, TABLES, UPLOADS } from './manifest.ts';
import { stageUploads, type StagedUploads, type MemberWriter } from './uploads.ts';

/** What is restored, and where. */
export interface Restoring {
  /** For work of any length. */
  readonly database: Database;
  readonly file: string;
  readonly checked: CheckedPortable;
  readonly uploads: string;
  /** Whether it replaces existing data. */
  readonly replaces: boolean;
  /** Whether a daemon is using the database, which has to be migrated. */
  readonly isInUse: (query: Queryable) => Promise<boolean>;
  readonly migrations?: readonly Migration[];
  readonly onProgress: (progress: Progress) => void;
}

/** What was restored. */
export interface Restored {
  /** The migrations applied since the backup. */
  readonly migrated: readonly string[];
}

/**
 * Replaces everything that is ours by the contents of a backup, in one transaction, and migrates it. Throws AppError,
 * and then nothing has changed.
 */
export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { database, checked, migrations = MIGRATIONS } = restoring;
  const done = await inCopyTransaction(database, 'begin', async (transaction) => {
    const { query } = transaction;
    await sql`set local client_encoding = 'UTF8'; set local datestyle = 'ISO'; set local timezone = 'UTC'`.execute(
      query,
    );
    await refuseOthers(restoring, query);
    await dropOurs(query);
    const before = migrations.filter(({ name }) => checked.manifest.migrations.includes(name));
    await migrateIn(query, before);
    await makeMonths(query, Object.keys(checked.manifest.tables));
    await compareColumns(restoring, query);
    const settle = await liftRules(query);
    await naming(restoring.file, load(restoring, transaction));
    restoring.onProgress({ doing: 'what refers to what' });
    await naming(restoring.file, setSequences(query, checked));
    await naming(restoring.file, settle());
    return migrateIn(query, migrations, (steps) => restoring.onProgress({ doing: `upgrade step ${steps + 1}` }));
  });
  restoring.onProgress({ doing: 'gathering statistics' });
  await sql`analyze`.execute(database.query());
  return { migrated: done };
}

/** Blames the file for rows that PostgreSQL rejects for their format or their references. */
const naming = async (file: string, work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw /^2[23]/.test(code) ? unreadable(file, (error as Error).message, error) : error;
  });

/** Whether a database holds anything of ours that a backup would replace. Throws AppError while it is in use. */
export async function holdsAnything(query: Queryable, isInUse: Restoring['isInUse']): Promise<boolean> {
  if ((await stepsDone(query)).length === 0) return false;
  if (await isInUse(query))
    throw new AppError(
      'backup-in-use',
      'calsyncd is running on this database. Stop it first, on every machine. Nothing was changed.',
    );
  return true;
}

async function refuseOthers({ isInUse, replaces }: Restoring, query: Queryable): Promise<void> {
  if ((await holdsAnything(query, isInUse)) && !replaces)
    throw new AppError(
      'backup-not-empty',
      'The database is not empty any more: somebody has just started calsyncd on it. Nothing was changed.',
    );
}

/** Batches are stored in a table for each month, which is normally created when the first of them is written. */
async function makeMonths(query: Queryable, tables: readonly string[]): Promise<void> {
  const there = new Set((await listTables(query)).map(({ name }) => name));
  for (const table of tables) {
    const [, month] = /^calsync\.batches_(\d{1,6})$/.exec(table) ?? [];
    if (month !== undefined && !there.has(table)) await sql`select calsync.make_month(${Number(month)})`.execute(query);
  }
}

/** Checks that the schema made by the backup's migrations is that of the backup. */
async function compareColumns({ file, checked }: Restoring, query: Queryable): Promise<void> {
  const there = new Map((await listTables(query)).map(({ name, columns }) => [name, columns]));
  for (const [table, columns] of Object.entries(checked.manifest.tables)) {
    const found = there.get(table);
    const lacking = columns.filter((column) => found?.includes(column) !== true);
    if (!found || lacking.length > 0)
      throw unreadable(file, `the schema of its version has no ${table}${found ? ` with ${lacking.join(', ')}` : ''}`);
  }
}

async function load(restoring: Restoring, transaction: CopyTransaction): Promise<void> {
  const { file, checked } = restoring;
  const there = (await listTables(transaction.query)).map(({ name }) => sql.ref(name));
  await sql`truncate ${sql.join(there)}`.execute(transaction.query);
  const uploads = await stageUploads(restoring.uploads);
  try {
    const sums = await loadMembers(restoring, transaction, uploads);
    compareSums(file, checked.contents, sums);
    await uploads.keep();
  } finally {
    await uploads.drop();
  }
}

async function loadMembers(
  { file, checked: { manifest, counts }, onProgress }: Restoring,
  transaction: CopyTransaction,
  uploads: StagedUploads,
): Promise<ReadonlyMap<string, Sum>> {
  const sums = new Map<string, Sum>();
  let [taker, doing, before]: [MemberWriter | undefined, string, number] = [undefined, '', 0];
  const takerOf = (name: string): MemberWriter | undefined => {
    const table = name.startsWith(TABLES) ? name.slice(TABLES.length) : '';
    const columns = Object.hasOwn(manifest.tables, table) ? manifest.tables[table] : undefined;
    if (columns) return intoTable(transaction.copyIn(`copy ${copied(table, columns)} from stdin`), file, table);
    return name.startsWith(UPLOADS) ? uploads.take(name.slice(UPLOADS.length)) : undefined;
  };
  await readArchive(file, {
    begin: (name) => {
      taker = takerOf(name);
      doing = name;
    },
    part: async (bytes, rows) => {
      if (doing.startsWith(TABLES))
        onProgress({ doing: doing.slice(TABLES.length), done: before + rows, of: counts.rows, unit: 'rows' });
      await taker?.write(bytes);
    },
    end: async (name, sum) => {
      await taker?.end(sum);
      if (name.startsWith(TABLES)) before += sum.rows;
      if (name !== CONTENTS) sums.set(name, sum);
    },
  });
  return sums;
}

const intoTable = (into: CopyIn, file: string, table: string): MemberWriter => ({
  write: into.write,
  end: async ({ rows }) => {
    const stored = await into.end();
    if (stored !== rows) throw unreadable(file, `of ${rows} rows of ${table}, ${stored} were stored`);
  },
});

async function setSequences(query: Queryable, { contents }: CheckedPortable): Promise<void> {
  for (const [name, { last, called }] of Object.entries(contents.sequences)) {
    if (await hasTable(query, name)) await sql`select setval(${name}::regclass, ${last}, ${called})`.execute(query);
  }
}
