import fs from 'node:fs';
import { AppError } from '../../error.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import { giveTo } from './account.ts';
import { homeOf, makePlace, type Place } from './home.ts';
import { LOCK_TIMEOUT_MS, withLock } from './lock.ts';
import { runningServer, stopServer } from './server.ts';
import { clearStage, isStaging, settleReplacement, stageOf } from './stage.ts';
import { startEmbedded, type EmbeddedServer } from './start.ts';
import { isInUse, markInUse } from './users.ts';

/** A data folder that is prepared to replace the current one. */
export interface Replacement {
  /** The folder to write, in PostgreSQL's layout. Other users cannot look into it. */
  readonly data: string;
  /** Starts a server on what was written, while the current data folder stays as it is. */
  readonly start: () => Promise<EmbeddedServer>;
  /** Puts the folder in place, once its server has ended. Throws AppError if the current one is in use. */
  readonly finish: () => Promise<void>;
}

/** Throws AppError while the embedded server of a data directory is in use. There may be no server yet. */
export async function refuseEmbeddedInUse(dataDir: string): Promise<void> {
  const place = makePlace(dataDir);
  await withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
    await settleReplacement(place);
    await refuseInUse(place);
  });
}

/**
 * Does `work` with a folder that becomes the embedded server's data folder on `finish`, and is removed otherwise.
 * Whenever the process ends, there is either the old or the new folder, and the next start removes any remains. Throws
 * AppError.
 */
export async function whileReplacing<T>(dataDir: string, work: (replacement: Replacement) => Promise<T>): Promise<T> {
  const place = makePlace(dataDir);
  const stage = stageOf(place);
  await withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
    await settleReplacement(place);
    if (isStaging(stage)) throw inUse('Another calsyncd is restoring a backup there. Wait until it is done.');
    makeFolder(stage.owners, 0o700);
    makeFolder(stage.data, 0o700);
    // The owner of the place determines which user the server runs as.
    const { uid, gid } = fs.statSync(place.root);
    if (process.getuid?.() === 0) giveTo({ name: `number ${uid}`, uid, gid }, stage.dataDir);
    markInUse(stage.owners);
  });
  try {
    return await work({
      data: stage.data,
      start: async () => {
        const { account } = homeOf(place);
        if (account) giveTo(account, stage.data);
        return startEmbedded(stage.dataDir);
      },
      finish: () =>
        withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
          await refuseInUse(place);
          await swap(place);
        }),
    });
  } finally {
    // If this fails, the next start does it.
    await withLock(place.lock, LOCK_TIMEOUT_MS, () => clearStage(stage)).catch(() => undefined);
  }
}

async function swap(place: Place): Promise<void> {
  const { data, replaced } = stageOf(place);
  const hadOne = fs.existsSync(place.data);
  try {
    if (hadOne) fs.renameSync(place.data, replaced);
    fs.renameSync(data, place.data);
  } catch (error) {
    if (fs.existsSync(replaced)) fs.renameSync(replaced, place.data);
    throw new AppError(
      'data-directory',
      `The data folder ${place.data} cannot be replaced: ${whyUnwritable(error)}. Nothing was changed.`,
      { cause: error },
    );
  }
  await syncFolder(place.root);
  fs.rmSync(replaced, { recursive: true, force: true });
}

/** Stops a server that killed processes have left running; leaves one alone that living processes use. */
async function refuseInUse({ data, users }: Place): Promise<void> {
  if (isInUse(users)) throw inUse('calsyncd is running on this database. Stop it first.');
  const running = runningServer(data);
  if (running) await stopServer(running);
}

const inUse = (why: string): AppError => new AppError('backup-in-use', `${why} Nothing was changed.`);
