import { coalesced } from '../../coalesced.ts';
import type { Event } from '../../contract/representation.ts';
import { PREPARED, sql, type Database, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb, jsonText, storable } from '../../db/jsonb.ts';
import { packed, unpacked } from '../../db/packed.ts';
import { pauses } from '../../pauses.ts';
import { sumOfTallies, tallyOf, type Tally } from '../../sync/plan/report.ts';
import type { Action, LedgerChange, Outcome, Refs, Stage } from '../../sync/model/plan.ts';
import { STAGES, WRITTEN_IN } from '../../sync/model/to-batches.ts';

type Query = Queryable;

/** An action of a batch, with the ledger change to make once it has succeeded. */
export interface Item {
  readonly action: Action;
  readonly change: LedgerChange | null;
  /**
   * The event as the site showed it during planning; `at` is in epoch milliseconds. Only the process that planned it
   * has this; others read the event again before writing.
   */
  readonly shown?: {
    readonly event: Event;
    readonly at: number;
  };
}

/** Identifies a batch. */
export interface BatchName {
  readonly run: string;
  readonly stage: Stage;
  readonly number: number;
}

export interface Batch extends BatchName {
  readonly items: readonly Item[];
  /** One for each item; null while unknown. */
  readonly outcomes: readonly (Outcome | null)[];
  readonly attempts: number;
}

/** A batch to be stored. */
export interface PlannedBatch extends Pick<Batch, 'stage' | 'number' | 'items'> {
  readonly attempts?: number;
}

/** A stored batch, with whether the table has its items exactly as given here, and their approximate length. */
export interface StoredBatch extends PlannedBatch {
  readonly isExact: boolean;
  readonly characters: number;
}

// The end of a run's name: "-20270115T120000-0a1b2c".
const ENDING = /-(\d{6})\d\dT\d{6}-[0-9a-f]{6}$/;

/** The month under which a run's batches are stored, as in its name (202701); 0 if the name has none. */
export const monthOf = (run: string): number => Number(ENDING.exec(run)?.[1] ?? 0);

/**
 * The SQL condition for the batches of a run; `table` is the name used for `batches`. The month is part of the
 * statement's text, so that a prepared statement is planned for that month's table alone.
 */
function batchesOfRun(run: string, table = 'batches'): Sql<boolean> {
  const own = sql.raw(table);
  return sql<boolean>`${own}.run = ${run} and ${inMonth(monthOf(run), table)}`;
}

/** The SQL condition for the batches of a month. */
export const inMonth = (month: number, table = 'batches'): Sql<boolean> =>
  sql<boolean>`${sql.raw(table)}.month = ${sql.lit(month)}`;

/** Creates the table of a month if it does not exist. It cannot be dropped before the end of the transaction. */
export async function makeMonth(query: Query, month: number): Promise<void> {
  await sql`select calsync.make_month(${month})`.execute(query);
}

const BYTES_MAX = 4_000_000;
/** Prepared rows are stored after this time, as the server ends transactions that are idle for half a minute. */
const IDLE_MS_MAX = 1_000;
/** The approximate length of an event as a site shows it. */
const SHOWN_CHARACTERS = 4_000;

/** Stores the batches of a run. */
export async function saveBatches(
  query: Query,
  run: string,
  batches: readonly PlannedBatch[],
): Promise<readonly StoredBatch[]> {
  if (batches.length > 0) await makeMonth(query, monthOf(run));
  const stored: StoredBatch[] = [];
  let rows: Sql[] = [];
  let bytes = 0;
  let flushedAt = performance.now();
  const flush = async (): Promise<void> => {
    if (rows.length > 0)
      await sql`insert into calsync.batches (run, month, stage, number, items, tally, attempts, slugs) values ${sql.join(rows)}`.execute(
        query,
      );
    rows = [];
    bytes = 0;
    flushedAt = performance.now();
  };
  const pauseIfDue = pauses();
  for (const batch of batches) {
    await pauseIfDue();
    const { stage, number, items, attempts = 0 } = batch;
    const json = JSON.stringify(items.map(({ action, change }) => ({ action, change })));
    const text = storable(json);
    const kept = packed(text);
    if (bytes + kept.length > BYTES_MAX || performance.now() - flushedAt > IDLE_MS_MAX) await flush();
    rows.push(
      sql`(${run}, ${monthOf(run)}, ${stage}, ${number}, ${kept}, ${jsonb(tallyOf(untried(items)))}, ${attempts}, ${digestsOf(slugsIn(items))})`,
    );
    bytes += kept.length;
    const shown = items.filter((item) => item.shown).length;
    stored.push({ ...batch, isExact: text === json, characters: text.length + shown * SHOWN_CHARACTERS });
  }
  await flush();
  return stored;
}

const untried = (items: readonly Item[]) => items.map(({ action }) => ({ action, outcome: null }));

const slugsIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ action }) => ('slug' in action ? [action.slug] : []));

/** The numbers by which batches are found that act on one of these slugs; other slugs may share them. */
export const digestsOf = (slugs: readonly string[]): Sql =>
  sql`array(select hashtext(slug) from unnest(${[...slugs]}::text[]) as slug)`;

interface Row extends BatchName {
  readonly items: Buffer | null;
  readonly outcomes: Buffer | null;
  readonly attempts: number;
}

const BATCH = sql.raw('run, stage, number, items, outcomes, attempts');

function batchOf({ items: kept, outcomes, ...row }: Row, known?: readonly Item[]): Batch {
  const items = known ?? (kept ? unpacked<Item>(kept) : []);
  return { ...row, items, outcomes: outcomes ? unpacked<Outcome | null>(outcomes) : items.map(() => null) };
}

export async function loadBatch(query: Query, { run, stage, number }: BatchName): Promise<Batch | undefined> {
  const { rows } =
    await sql<Row>`select ${BATCH} from calsync.batches where ${batchesOfRun(run)} and stage = ${stage} and number = ${number}`.execute(
      query,
    );
  return rows[0] && batchOf(rows[0]);
}

/** Identifies several batches of one stage. */
export interface BatchNames extends Omit<BatchName, 'number'> {
  readonly numbers: readonly number[];
}

/** Batches for which an attempt has begun, in order; `attempts` counts the earlier ones. */
export interface BegunBatches {
  readonly batches: readonly Batch[];
  /** The ids of the run's refs. */
  readonly refs: Refs;
}

/**
 * Begins an attempt at batches. It is counted before anything is sent, so that a process that takes over knows that
 * answers may have been lost. Also makes `owner` the owner of the run's lease. Leaves out batches without anything to
 * write: all their items have outcomes, or the run has lost its lease or was broken off. `itemsOf` gives the items of a
 * batch if they are known.
 */
export async function beginAttempts(
  query: Query,
  { run, stage, numbers }: BatchNames,
  owner: number,
  itemsOf: (name: BatchName) => readonly Item[] | undefined,
): Promise<BegunBatches> {
  const known = new Map(numbers.map((number) => [number, itemsOf({ run, stage, number })]));
  const unknown = numbers.filter((number) => known.get(number) === undefined);
  const { rows } = await sql<Row & { readonly refs: Refs }>`${PREPARED}
    with leased as (update calsync.leases set owner = ${owner} where run = ${run} and owner <> ${owner})
    update calsync.batches as batch set attempts = batch.attempts + 1 from calsync.runs as runs
    where ${batchesOfRun(run, 'batch')} and batch.stage = ${stage} and batch.number = any(${numbers}::integer[]) and runs.run = batch.run
      and (tally->'open')::integer > 0 and not runs.broken_off
      and exists (select from calsync.leases where leases.run = batch.run)
    returning batch.run, batch.stage, number, case when number = any(${unknown}::integer[]) then items end as items,
      outcomes, attempts, refs`.execute(query);
  const batches = rows
    .toSorted((one, other) => one.number - other.number)
    .map(({ refs: _refs, attempts, ...row }) => batchOf({ ...row, attempts: attempts - 1 }, known.get(row.number)));
  return { batches, refs: rows[0]?.refs ?? {} };
}

/** The outcomes of a batch's items after its `attempt`th attempt. */
export interface AttemptedBatch {
  readonly batch: Batch;
  readonly attempt: number;
  readonly outcomes: readonly (Outcome | null)[];
}

/**
 * SQL that stores the outcomes of batches of one stage of a run, if these attempts are still the latest, that is, if
 * nobody began another while this process was silent; otherwise it stores nothing. It ends with `stored`, which has
 * rows only if they were stored.
 */
export function storeOutcomesSql(run: string, stage: Stage, tried: readonly AttemptedBatch[]): Sql {
  const numbers = tried.map(({ batch }) => batch.number);
  const own = sql`${batchesOfRun(run, 'batch')} and batch.stage = ${stage} and batch.number = any(${numbers}::integer[])`;
  const tallies = tried.map(({ batch, outcomes }) =>
    tallyOf(batch.items.map(({ action }, index) => ({ action, outcome: outcomes[index] ?? null }))),
  );
  return sql`
    known as (select * from unnest(${numbers}::integer[], ${tried.map(({ attempt }) => attempt)}::integer[],
        ${tried.map(({ outcomes }) => packed(jsonText(outcomes)))}::bytea[], ${tallies.map(jsonText)}::jsonb[])
      as known (number, attempts, outcomes, tally)),
    latest as (select from calsync.batches as batch join known using (number, attempts) where ${own} for update of batch),
    stored as (update calsync.batches as batch set outcomes = known.outcomes, tally = known.tally from known
      where ${own} and batch.number = known.number and (select count(*) from latest) = ${tried.length} returning 1)`;
}

/** Records the outcomes, by slug, of a run's writes whose answers had been lost. */
export async function noteDone(query: Query, run: string, done: ReadonlyMap<string, Outcome>): Promise<void> {
  for (const batch of await loadBatches(query, run)) {
    const outcomes = batch.outcomes.map((outcome, index) =>
      outcome?.kind === 'done' ? outcome : (done.get(batch.items[index]?.change?.entry.slug ?? '') ?? outcome),
    );
    if (outcomes.some((outcome, index) => outcome !== batch.outcomes[index]))
      await sql`with ${storeOutcomesSql(run, batch.stage, [{ batch, attempt: batch.attempts, outcomes }])} select from stored`.execute(
        query,
      );
  }
}

/** Whether a run was broken off, because an answer did not match what was sent. No process then goes on writing it. */
export const isBrokenOff = async (query: Query, run: string): Promise<boolean> =>
  (await brokenOffOf(query, [run])).has(run);

async function brokenOffOf(query: Query, runs: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly run: string }>`${PREPARED} select run from calsync.runs
    where run = any(${[...runs]}::text[]) and broken_off`.execute(query);
  return new Set(rows.map(({ run }) => run));
}

/** Returns a test for runs that were broken off; batches that ask at the same time share one query. */
export function watchRuns(database: Database): (run: string) => Promise<boolean> {
  const asked = new Set<string>();
  const ask = coalesced(() => {
    const runs = [...asked];
    asked.clear();
    return brokenOffOf(database.query(), runs);
  });
  return async (run) => {
    asked.add(run);
    return (await ask()).has(run);
  };
}

/** The batches of a stage with items that have no final outcome; none if the run was broken off. */
export async function openBatches(
  query: Query,
  run: string,
  stage: Stage,
): Promise<readonly Pick<BatchName, 'stage' | 'number'>[]> {
  const { rows } = await sql<Pick<BatchName, 'stage' | 'number'>>`
    select batches.stage, number from calsync.batches join calsync.runs using (run)
    where ${batchesOfRun(run)} and batches.stage = any(${[...WRITTEN_IN[stage]]}::text[]) and (tally->'open')::integer > 0
      and not broken_off
    order by array_position(${[...STAGES]}::text[], batches.stage), number`.execute(query);
  return rows;
}

/** The tally of a batch. */
export interface BatchTally extends Pick<Batch, 'stage' | 'number'> {
  readonly tally: Tally;
}

/** The tallies of a run's batches, in the order of their stages and numbers. */
export async function loadTallies(query: Query, run: string): Promise<readonly BatchTally[]> {
  const { rows } = await sql<BatchTally>`select stage, number, tally from calsync.batches where ${batchesOfRun(run)}
    ${IN_ORDER}`.execute(query);
  return rows;
}

/** The tally of all writes of a run. */
export const loadTally = async (query: Query, run: string): Promise<Tally> =>
  sumOfTallies((await loadTallies(query, run)).map(({ tally }) => tally));

/** The batches of a run in the order of their stages and numbers. */
export async function loadBatches(
  query: Query,
  run: string,
  stages: readonly Stage[] = STAGES,
): Promise<readonly Batch[]> {
  const { rows } =
    await sql<Row>`select ${BATCH} from calsync.batches where ${batchesOfRun(run)} and stage = any(${[...stages]}::text[])
    ${IN_ORDER}`.execute(query);
  return rows.map((row) => batchOf(row));
}

const IN_ORDER = sql`order by array_position(${[...STAGES]}::text[], stage), number`;

/** A run's batch, with the time at which that run began. */
export interface BatchOfRun extends Batch {
  readonly at: Date;
}

/** The batches of all runs that may act on an event, latest first. */
export async function batchesWith(query: Query, slug: string): Promise<readonly BatchOfRun[]> {
  const { rows } = await sql<Row & { readonly at: Date }>`
    select run, batches.stage, number, items, outcomes, attempts, started_at as at
    from calsync.batches join calsync.runs using (run) where slugs @> ${digestsOf([slug])}
    order by started_at desc`.execute(query);
  return rows.map(({ at, ...row }) => ({ ...batchOf(row), at }));
}
