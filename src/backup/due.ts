import { isUnfinished } from './archive.ts';
import type { BackupState } from './records.ts';

/** After a failure it is tried again after so long, or when the next one is due. */
const AGAIN_MS = 900_000;

/**
 * When the next backup is due, in epoch milliseconds; undefined if there is no schedule. `nextOf` gives the first time
 * of the schedule after another. The first backup is due at once, and so is the next one after a clock that was ahead
 * has been set back.
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

/** Clocks of processes and machines differ by less than this; what is further ahead comes from a clock that was wrong. */
const AHEAD_MS = 300_000;
const isAhead = (at: number, now: number): boolean => at > now + AHEAD_MS;

/** The name of a backup that is made at a moment. */
export const fileNameAt = (now: number): string =>
  `calsyncd-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst`;

const FILE = /^calsyncd-\d{8}T\d{6}Z\.tar\.zst$/;

/**
 * Which files of the folder go: of the backups that were made on a schedule, all but the latest `keep`, and what
 * processes that have died left. Only whole backups have such a name, so the newest good one always stays. Those that a
 * clock ahead of `now` has dated go first: nobody knows when they were made, but it was before.
 */
export function filesToDelete(names: readonly string[], keep: number, now: number): readonly string[] {
  const lastName = fileNameAt(now + AHEAD_MS);
  const inOrder = names.filter((name) => FILE.test(name)).toSorted();
  const whole = [...inOrder.filter((name) => name > lastName), ...inOrder.filter((name) => name <= lastName)];
  const left = names.filter((name) => isUnfinished(name) && FILE.test(name.replace(/\.part-\d+$/, '')));
  return [...whole.slice(0, Math.max(0, whole.length - Math.max(1, keep))), ...left];
}
