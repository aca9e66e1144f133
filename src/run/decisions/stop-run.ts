import { sql } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { RunContext } from '../state/context.ts';
import { notHeldError } from '../state/held.ts';
import { findRun } from '../state/records.ts';
import { recordAct, type ActRequest } from '../watch/acts.ts';

/**
 * Asks a run to end after the batches under way, whichever process is writing it. The next run plans again what it has
 * not written. Throws AppError if it is not being written.
 */
export async function stopRun(
  { database }: Pick<RunContext, 'database'>,
  run: string,
  { by, reason }: ActRequest,
): Promise<void> {
  await database.query().transaction(async (query) => {
    const { rows } = await sql<{ site: string; source: string }>`
      update calsync.runs set broken_off = true, stop_asked_by = ${by.name} where run = ${run} and state = 'writing'
      returning site, source`.execute(query);
    const [stopped] = rows;
    if (!stopped) throw notWritingError(run, await findRun(query, run));
    await recordAct(query, by, { kind: 'stop', ...stopped, run, reason });
  });
}

const notWritingError = (run: string, record: Awaited<ReturnType<typeof findRun>>): AppError =>
  record
    ? new AppError(
        'run-not-writing',
        record.state === 'reading'
          ? `The run ${run} is still being read: nothing of it is written yet, so there is nothing to stop.`
          : `The run ${run} is not being written any more: there is nothing to stop.`,
      )
    : notHeldError(run, undefined);
