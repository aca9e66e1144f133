import type { CheckedPhysical } from '../../backup/check-backup.ts';
import { PLATFORM } from '../../backup/physical/make-physical.ts';
import { restorePhysical } from '../../backup/physical/restore-physical.ts';
import type { Restored } from '../../backup/restore-backup.ts';
import type { Config } from '../../config/config.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { bundledVersion } from '../../db/embedded/binaries.ts';
import { hasDatabase } from '../../db/embedded/home.ts';
import { refuseEmbeddedInUse } from '../../db/embedded/replace.ts';
import { majorOf } from '../../db/embedded/server.ts';
import { AppError } from '../../error.ts';
import { whileWorking } from '../progress/working.ts';
import { confirm } from '../terminal/confirmed.ts';
import type { Call } from '../terminal/command.ts';

/**
 * Replaces the server's files in the data directory by those of a checked backup. `replacing` says what will be lost.
 */
export async function restorePhysicalFile(
  call: Omit<Call, 'args'>,
  file: string,
  checked: CheckedPhysical,
  replacing: string,
): Promise<Restored> {
  const { io, config } = call;
  refuseOtherKind(config, file, checked);
  await refuseEmbeddedInUse(config.dataDir);
  if (hasDatabase(config.dataDir)) await confirm(call, replacing);
  return whileWorking(io, 'restoring', ({ tell }) =>
    restorePhysical({
      dataDir: config.dataDir,
      file,
      checked,
      uploads: uploadsIn(config.dataDir),
      onProgress: tell,
    }),
  );
}

/** Only the same kind of server can read a server's files. Throws AppError. */
function refuseOtherKind({ databaseUrl }: Config, file: string, { manifest }: CheckedPhysical): void {
  const made = `The backup ${file} is a physical one: the files of an embedded PostgreSQL ${manifest.server} for ${manifest.platform}`;
  if (databaseUrl)
    throw new AppError(
      'backup-physical',
      `${made}. DATABASE_URL names another server, which takes a portable backup only: make one where this one was made, ` +
        'without --physical, or restore this one without DATABASE_URL. Nothing was changed.',
    );
  const version = bundledVersion();
  if (majorOf(manifest.server) === majorOf(version) && manifest.platform === PLATFORM) return;
  throw new AppError(
    'backup-physical',
    `${made}. This calsyncd has PostgreSQL ${majorOf(version)} for ${PLATFORM}, which cannot read them. ` +
      'Make a portable backup where this one was made or can be restored (calsyncd backup without --physical), and restore that. Nothing was changed.',
  );
}
