import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './home.ts';
import { runningServer, signalServer, stopServer } from './server.ts';
import { isInUse } from './users.ts';

/** Where a new data folder is prepared, to replace the current one by two renames. */
export interface Stage {
  /** A data directory next to the current data folder, so that its contents only need to be renamed. */
  readonly dataDir: string;
  /** The folder that replaces the current one. */
  readonly data: string;
  /** The marks of the process that is preparing it. */
  readonly owners: string;
  /** The name of the current folder after the first rename. */
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

/** Whether a living process is preparing another data folder. Call this under the lock of the place. */
export const isStaging = ({ owners }: Stage): boolean => fs.existsSync(owners) && isInUse(owners);

/**
 * Completes or undoes a replacement whose process has died: the old data folder is back unless the new one was already
 * in place, and nothing is left next to it. Call this under the lock of the place.
 */
export async function settleReplacement(place: Place): Promise<void> {
  const stage = stageOf(place);
  const { replaced } = stage;
  if (fs.existsSync(replaced) && !fs.existsSync(place.data)) fs.renameSync(replaced, place.data);
  if (fs.existsSync(replaced)) fs.rmSync(replaced, { recursive: true, force: true });
  if (fs.existsSync(stage.dataDir) && !isStaging(stage)) await clearStage(stage);
}

/** Removes a stage, and stops the server that a killed process has left there. */
export async function clearStage({ dataDir, data }: Stage): Promise<void> {
  const running = runningServer(data);
  if (running) {
    // Immediately: none of its data are kept.
    signalServer(running.pid, 'SIGQUIT');
    await stopServer(running);
  }
  fs.rmSync(dataDir, { recursive: true, force: true });
}
