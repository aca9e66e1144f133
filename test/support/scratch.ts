import { accessSync, constants, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { processIdentity } from '../../src/db/embedded/process.ts';
import { runningServer, stopServer } from '../../src/db/embedded/server.ts';

const IN_MEMORY = '/dev/shm';
/** A test run needs about a tenth of it. */
const ROOM_BYTES = 3_000_000_000;

// A database consists of hundreds of files, and copying or removing them on disk takes ten times as long as in memory.
const folder = hasRoom() ? IN_MEMORY : os.tmpdir();

/**
 * The path prefix for a test's database or home, in memory if there is enough space. It contains the process id, so
 * that leftovers of a killed run can be recognised. A process that needs several passes it to `mkdtemp`.
 */
export const scratchPath = (kind: string): string => path.join(folder, `calsyncd-${kind}-${process.pid}-`);

/** Stops the database servers that this user's killed test runs have left running, and removes their files. */
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
    // Other systems do not have this folder.
    return false;
  }
}
