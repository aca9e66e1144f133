import { AppError } from '../error.ts';
import { sql, type Database, type Queryable } from '../db/database.ts';
import { inCopyTransaction, type CopyTransaction } from '../db/copy.ts';
import { writeArchive, type Member, type Sum } from './archive.ts';
import { LEFT_OUT, listTables, readSequences, serverVersion, stepsDone, type Table } from './catalog.ts';
import {
  asMember,
  CONTENTS,
  FORMAT,
  KEEP_TOO,
  MANIFEST,
  TABLES,
  UPLOADS,
  type Manifest,
  type Sequence,
} from './manifest.ts';
import { uploadMembers, uploadNames } from './uploads.ts';

/** The progress of making or reading a backup. */
export interface Progress {
  readonly doing?: string;
  /** Absent while nothing can be counted. */
  readonly done?: number;
  /** Absent if unknown. */
  readonly of?: number | undefined;
  readonly unit?: 'rows' | 'bytes';
}

/** What goes into a backup, and where it is written. */
export interface Making {
  readonly database: Database;
  readonly file: string;
  /** The folder of uploaded files. */
  readonly uploads: string;
  /** The version of the program. */
  readonly program: string;
  readonly now: number;
  /** The next table waits for it. */
  readonly onProgress: (progress: Progress) => void | Promise<void>;
}

export interface Counts {
  readonly tables: number;
  readonly rows: number;
  readonly uploads: number;
}

/** The backup that was made. */
export interface Made extends Counts {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Writes everything that is ours, as of one moment and while other processes go on working, into a file that only its
 * owner may read. Leaves either the complete file or none.
 */
export async function makeBackup(making: Making): Promise<Made> {
  const uploaded = await uploadNames(making.uploads);
  await refuseEmpty(making.database.query());
  return inCopyTransaction(making.database, SNAPSHOT, async (transaction) => {
    const tables = await lockedTables(transaction.query);
    const manifest = await manifestOf(transaction.query, tables, making);
    let sequences: Readonly<Record<string, Sequence>> = {};
    let sums: ReadonlyMap<string, Sum> = new Map();
    const members = async function* (): AsyncGenerator<Member> {
      yield asMember(MANIFEST, manifest);
      yield* tableMembers(transaction, manifest, tables, making.onProgress);
      // Sequences are not transactional, so they are read last and are never behind the rows.
      sequences = await readSequences(transaction.query);
      yield* uploadMembers(making.uploads, uploaded);
    };
    const last = (all: ReadonlyMap<string, Sum>): Member => {
      sums = all;
      return asMember(CONTENTS, { members: Object.fromEntries(all), sequences });
    };
    const bytes = await writeArchive(making.file, members(), last, making.now / 1000);
    return { file: making.file, bytes, ...countsOf(sums) };
  });
}

/** Throws AppError if there is nothing of ours to back up. */
export async function refuseEmpty(query: Queryable): Promise<void> {
  if ((await stepsDone(query)).length === 0)
    throw new AppError(
      'backup-nothing',
      'The database is empty: there is nothing to back up. Check DATABASE_URL and DATA_DIR.',
    );
}

/** The counts of what is in a backup. */
export function countsOf(sums: ReadonlyMap<string, Sum>): Counts {
  const within = (folder: string): readonly Sum[] =>
    [...sums].flatMap(([name, sum]) => (name.startsWith(folder) ? [sum] : []));
  const tables = within(TABLES);
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    uploads: within(UPLOADS).length,
  };
}

const SNAPSHOT = 'begin isolation level repeatable read read only';

/** Locks the tables against being dropped or altered until the end; others can still read and write. */
async function lockedTables(query: Queryable): Promise<readonly Table[]> {
  await sql`set local client_encoding = 'UTF8'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 3; set local bytea_output = 'hex'; set local timezone = 'UTC'`.execute(query);
  for (const { name } of await listTables(query))
    await sql`lock table ${sql.ref(name)} in access share mode`.execute(query);
  return listTables(query);
}

async function manifestOf(query: Queryable, tables: readonly Table[], { program, now }: Making): Promise<Manifest> {
  return {
    what: 'calsyncd backup',
    kind: 'portable',
    format: FORMAT,
    program,
    madeAt: new Date(now).toISOString(),
    server: await serverVersion(query),
    migrations: await stepsDone(query),
    tables: Object.fromEntries(
      tables.filter(({ name }) => !(name in LEFT_OUT)).map(({ name, columns }) => [name, columns]),
    ),
    leftOut: Object.fromEntries(
      Object.entries(LEFT_OUT).filter(([name]) => tables.some((table) => table.name === name)),
    ),
    keepToo: KEEP_TOO,
  };
}

async function* tableMembers(
  { copyOut }: CopyTransaction,
  manifest: Manifest,
  tables: readonly Table[],
  onProgress: Making['onProgress'],
): AsyncGenerator<Member> {
  // The server's estimate.
  const about = tables.reduce((sum, { name, rows }) => sum + (name in manifest.tables ? rows : 0), 0);
  const tell = async (doing: string, done: number): Promise<void> =>
    onProgress({ doing, done, of: done <= about ? about : undefined, unit: 'rows' });
  let before = 0;
  for (const [name, columns] of Object.entries(manifest.tables)) {
    await tell(name, before);
    let rows = 0;
    yield {
      name: `${TABLES}${name}`,
      content: copyOut(`copy ${copied(name, columns)} to stdout`),
      onPart: async (sum) => {
        rows = sum;
        await tell(name, before + rows);
      },
    };
    before += rows;
  }
  await onProgress({ doing: 'uploaded files' });
}

/** A table with its columns, as used in COPY. */
export const copied = (name: string, columns: readonly string[]): string =>
  sql`${sql.ref(name)} (${sql.join(columns.map((column) => sql.id(column)))})`.compile().text;
