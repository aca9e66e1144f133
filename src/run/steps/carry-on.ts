import { setTimeout as sleep } from 'node:timers/promises';
import type { Report, Stage } from '../../sync/model/plan.ts';
import { FIRST_STAGE, STAGES } from '../../sync/model/to-batches.ts';
import { nextAfter } from '../write/attempts.ts';
import { loadTallies, openBatches, type BatchTally } from '../state/batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { endRun, reportSoFar } from './end-run.ts';
import { abandonLease } from '../state/lease.ts';
import type { OnProgress, Share } from '../state/progress.ts';
import { advanceStage } from '../state/records.ts';
import type { StartOutcome } from './keep-plan.ts';
import { stoppedProblem } from './stopped.ts';
import { batchesAtOnce, groupsAtOnce, writeBatches } from '../write/write-batch.ts';

/** Waits before a batch is retried; ends early once `signal` is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

const pauseFor: Pause = (ms, signal) =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

/**
 * Carries a run that has begun to its end, with as many batches at a time as the site allows. If the program is asked
 * to stop, only the batches under way are finished; the report says how far the run got, and the next sync of the
 * source continues it.
 */
export async function carryOn(
  context: RunContext,
  setup: SourceSetup,
  started: StartOutcome,
  onProgress: OnProgress,
  pause: Pause = pauseFor,
): Promise<Report | undefined> {
  if (started.kind === 'busy') return undefined;
  if (started.kind === 'ended') return started.report;
  const { run } = started;
  const query = context.database.query();
  const writing: Writing = { context, setup, run, onProgress, pause, count: makeCount(await loadTallies(query, run)) };
  const stages = STAGES.slice(STAGES.indexOf(FIRST_STAGE));
  for (const [index, stage] of stages.entries()) {
    if (!(await writeStage(writing, stage))) return stopShort(context, setup, run);
    const next = stages[index + 1];
    if (next) await advanceStage(query, run, stage, next);
  }
  return endRun(context, setup, run);
}

interface Writing {
  readonly context: RunContext;
  readonly setup: SourceSetup;
  readonly run: string;
  readonly onProgress: OnProgress;
  readonly pause: Pause;
  readonly count: Count;
}

/** Writes the open batches of a stage; false if it was stopped before the end. */
async function writeStage(writing: Writing, stage: Stage): Promise<boolean> {
  const { context, setup, run, onProgress, count } = writing;
  const open = await openBatches(context.database.query(), run, stage);
  if (open.length > 0) onProgress({ kind: 'writing', stage, ...count.shares() });
  const waiting = [...Map.groupBy(open, (batch) => batch.stage)].flatMap(([own, batches]) =>
    groupsAtOnce(
      batches.map(({ number }) => number),
      batchesAtOnce(setup.site),
    ).map((numbers) => ({ stage: own, numbers })),
  );
  let isStopped = false;
  const writeInTurn = async (): Promise<void> => {
    for (let go = waiting.shift(); go && !isStopped; go = waiting.shift()) {
      const settled = await writeToTheirEnd(writing, go.stage, go.numbers).catch((error: unknown) => {
        // The other writers only finish the batches that they are writing.
        isStopped = true;
        throw error;
      });
      if (settled === 'stopped') isStopped = true;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: setup.site.requestsInFlight }, writeInTurn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return !isStopped;
}

/** Tries batches until they are finished or given up, or the program is asked to stop. */
async function writeToTheirEnd(
  writing: Writing,
  stage: Stage,
  numbers: readonly number[],
): Promise<'settled' | 'stopped'> {
  const { context, setup, run, onProgress, count } = writing;
  const { pace, stopping } = context;
  let attempts = 0;
  let open = numbers;
  while (open.length > 0) {
    await waitForRest(writing);
    if (stopping.aborted) return 'stopped';
    const own = open;
    const progress = await pace.inTurn(setup.site, async () => {
      // While these batches waited for their turn, the site may have asked others to wait.
      if (stopping.aborted || pace.restOf(setup.site)) return undefined;
      return writeBatches(context, setup, { run, stage, numbers: own });
    });
    if (!progress) continue;
    attempts += 1;
    const nexts = [...progress].map(([number, each]) => ({ number, next: nextAfter(each, attempts) }));
    for (const { number, next } of nexts)
      if (next.kind !== 'again') onProgress({ kind: 'writing', stage, ...count.settle(stage, number) });
    const again = nexts.flatMap(({ number, next }) => (next.kind === 'again' ? [{ number, ...next }] : []));
    open = again.map(({ number }) => number);
    // They were sent together, so all of them wait for the same reason.
    const [first] = again;
    if (first?.ofSite) pace.giveRest(setup.site, first.afterMs, first.because);
    else if (first) await wait(writing, first.afterMs, first.because);
  }
  return 'settled';
}

/** Leaves the site alone for as long as it has asked. */
async function waitForRest(writing: Writing): Promise<void> {
  const {
    context: { pace, stopping },
    setup: { site },
  } = writing;
  for (let rest = pace.restOf(site); rest && !stopping.aborted; rest = pace.restOf(site)) {
    await wait(writing, rest.until - Date.now(), rest.because);
    if (!stopping.aborted) pace.endRest(site, rest);
  }
}

async function wait({ context: { stopping }, onProgress, pause }: Writing, ms: number, because: string): Promise<void> {
  onProgress({ kind: 'waiting', ms, because });
  await pause(ms, stopping);
}

/** Leaves the run to the next sync, or to a daemon that looks for abandoned runs, which continues it right away. */
async function stopShort(context: RunContext, setup: SourceSetup, run: string): Promise<Report> {
  const report = await reportSoFar(context, setup.name, run);
  await abandonLease(context.database, run);
  const source = context.sources.get(setup.name)?.name;
  return { ...report, problems: [stoppedProblem(source, report), ...report.problems] };
}

/** How much of a run is finished; batches that were given up count as well. */
interface Count {
  readonly shares: () => { readonly events: Share; readonly others: Share };
  readonly settle: (stage: Stage, number: number) => ReturnType<Count['shares']>;
}

function makeCount(batches: readonly BatchTally[]): Count {
  const open = new Map(batches.map(({ stage, number, tally }) => [`${stage}/${number}`, tally.open]));
  const share = (own: readonly BatchTally[]): { done: number; of: number } => ({
    done: sum(own.map(({ tally }) => tally.writes - tally.open)),
    of: sum(own.map(({ tally }) => tally.writes)),
  });
  const events = share(batches.filter(({ stage }) => isOfEvents(stage)));
  const others = share(batches.filter(({ stage }) => !isOfEvents(stage)));
  const shares = (): ReturnType<Count['shares']> => ({ events: { ...events }, others: { ...others } });
  return {
    shares,
    settle: (stage, number) => {
      const key = `${stage}/${number}`;
      (isOfEvents(stage) ? events : others).done += open.get(key) ?? 0;
      open.delete(key);
      return shares();
    },
  };
}

const isOfEvents = (stage: Stage): boolean => stage === 'events' || stage === 'removals';
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
