import { existsSync } from 'node:fs';
import path from 'node:path';
import { countInWords } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { placeOf } from '../../files/place-of.ts';
import { noteBackup } from '../../backup/records.ts';
import { commandActor } from '../../run/watch/acts.ts';
import { makeBackup, type Made } from '../../backup/make-backup.ts';
import { makePhysicalBackup, type MadePhysical } from '../../backup/physical/make-physical.ts';
import { KEEP_TOO } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { dataFolder } from '../../db/embedded/home.ts';
import { withServer } from '../open/open-database.ts';
import { confirm, YES } from '../terminal/confirmed.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { VERSION } from '../terminal/version.ts';
import { whileWorking } from '../progress/working.ts';
import { bytesInWords } from '../../backup/words.ts';

/**
 * `backup FILE`: writes everything we keep into one file, as rows or, with `--physical`, as the files of the server.
 */
export const command = commandOf({
  group: 'Start and check',
  usage: 'backup <file>',
  description: 'write everything that is kept to a file, whether the daemon is running or not',
  options: [
    ['--physical', 'copy the files of the bundled PostgreSQL: faster, but only the same version can read them'],
    YES,
  ],
  worksWithout: 'noted',
  act: backup,
});

async function backup(call: Call<readonly [string]>): Promise<ExitCode> {
  const { io, config, options } = call;
  const isPhysical = options['physical'] === true;
  if (isPhysical) refuseOtherServer(config);
  const { kind, file } = await placeOf(path.resolve(call.args[0]));
  if (kind === 'folder') throw new AppError('backup-file', `${file} is a folder: name a file in it.`);
  // The backup would replace it.
  if (kind === 'other')
    throw new AppError('backup-file', `${file} is a pipe, a device or the like: a backup is written to a file only.`);
  if (!existsSync(path.dirname(file)))
    throw new AppError('backup-file', `There is no folder ${path.dirname(file)}. Make it first.`);
  if (kind === 'file') await confirm(call, `The file ${file} exists already, and the backup will replace it.`);
  const begun = io.now();
  const made = await withServer(config, io, async (database) => {
    const whole = await whileWorking(io, 'backing up', async ({ tell }): Promise<Whole> => {
      const making = {
        database,
        file,
        uploads: uploadsIn(config.dataDir),
        program: VERSION,
        now: begun,
        onProgress: tell,
      };
      return isPhysical
        ? { kind: 'physical', ...(await makePhysicalBackup({ ...making, data: dataFolder(config.dataDir) })) }
        : { kind: 'portable', ...(await makeBackup(making)) };
    });
    const rows = whole.kind === 'portable' ? whole.rows : null;
    await noteBackup(database, commandActor().name, begun, { file, bytes: whole.bytes, rows });
    return whole;
  });
  if (options.json) printJson(io, { ...made, keep_too: KEEP_TOO });
  else io.out(madeInWords(made));
  return EXIT.done;
}

type Whole = ({ readonly kind: 'portable' } & Made) | ({ readonly kind: 'physical' } & MadePhysical);

function refuseOtherServer({ databaseUrl }: Config): void {
  if (databaseUrl)
    throw new AppError(
      'backup-physical',
      'DATABASE_URL names a server of your own, and --physical copies the files of the bundled one. ' +
        'Leave --physical out, or use pg_basebackup or pgBackRest there.',
    );
}

function madeInWords(made: Whole): string {
  const { file, bytes, uploads } = made;
  const holds =
    made.kind === 'physical'
      ? `${countInWords(made.files, 'file')} of PostgreSQL ${made.server}`
      : `${countInWords(made.rows, 'row')} of ${countInWords(made.tables, 'table')}`;
  return `Wrote ${file}: ${bytesInWords(bytes)}, ${holds}, ${countInWords(uploads, 'uploaded file')}.
${made.kind === 'physical' ? PHYSICAL : PORTABLE}: only you can read it. Keep as well: ${KEEP_TOO.join('; ')}.
`;
}

const PORTABLE = 'It holds hashes of passwords and what feeds say';
const PHYSICAL =
  'It is for the same PostgreSQL and kind of machine, and holds earlier configurations with their passwords and who is signed in';
