import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isOfSystem } from './place-of.ts';

/**
 * Throws an error with the code ENOTFILE for a pipe, a socket or a device, from which a read may never return. Those
 * from a shell (`/dev/stdin`, `<(command)`) do end, and so does `/dev/null`. Directories cause an error of their own.
 */
function assertEnds(name: string, about: Stats): void {
  if (about.isFile() || about.isDirectory() || isOfSystem(name) || path.resolve(name) === '/dev/null') return;
  throw Object.assign(new Error(`${name} is not a file`), { code: 'ENOTFILE' });
}

/** The bytes of a file. Throws the system's error if it cannot be read, and ENOTFILE if it is not a file. */
export async function readWhole(name: string): Promise<Buffer> {
  assertEnds(name, await stat(name));
  return readFile(name);
}

/** The synchronous form of `readWhole`. */
export function readWholeSync(name: string): Buffer {
  assertEnds(name, statSync(name));
  return readFileSync(name);
}
