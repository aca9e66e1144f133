import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../error.ts';

/** For starting, stopping or replacing a server. */
export const LOCK_TIMEOUT_MS = 180_000;

/**
 * Does `work` while no other process on this machine holds the lock file; waits at most `timeoutMs` for it. Uses
 * SQLite's lock because the operating system releases it with the process, so a lock is never stale.
 */
export async function withLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(file, timeoutMs);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(file: string, timeoutMs: number): Promise<DatabaseSync> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const lock = new DatabaseSync(file, { timeout: 0 });
    try {
      // Writes nothing, so that a full disk does not prevent locking.
      lock.exec('PRAGMA journal_mode = memory; BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      if (!(error instanceof Error)) throw error;
      if (!/locked|busy/i.test(error.message))
        throw new AppError('data-directory', `The data directory cannot be used: ${error.message} (${file}).`, {
          cause: error,
        });
      if (performance.now() > until) {
        throw new AppError(
          'database-locked',
          `Another process has been starting or stopping the database for ${timeoutMs / 1000} s (lock file ${file}). Try again when it is done.`,
          { cause: error },
        );
      }
    }
    await sleep(15);
  }
}
