import { sql, type Kysely, type RawBuilder } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Outcome, Stage } from '../../sync/model/plan.ts';
import { STAGES } from '../../sync/model/to-batches.ts';
import type { Batch } from './records.ts';

type Query = Kysely<unknown>;

const BATCH = sql.raw('run, stage, number, items, outcomes, attempts');

export async function loadBatch(query: Query, run: string, stage: Stage, number: number): Promise<Batch | undefined> {
  const { rows } =
    await sql<Batch>`select ${BATCH} from calsync.batches where run = ${run} and stage = ${stage} and number = ${number}`.execute(
      query,
    );
  return rows[0];
}

/**
 * Counts an attempt before anything is sent, so that a process that takes over knows that answers may have been lost.
 * Returns the attempt's number.
 */
export async function beginAttempt(query: Query, { run, stage, number }: Batch): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`update calsync.batches set attempts = attempts + 1
    where run = ${run} and stage = ${stage} and number = ${number} returning attempts`.execute(query);
  return rows[0]?.attempts ?? 0;
}

/**
 * Drops the events that were read when the run was planned: a process that takes the run over reads them again before
 * writing.
 */
export async function forgetShown(query: Query, run: string): Promise<void> {
  await sql`update calsync.batches set items = (select jsonb_agg(item - 'shown' order by place) from jsonb_array_elements(items) with ordinality as items(item, place))
    where run = ${run} and jsonb_array_length(items) > 0`.execute(query);
}

/**
 * Stores the outcomes of an attempt, if it is still the latest of its batch, that is, nobody else began one while this
 * process was silent. Within a transaction it stays the latest.
 */
export async function saveAttempt(
  query: Query,
  batch: Batch,
  attempt: number,
  outcomes: readonly (Outcome | null)[],
): Promise<boolean> {
  const { rows } = await sql`${withOutcomes(batch, outcomes)} and attempts = ${attempt} returning 1`.execute(query);
  return rows.length > 0;
}

const withOutcomes = (
  { run, stage, number }: Batch,
  outcomes: readonly (Outcome | null)[],
): RawBuilder<unknown> => sql`update calsync.batches set outcomes = ${jsonb(outcomes)}
  where run = ${run} and stage = ${stage} and number = ${number}`;

/** Records the outcomes, by slug, of a run's writes whose answers had been lost. */
export async function noteDone(query: Query, run: string, done: ReadonlyMap<string, Outcome>): Promise<void> {
  for (const batch of await loadBatches(query, run)) {
    const outcomes = batch.outcomes.map((outcome, index) =>
      outcome?.kind === 'done' ? outcome : (done.get(batch.items[index]?.change?.entry.slug ?? '') ?? outcome),
    );
    if (outcomes.some((outcome, index) => outcome !== batch.outcomes[index]))
      await withOutcomes(batch, outcomes).execute(query);
  }
}

// An answer that does not match what was sent ends the whole run, in all processes.
const isBrokenOffRun = (run: string): RawBuilder<boolean> =>
  sql`exists (select 1 from calsync.batches as written where written.run = ${run} and written.outcomes @? '$[*].differs')`;

/** Whether a run was broken off because an answer did not match what was sent: it writes nothing more. */
export async function isBrokenOff(query: Query, run: string): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`select ${isBrokenOffRun(run)} as stopped`.execute(query);
  return rows[0]?.stopped === true;
}

/** The numbers of a stage's batches with items that have no final outcome. None if the run was broken off. */
export async function openBatches(query: Query, run: string, stage: Stage): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from calsync.batches where run = ${run} and stage = ${stage}
      and exists (select 1 from jsonb_array_elements(outcomes) as outcome where outcome = 'null'::jsonb or outcome->>'kind' = 'failed')
      and not ${isBrokenOffRun(run)}
    order by number`.execute(query);
  return rows.map(({ number }) => number);
}

/** The number of items in a batch, and how many of them have an outcome. */
export interface BatchSize {
  readonly stage: Stage;
  readonly number: number;
  readonly items: number;
  readonly settled: number;
}

/** The sizes of all batches of a run. */
export async function batchSizes(query: Query, run: string): Promise<readonly BatchSize[]> {
  const { rows } = await sql<BatchSize>`
    select stage, number, jsonb_array_length(items) as items,
      (select count(*)::int from jsonb_array_elements(outcomes) as outcome where outcome <> 'null'::jsonb and outcome->>'kind' <> 'failed') as settled
    from calsync.batches where run = ${run}`.execute(query);
  return rows;
}

/** All batches of a run in the order of their stages and numbers. */
export async function loadBatches(query: Query, run: string): Promise<readonly Batch[]> {
  const { rows } = await sql<Batch>`select ${BATCH} from calsync.batches where run = ${run}
    order by array_position(${[...STAGES]}::text[], stage), number`.execute(query);
  return rows;
}
