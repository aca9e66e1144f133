import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase, PATIENT, rowOf, sql, type Database, type DatabaseAddress } from '../../db/database.ts';
import { whileReplacing } from '../../db/embedded/replace.ts';
import { readEveryTable } from '../../db/every-table.ts';
import { migrateIn, MIGRATIONS, type Migration } from '../../db/migrate.ts';
import { AppError } from '../../error.ts';
import { unreadable } from '../archive.ts';
import { emptyLeftOut, stepsDone } from '../catalog.ts';
import type { CheckedPhysical } from '../check-backup.ts';
import type { Progress } from '../make-backup.ts';
import type { Restored } from '../restore-backup.ts';
import { stageUploads } from '../uploads.ts';
import { LABEL } from './server-files.ts';
import { unpack } from './unpack.ts';

/** What is restored, and where. */
export interface RestoringPhysical {
  /** The data directory of the embedded server, which must not be in use. */
  readonly dataDir: string;
  readonly file: string;
  readonly checked: CheckedPhysical;
  readonly uploads: string;
  readonly migrations?: readonly Migration[];
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Replaces the files of the embedded server by those of a backup, once a server has started on them and they were found
 * complete and migrated. Throws AppError, and then nothing has changed.
 */
export async function restorePhysical(restoring: RestoringPhysical): Promise<Restored> {
  const { dataDir, file, checked, onProgress } = restoring;
  return whileReplacing(dataDir, async ({ data, start, finish }) => {
    const uploads = await stageUploads(restoring.uploads);
    try {
      await unpack({ file, checked, data, uploads, onProgress });
      onProgress({ doing: 'replaying the log' });
      const server = await start().catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'database-start'
          ? unreadable(file, `no server can start on it. ${error.message}`, error)
          : error;
      });
      const migrated = await broughtUpToDate(restoring, server.address).finally(server.stop);
      await rm(path.join(data, `${LABEL}.old`), { force: true });
      await uploads.keep();
      await finish();
      return { migrated };
    } finally {
      await uploads.drop();
    }
  });
}

async function broughtUpToDate(restoring: RestoringPhysical, address: DatabaseAddress): Promise<readonly string[]> {
  const { file, checked, onProgress, migrations = MIGRATIONS } = restoring;
  const database = openDatabase(address, 2, PATIENT);
  try {
    await refuseIncomplete(file, checked, database);
    await readEveryTable(database, (done, of) =>
      onProgress({ doing: 'reading every table', done, of, unit: 'bytes' }),
    ).catch((error: unknown) => {
      throw unreadable(file, (error as Error).message, error);
    });
    onProgress({ doing: 'bringing it up to date' });
    return await database.query().transaction(async (query) => {
      await emptyLeftOut(query);
      return migrateIn(query, migrations, (steps) => onProgress({ doing: `upgrade step ${steps + 1}` }));
    });
  } finally {
    await database.close();
  }
}

/** A server that recovers from a crash accepts a log that ends early, so its end has to be checked. */
async function refuseIncomplete(file: string, { contents }: CheckedPhysical, database: Database): Promise<void> {
  const { isWhole } = rowOf(
    await sql<{ isWhole: boolean }>`select pg_current_wal_lsn() >= ${contents.end}::pg_lsn as "isWhole"`.execute(
      database.query(),
    ),
  );
  if (!isWhole) throw unreadable(file, 'the log of what was written while it was made ends too early');
  if ((await stepsDone(database.query())).length === 0) throw unreadable(file, 'it is not a backup of calsyncd');
}
