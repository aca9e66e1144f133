import { checkBackup, type CheckedPortable } from '../../src/backup/check-backup.ts';

/** Checks a portable backup. Throws if the file is not an intact one. */
export async function checkedPortable(
  file: string,
  migrations: readonly string[],
  onProgress?: Parameters<typeof checkBackup>[2],
): Promise<CheckedPortable> {
  const checked = await checkBackup(file, migrations, onProgress);
  if (checked.kind !== 'portable') throw new Error(`${file} is a physical backup`);
  return checked;
}
