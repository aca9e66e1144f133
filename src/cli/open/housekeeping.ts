import type { Logger } from '../../log.ts';
import { cleanDeliveries } from '../../run/deliveries/deliveries.ts';
import { cleanRuns } from '../../run/state/clean-runs.ts';
import { emptyTrash, publishDue } from '../../site/store/housekeeping.ts';
import { DAY_MS } from '../../time.ts';
import type { App } from './open-context.ts';

const EVERY_MS = 30_000;
const RUNS_EVERY_MS = 3_600_000;
/**
 * How long the log of sent messages is kept. What receivers know about lasting matters is kept for as long as these
 * last.
 */
const LOG_KEPT_MS = 90 * DAY_MS;

/**
 * Does what becomes due over time: publishes scheduled posts on the built-in site, empties its trash, deletes old runs.
 * Returns a function that stops it.
 */
export function runHousekeeping({ sites, state, context: { now, log } }: App): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let runsAt = Number.NEGATIVE_INFINITY;
  const tidy = async (): Promise<void> => {
    const site = { db: state.patient.query(), settings: sites.builtin.settings, now: now() };
    const [published, emptied] = [await publishDue(site), await emptyTrash(site)];
    if (published + emptied > 0) log.info({ published, emptied }, 'housekeeping on the built-in site is done');
    if (now() - runsAt < RUNS_EVERY_MS) return;
    runsAt = now();
    const { months, runs } = await cleanRuns(state.patient.query(), runsAt);
    await cleanDeliveries(state.patient.query(), new Date(runsAt - LOG_KEPT_MS));
    if (months.length + runs > 0) log.info({ months, runs }, 'old runs were deleted');
  };
  const start = (): void => {
    running = tidy().catch((error: unknown) => report(log, error));
  };
  const timer = setInterval(start, EVERY_MS);
  start();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const report = (log: Logger, error: unknown): void => log.error({ error }, 'housekeeping failed; trying again later');
