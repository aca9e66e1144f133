import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { checkBackup, type Checked, type CheckedPortable } from '../../backup/check-backup.ts';
import { holdsAnything, restoreBackup, type Restored } from '../../backup/restore-backup.ts';
import { bytesInWords } from '../../backup/words.ts';
import type { Config } from '../../config/config.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { countInWords } from '../../count-in-words.ts';
import { MIGRATIONS } from '../../db/migrate.ts';
import { describeAddress } from '../../db/wait.ts';
import { AppError } from '../../error.ts';
import { isAnybodyThere } from '../../run/state/process.ts';
import { timeIn } from '../../time-in-words.ts';
import { confirm } from '../terminal/confirmed.ts';
import type { Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { whileWorking } from '../progress/working.ts';
import { withServer } from '../open/open-database.ts';
import { restorePhysicalFile } from './restore-physical-file.ts';

/** Restores a backup into the configured database, after reading it from beginning to end. */
export async function restoreFile(call: Omit<Call, 'args'>, named: string): Promise<ExitCode> {
  const { io, config, options } = call;
  const file = path.resolve(named);
  const names = MIGRATIONS.map(({ name }) => name);
  const checked = await whileWorking(io, 'checking the backup', ({ tell }) => checkBackup(file, names, tell));
  await refuseWithoutSpace(config, checked);
  const madeAt = timeIn(config.builtin.timezone)(new Date(checked.manifest.madeAt));
  if (checked.goesOn)
    io.err(
      `Note: ${file} continues after the end of the backup that was made at ${madeAt}; what follows is not read. ` +
        'Two files may have been joined.\n',
    );
  const replacing = `Everything that calsyncd keeps in ${whereIn(config)} will be replaced by what it kept at ${madeAt}.`;
  const { migrated } =
    checked.kind === 'physical'
      ? await restorePhysicalFile(call, file, checked, replacing)
      : await restorePortableFile(call, file, checked, replacing);
  const { kind, manifest, counts } = checked;
  if (options.json)
    printJson(io, {
      kind,
      file,
      made_at: manifest.madeAt,
      program: manifest.program,
      ...counts,
      goes_on: checked.goesOn,
      migrated,
      keep_too: manifest.keepToo,
    });
  else io.out(restoredText(file, checked, madeAt, migrated.length));
  return EXIT.done;
}

const restorePortableFile = async (
  call: Omit<Call, 'args'>,
  file: string,
  checked: CheckedPortable,
  replacing: string,
): Promise<Restored> =>
  withServer(call.config, call.io, async (database) => {
    const replaces = await holdsAnything(database.query(), isAnybodyThere);
    if (replaces) await confirm(call, replacing);
    return whileWorking(call.io, 'restoring', ({ tell }) =>
      restoreBackup({
        database,
        file,
        checked,
        uploads: uploadsIn(call.config.dataDir),
        replaces,
        isInUse: isAnybodyThere,
        onProgress: tell,
      }),
    );
  });

function restoredText(file: string, checked: Checked, madeAt: string, steps: number): string {
  const { manifest, counts } = checked;
  const restored = [
    checked.kind === 'physical'
      ? `${countInWords(checked.counts.files, 'file')} of PostgreSQL ${manifest.server}`
      : `${countInWords(checked.counts.rows, 'row')} of ${countInWords(checked.counts.tables, 'table')}`,
    countInWords(counts.uploads, 'uploaded file'),
    ...(steps > 0 ? [`brought up to date in ${countInWords(steps, 'step')}`] : []),
  ];
  return (
    `Restored ${file}, made at ${madeAt} by calsyncd ${manifest.program}: ${restored.join(', ')}.\n` +
    'Everybody has to sign in again. The next start makes the schedules from the configuration.\n'
  );
}

const whereIn = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl ? `the database ${describeAddress({ url: databaseUrl.reveal() })}` : `the database in ${dataDir}`;

/**
 * The space needed, as a multiple of the unpacked size. Rows become tables, indexes and the server's write-ahead log; a
 * physical backup's files are laid out beside the existing ones.
 */
const SPACE = { portable: 3, physical: 1.2 };

/** The folder, or its nearest ancestor that exists. */
const existing = (folder: string): string =>
  existsSync(folder) || path.dirname(folder) === folder ? folder : existing(path.dirname(folder));

/** The server of DATABASE_URL may be anywhere, and reports itself when it is full. */
async function refuseWithoutSpace({ databaseUrl, dataDir }: Config, { kind, bytes }: Checked): Promise<void> {
  if (databaseUrl) return;
  const { bavail, bsize } = await statfs(existing(path.resolve(dataDir)));
  const needed = bytes * SPACE[kind];
  if (bavail * bsize < needed)
    throw new AppError(
      'backup-no-space',
      `There is not enough space in ${dataDir}: about ${bytesInWords(needed)} is needed, ` +
        `${bytesInWords(bavail * bsize)} is free. Nothing was changed.`,
    );
}
