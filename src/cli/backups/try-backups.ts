import { backupState, type BackupRecord, type BackupState } from '../../backup/records.ts';
import { bytesInWords } from '../../backup/words.ts';
import { nextBackup } from '../../backup/due.ts';
import type { Problem } from '../../problem.ts';
import { timesAtSites, type TimeAtSite } from '../../run/state/site-zones.ts';
import type { App } from '../open/open-context.ts';
import { backupFolder, timesOf } from './scheduled-backups.ts';

/** The state of backups: the last good one, the next one, and why they fail. */
export async function tryBackups({ state, inForce, context: { now } }: App): Promise<{
  readonly found: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}> {
  const config = inForce.config();
  const query = state.database.query();
  const known = await backupState(query);
  const timeAt = await timesAtSites(query, config.builtin.timezone);
  const next = nextBackup(known, timesOf(config.backup), now());
  const { last, failingSince } = known;
  const planned = next === undefined ? 'none is planned' : `the next one is due ${timeAt('builtin', new Date(next))}`;
  return {
    found: `${madeInWords(known, timeAt)}, ${planned}, in ${backupFolder(config)}`,
    facts: factsOf(known, next, backupFolder(config)),
    problems: failingSince
      ? [
          {
            code: 'backup-failed',
            where: { field: 'backup' },
            message: `Backups have failed since ${timeAt('builtin', failingSince)}: ${last?.problem ?? ''}`,
          },
        ]
      : [],
  };
}

const factsOf = (
  { lastGood, byHand, failingSince }: BackupState,
  next: number | undefined,
  folder: string,
): Readonly<Record<string, unknown>> => ({
  ok: failingSince === null,
  last_good: lastGood?.startedAt ?? null,
  file: lastGood?.file ?? null,
  by_hand: byHand ? { made: byHand.startedAt, file: byHand.file } : null,
  next: next === undefined ? null : new Date(next),
  folder,
});

/** The last good scheduled backup, and the last one made by hand. */
function madeInWords({ lastGood, byHand }: BackupState, timeAt: TimeAtSite): string {
  const madeOf = ({ startedAt, bytes, file }: BackupRecord): string =>
    `${startedAt === null ? 'an unknown time' : timeAt('builtin', startedAt)} (${bytesInWords(bytes ?? 0)}, ${file})`;
  const kept = lastGood ? `the last good one is from ${madeOf(lastGood)}` : undefined;
  if (!byHand) return kept ?? 'none has been made of this database yet';
  return `${kept ?? 'no scheduled one has been made yet'}, the last one made by hand is from ${madeOf(byHand)}`;
}
