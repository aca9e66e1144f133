import { existsSync } from 'node:fs';
import path from 'node:path';
import { countInWords } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { noteBackup } from '../../backup/records.ts';
import { commandActor } from '../../run/watch/acts.ts';
import { makeBackup, type Made } from '../../backup/make-backup.ts';
import { KEEP_TOO } from '../../backup/manifest.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { withServer } from '../open/open-database.ts';
import { confirm, YES } from '../terminal/confirmed.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { VERSION } from '../terminal/version.ts';
import { whileWorking } from '../progress/working.ts';
import { bytesInWords } from '../../backup/words.ts';

/** `backup FILE`: everything the program keeps, in one file. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'backup <file>',
  description: 'write all that is kept into a file, while the daemon runs or not',
  options: [YES],
  act: backup,
});

async function backup(call: Call<readonly [string]>): Promise<ExitCode> {
  const { io, config, options } = call;
  const file = path.resolve(call.args[0]);
  if (!existsSync(path.dirname(file)))
    throw new AppError('backup-file', `There is no folder ${path.dirname(file)}. Make it first.`);
  if (existsSync(file)) await confirm(call, `There is a file ${file} already, and the backup replaces it.`);
  const begun = io.now();
  const made = await withServer(config, io, async (database) => {
    const whole = await whileWorking(io, 'backing up', ({ tell }) =>
      makeBackup({
        database,
        file,
        uploads: uploadsIn(config.dataDir),
        program: VERSION,
        now: begun,
        onProgress: tell,
      }),
    );
    await noteBackup(database, commandActor().name, begun, whole);
    return whole;
  });
  if (options.json) printJson(io, { ...made, keep_too: KEEP_TOO });
  else io.out(madeInWords(made));
  return EXIT.done;
}

const madeInWords = ({ file, bytes, tables, rows, uploads }: Made): string =>
  `Wrote ${file}: ${bytesInWords(bytes)}, ${countInWords(rows, 'row')} of ${countInWords(tables, 'table')}, ${countInWords(uploads, 'uploaded file')}.
It holds hashes of passwords and what feeds say: only you may read it. Keep too: ${KEEP_TOO.join('; ')}.
`;
