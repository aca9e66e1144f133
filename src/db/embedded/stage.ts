import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './home.ts';
import { runningServer, signalServer, stopServer } from './server.ts';
import { isInUse } from './users.ts';

/** Where another data folder is made ready, to take the place of the present one by two renames. */
export interface Stage {
  /** A data directory of its own, beside the present data folder, so that what is in it only needs another name. */
  readonly dataDir: string;
  /** The folder that takes the place. */
  readonly data: string;
  /** The marks of the process that is at it. */
  readonly owners: string;
  /** What the present one is called from the first rename on. */
  readonly replaced: string;
}

export function stageOf(place: Place): Stage {
  const dataDir = path.join(place.root, 'restoring');
  return {
    dataDir,
    data: path.join(dataDir, 'postgres', 'data'),
    owners: path.join(dataDir, 'owners'),
    replaced: `${place.data}.replaced`,
  };
}

/** Whether a living process is making another data folder ready. Call it under the lock of the place. */
export const isStaging = ({ owners }: Stage): boolean => fs.existsSync(owners) && isInUse(owners);

/**
 * Ends what a process that has died was replacing: the old data folder is back unless the new one was in its place
 * already, and nothing is left beside it. Call it under the lock of the place.
 */
export async function settleReplacement(place: Place): Promise<void> {
  const stage = stageOf(place);
  const { replaced } = stage;
  if (fs.existsSync(replaced) && !fs.existsSync(place.data)) fs.renameSync(replaced, place.data);
  if (fs.existsSync(replaced)) fs.rmSync(replaced, { recursive: true, force: true });
  if (fs.existsSync(stage.dataDir) && !isStaging(stage)) await clearStage(stage);
}

/** Removes a stage, and ends the server that a process which was killed has left there. */
export async function clearStage({ dataDir, data }: Stage): Promise<void> {
  const running = runningServer(data);
  if (running) {
    // At once: nothing of it is kept.
    signalServer(running.pid, 'SIGQUIT');
    await stopServer(running);
  }
  fs.rmSync(dataDir, { recursive: true, force: true });
}
