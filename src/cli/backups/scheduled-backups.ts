import path from 'node:path';
import { keepBackup } from '../../backup/keep-backup.ts';
import type { BackupConfig, Config } from '../../config/config.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { cronTimes } from '../../queue/cron-times.ts';
import { VERSION } from '../terminal/version.ts';
import type { App } from '../open/open-context.ts';

const LOOK_EVERY_MS = 5_000;

/** Makes backups when they are due, and on request. Returns a function that stops it. */
export function scheduleBackups({ state, context: { log, now }, inForce }: App): () => Promise<void> {
  let running: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const config = inForce.config();
    await keepBackup({
      database: state.database,
      patient: state.patient,
      log,
      now,
      program: VERSION,
      uploads: uploadsIn(config.dataDir),
      folder: backupFolder(config),
      makesFolder: config.backup.folder === undefined,
      keep: config.backup.keep,
      nextOf: timesOf(config.backup),
    });
  };
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: unknown) => log.error({ error }, 'could not look up whether a backup is due; trying again'))
      .finally(() => {
        running = undefined;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** The folder of backups: in the data directory, unless the configuration names another one. */
export const backupFolder = ({ backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>): string =>
  backup.folder ?? path.join(dataDir, 'backups');

/** Returns a function that gives a schedule's first time after another; undefined without one. */
export function timesOf({ schedule }: BackupConfig): ((after: number) => number | undefined) | undefined {
  if (!schedule) return undefined;
  return 'cron' in schedule
    ? (after) => cronTimes(schedule.cron, schedule.timezone, after, 1)[0]
    : (after) => after + schedule.everyMs;
}
