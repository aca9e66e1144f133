import { accessSync, constants, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { processIdentity } from '../../src/db/embedded/process.ts';
import { runningServer, stopServer } from '../../src/db/embedded/server.ts';

const IN_MEMORY = '/dev/shm';
/** A run takes about a tenth of it. */
const ROOM_BYTES = 3_000_000_000;

// A database is hundreds of files, which a disk takes ten times as long to copy and to remove as memory does.
const folder = hasRoom() ? IN_MEMORY : os.tmpdir();

/**
 * The path of a database or home of tests, in memory where there is room. It names this process, so that what is left
 * of a killed run is known by its name; give it to `mkdtemp` where a process has several.
 */
export const scratchPath = (kind: string): string => path.join(folder, `calsyncd-${kind}-${process.pid}-`);

/** Removes what this user's killed runs have left, and ends the database servers in it. */
export async function removeLeftOvers(): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^calsyncd-[a-z\d]+-(\d+)-\w*$/.exec(name) ?? [];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    const left = path.join(folder, name);
    if (lstatSync(left).uid !== os.userInfo().uid) continue;
    for (const dataDir of [left, path.join(left, 'data')]) {
      const running = runningServer(path.join(dataDir, 'postgres', 'data'));
      if (running) await stopServer(running);
    }
    await rm(left, { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Other systems have no such folder.
    return false;
  }
}
