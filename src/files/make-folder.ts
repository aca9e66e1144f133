import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder with the mode `mode`, and its missing parents; an existing one stays as it is. Throws the system's
 * error. The `recursive` option of Node.js never returns if the system lets nobody make a folder there, as in /proc.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const above = path.dirname(folder);
  if (!existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (existsSync(folder) && statSync(folder).isDirectory()) return;
    // All its parents exist by now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`nobody can make a folder in ${above}`, { cause: error });
  }
}
