import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it that are missing, with the rights `mode`; one that is there stays as it is. Throws
 * what the system says. Node.js has `recursive` for this, which never ends where the system lets nobody make a folder,
 * as in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const above = path.dirname(folder);
  if (!existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (existsSync(folder) && statSync(folder).isDirectory()) return;
    // All that is above it is there by now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`nobody can make a folder in ${above}`, { cause: error });
  }
}
