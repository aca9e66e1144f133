import { open } from 'node:fs/promises';

/**
 * Files that were created or renamed in a folder survive a power failure only once the folder itself is on the disk.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  // Some systems cannot open or sync folders; there we can do no better.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
