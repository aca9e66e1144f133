import { setTimeout as sleep } from 'node:timers/promises';
import type { Report, Stage } from '../sync/plan.ts';
import { STAGES } from '../sync/to-batches.ts';
import { openBatches } from './batches.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { endRun } from './end-run.ts';
import { advanceStage } from './records.ts';
import { startRun, type Started } from './start-run.ts';
import { writeBatch } from './write-batch.ts';

const ATTEMPTS = 5;
const BACKOFF_MS = 1_000;

/** What a run tells of its way: for a progress line. */
export type OnProgress = (progress: { readonly stage: Stage; readonly done: number; readonly of: number }) => void;

/** One whole run of a source in this process: the same steps that the queue takes. Undefined when another process syncs the source right now. */
export async function syncSource(context: RunContext, setup: SourceSetup, cause: string, full: boolean, onProgress: OnProgress): Promise<Report | undefined> {
  return carryOn(context, setup, await startRun(context, setup, cause, full), onProgress);
}

/** How it waits before it tries a batch again. */
export type Pause = (ms: number) => Promise<unknown>;

/** Takes a run that has begun to its end. */
export async function carryOn(context: RunContext, setup: SourceSetup, started: Started, onProgress: OnProgress, pause: Pause = sleep): Promise<Report | undefined> {
  if (started.kind === 'busy') return undefined;
  if (started.kind === 'ended') return started.report;
  for (const [index, stage] of STAGES.entries()) {
    await writeStage(context, setup, started.run, stage, onProgress, pause);
    const next = STAGES[index + 1];
    if (next) await advanceStage(context.database.query(), started.run, stage, next);
  }
  return endRun(context, setup, started.run);
}

async function writeStage(context: RunContext, setup: SourceSetup, run: string, stage: Stage, onProgress: OnProgress, pause: Pause): Promise<void> {
  const numbers = await openBatches(context.database.query(), run, stage);
  for (const [index, number] of numbers.entries()) {
    await writeWithRetries(context, setup, run, stage, number, pause);
    onProgress({ stage, done: index + 1, of: numbers.length });
  }
}

async function writeWithRetries(context: RunContext, setup: SourceSetup, run: string, stage: Stage, number: number, pause: Pause): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { open, retryAfterMs } = await writeBatch(context, setup, run, stage, number);
    if (open === 0) return;
    if (attempt < ATTEMPTS - 1) await pause(retryAfterMs ?? BACKOFF_MS * 2 ** attempt);
  }
}
