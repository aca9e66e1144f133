import { hasTable } from '../../db/has-table.ts';
import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';
import { inMonth, makeMonth } from './batches.ts';

type Query = Queryable;

const KEEP_DAYS = 90;

/** What was deleted: the number of runs, and the months whose batches were dropped. */
export interface DeletedRuns {
  readonly runs: number;
  readonly months: readonly number[];
}

/**
 * Deletes runs that ended more than 90 days ago, except held ones, along with the counts of their readings, and drops
 * the batches of months without runs. The database's clock, which also wrote the timestamps, decides which runs are
 * old; months follow the program's clock, as in the names of runs. The tables of this month and the next are created in
 * advance.
 */
export async function cleanRuns(query: Query, now: number): Promise<DeletedRuns> {
  const runs = await deleteRuns(query);
  const there = await monthsThereAre(query);
  const oldest = monthAt(now - KEEP_DAYS * DAY_MS);
  const months: number[] = [];
  for (const month of there) if (month < oldest && (await dropMonth(query, month))) months.push(month);
  for (const month of [monthAt(now), monthAt(now, 1)]) if (!there.includes(month)) await makeMonth(query, month);
  return { runs, months };
}

async function deleteRuns(query: Query): Promise<number> {
  await sql`delete from calsync.readings where at < now() - make_interval(days => ${KEEP_DAYS})`.execute(query);
  const { rows } = await sql<{
    deleted: number;
  }>`with gone as (delete from calsync.runs where finished_at < now() - make_interval(days => ${KEEP_DAYS}) and state <> 'held' returning 1)
    select count(*) as deleted from gone`.execute(query);
  return rows[0]?.deleted ?? 0;
}

/** The months that have a table. */
export async function monthsThereAre(query: Query): Promise<readonly number[]> {
  const { rows } = await sql<{ month: number }>`
    select split_part(inhrelid::regclass::text, 'batches_', 2)::integer as month from pg_inherits
    where inhparent = 'calsync.batches'::regclass order by 1`.execute(query);
  return rows.map(({ month }) => month);
}

/** The month of a time (epoch milliseconds), or the month that is `later` months after it. */
export function monthAt(at: number, later = 0): number {
  const date = new Date(at);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + later;
  return Math.floor(months / 12) * 100 + (months % 12) + 1;
}

/** All writers have to wait for as long as dropping a month waits for a lock. */
const WAIT = sql.lit('500ms');
const LOCK_NOT_AVAILABLE = '55P03';

const ANY = sql`true`;
/** SQL condition on runs that have not ended, or not before this transaction. */
const LATEST = sql`(finished_at is null or finished_at >= now())`;

/**
 * Drops the batches of a month if none of its runs is left. False if one is, if another process has dropped them since
 * they were listed, or if they were in use for so long that others would have had to wait.
 */
async function dropMonth(query: Query, month: number): Promise<boolean> {
  const isNeededBy = async (transaction: Query, which: Sql): Promise<boolean> => {
    const { rows } = await sql`select from calsync.runs where ${which}
      and exists (select from calsync.batches where batches.run = runs.run and ${inMonth(month)}) limit 1`.execute(
      transaction,
    );
    return rows.length > 0;
  };
  try {
    return await query.transaction(async (transaction) => {
      if (!(await isAlone(transaction)) || !(await hasTable(transaction, `calsync.batches_${month}`))) return false;
      if (await isNeededBy(transaction, ANY)) return false;
      await sql`set local lock_timeout = ${WAIT}`.execute(transaction);
      await sql`lock table only calsync.batches in access exclusive mode`.execute(transaction);
      // A plan that was held for months may have been approved in the meantime. Checking all runs again would take too
      // long.
      if (await isNeededBy(transaction, LATEST)) return false;
      await sql`drop table ${sql.raw(`calsync.batches_${month}`)}`.execute(transaction);
      return true;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

// An arbitrary number.
const DROPPING = 4_217_002;

/** Whether no other process is dropping a month; otherwise each would wait for the other. */
async function isAlone(transaction: Query): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_xact_lock(${DROPPING}) as is`.execute(transaction);
  return rows[0]?.is === true;
}
