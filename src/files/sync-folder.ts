import { open } from 'node:fs/promises';

/** Files that were made or renamed in a folder outlive a power cut only once the folder is on the disk, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  // Some systems cannot open or sync folders: there a name is as safe as it can be.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
