import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { unlessBusy } from '../db/alone.ts';
import type { Database } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrate.ts';
import { AppError } from '../error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { whyUnwritable } from '../files/why-unwritable.ts';
import type { Logger } from '../log.ts';
import { checkBackup } from './check-backup.ts';
import { fileNameAt, filesToDelete, nextBackup } from './due.ts';
import { makeBackup } from './make-backup.ts';
import { backupState, beginBackup, endBackup, endBrokenOff } from './records.ts';

/** What keeping backups needs. */
export interface Keeping {
  readonly database: Database;
  /** For work of any length. */
  readonly patient: Database;
  readonly log: Logger;
  readonly now: () => number;
  readonly program: string;
  readonly uploads: string;
  readonly folder: string;
  /** Whether the folder is made if it is missing. One that the configuration names may be on a disk that is not there. */
  readonly makesFolder: boolean;
  /** How many backups are kept. */
  readonly keep: number;
  /** The schedule's first time after another; undefined without a schedule. */
  readonly nextOf: ((after: number) => number | undefined) | undefined;
}

/** Makes the backup that is due or requested, if any, unless another process is making it. */
export async function keepBackup(keeping: Keeping): Promise<void> {
  if (!(await isDue(keeping))) return;
  await unlessBusy(keeping.database, 'backup', async () => {
    await endBrokenOff(keeping.database.query());
    // Another process may have made it in the meantime.
    if (await isDue(keeping)) await makeNow(keeping);
  });
}

async function isDue({ database, nextOf, now }: Keeping): Promise<boolean> {
  const state = await backupState(database.query());
  return state.asked !== undefined || (nextBackup(state, nextOf, now()) ?? Infinity) <= now();
}

function makeBackupFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw new AppError('backup-file', `The folder ${folder} cannot be made: ${whyUnwritable(cause)}.`, { cause });
  }
}

function findBackupFolder(folder: string): void {
  try {
    statSync(folder);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'is not there. Make it, or mount its disk' : `cannot be used: ${whyUnwritable(cause)}`;
    throw new AppError('backup-file', `The folder ${folder} ${why}.`, { cause });
  }
}

async function makeNow(keeping: Keeping): Promise<void> {
  const { database, patient, log, now, folder, keep, uploads, program } = keeping;
  const { asked } = await backupState(database.query());
  const startedAt = now();
  const id = await beginBackup(database.query(), asked, `${hostname()}:${process.pid}`, startedAt);
  const file = path.join(folder, fileNameAt(startedAt));
  try {
    if (keeping.makesFolder) makeBackupFolder(folder);
    else findBackupFolder(folder);
    for (const name of filesToDelete(await readdir(folder), Infinity, startedAt)) await rm(path.join(folder, name));
    const made = await makeBackup({
      database: patient,
      file,
      uploads,
      program,
      now: startedAt,
      onProgress: () => undefined,
    });
    await readBack(file);
    await endBackup(database, id, { file, bytes: made.bytes, rows: made.rows, problem: null });
    log.info({ file, bytes: made.bytes, rows: made.rows }, 'a backup was made');
    // Only now, so that a failing backup does not cost an earlier one.
    for (const name of filesToDelete(await readdir(folder), keep, startedAt)) await rm(path.join(folder, name));
  } catch (error) {
    await endBackup(database, id, { file: null, bytes: null, rows: null, problem: (error as Error).message });
    log.error({ error }, 'a backup has failed; trying again');
  }
}

/** A disk may not contain what was written to it. */
async function readBack(file: string): Promise<void> {
  try {
    await checkBackup(
      file,
      MIGRATIONS.map(({ name }) => name),
    );
  } catch (error) {
    await rm(file);
    throw error;
  }
}
