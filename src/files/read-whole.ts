import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isOfSystem } from './place-of.ts';

/**
 * Throws an error of the code ENOTFILE for a pipe, a socket or a device, which a read may wait for without end. Those
 * that a shell hands over (`/dev/stdin`, `<(command)`) end, and `/dev/null` does. A directory has an error of its own.
 */
function assertEnds(name: string, about: Stats): void {
  if (about.isFile() || about.isDirectory() || isOfSystem(name) || path.resolve(name) === '/dev/null') return;
  throw Object.assign(new Error(`${name} is not a file`), { code: 'ENOTFILE' });
}

/** The bytes of a file. Throws the system's error where it cannot be read, and ENOTFILE for what is not a file. */
export async function readWhole(name: string): Promise<Buffer> {
  assertEnds(name, await stat(name));
  return readFile(name);
}

/** As `readWhole`, for what cannot wait. */
export function readWholeSync(name: string): Buffer {
  assertEnds(name, statSync(name));
  return readFileSync(name);
}
