import { isUnfinished } from './archive.ts';
import type { BackupState } from './records.ts';

/** After a failure it is tried again after so long, or when the next one is due. */
const AGAIN_MS = 900_000;

/**
 * When the next backup is due, in epoch milliseconds; undefined if there is no schedule. `nextOf` gives the first time
 * of the schedule after another. The first backup is due at once.
 */
export function nextBackup(
  { last }: Pick<BackupState, 'last'>,
  nextOf: ((after: number) => number | undefined) | undefined,
): number | undefined {
  if (!nextOf) return undefined;
  const [begun, ended] = [last?.startedAt?.getTime(), last?.endedAt?.getTime()];
  const next = nextOf(begun ?? 0);
  return last && last.problem !== null && ended !== undefined ? Math.min(next ?? Infinity, ended + AGAIN_MS) : next;
}

/** The name of a backup that is made at a moment. */
export const fileNameAt = (now: number): string =>
  `calsyncd-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst`;

const FILE = /^calsyncd-\d{8}T\d{6}Z\.tar\.zst$/;

/**
 * Which files of the folder go: of the backups that were made on a schedule, all but the latest `keep`, and what
 * processes that have died left. Only whole backups have such a name, so the newest good one always stays.
 */
export function filesToDelete(names: readonly string[], keep: number): readonly string[] {
  const whole = names.filter((name) => FILE.test(name)).toSorted();
  const left = names.filter((name) => isUnfinished(name) && FILE.test(name.replace(/\.part-\d+$/, '')));
  return [...whole.slice(0, Math.max(0, whole.length - Math.max(1, keep))), ...left];
}
