import { isUnfinished } from './archive.ts';
import type { BackupState } from './records.ts';

/** After a failure, the next attempt comes after this time or when the next backup is due. */
const AGAIN_MS = 900_000;

/**
 * When the next backup is due, in epoch milliseconds; undefined without a schedule. `nextOf` gives the schedule's first
 * time after another. A backup is due immediately if there is none yet, or if the last one is dated ahead because a
 * clock was wrong.
 */
export function nextBackup(
  { last }: Pick<BackupState, 'last'>,
  nextOf: ((after: number) => number | undefined) | undefined,
  now: number,
): number | undefined {
  if (!nextOf) return undefined;
  const [begun, ended] = [last?.startedAt?.getTime(), last?.endedAt?.getTime()];
  const next = nextOf(begun === undefined || isAhead(begun, now) ? 0 : begun);
  return last && last.problem !== null && ended !== undefined ? Math.min(next ?? Infinity, ended + AGAIN_MS) : next;
}

/** The clocks of processes and machines differ by less than this; anything further ahead comes from a wrong clock. */
const AHEAD_MS = 300_000;
const isAhead = (at: number, now: number): boolean => at > now + AHEAD_MS;

/** The file name of a backup made at a given time. */
export const fileNameAt = (now: number): string =>
  `calsyncd-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst`;

const FILE = /^calsyncd-\d{8}T\d{6}Z\.tar\.zst$/;

/**
 * The files to delete from the folder: of scheduled backups all but the latest `keep`, and what dead processes have
 * left. Only complete backups have such a name, so the newest good one always stays. Backups dated ahead of `now` by a
 * wrong clock are deleted first; their true time is unknown, but in the past.
 */
export function filesToDelete(names: readonly string[], keep: number, now: number): readonly string[] {
  const lastName = fileNameAt(now + AHEAD_MS);
  const inOrder = names.filter((name) => FILE.test(name)).toSorted();
  const whole = [...inOrder.filter((name) => name > lastName), ...inOrder.filter((name) => name <= lastName)];
  const left = names.filter((name) => isUnfinished(name) && FILE.test(name.replace(/\.part-\d+$/, '')));
  return [...whole.slice(0, Math.max(0, whole.length - Math.max(1, keep))), ...left];
}
