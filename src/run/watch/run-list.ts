import { rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import { isSyncSql } from '../state/causes.ts';
import { RUN_COLUMNS, type RunRecord } from '../state/records.ts';

type Query = Queryable;

/** The filters for lists of runs. */
export const RUN_FILTERS = ['changes', 'held', 'failed', 'people', 'undo', 'all'] as const;
export type RunFilter = (typeof RUN_FILTERS)[number];

const CHANGES = sql`(state in ('reading', 'writing', 'held')
  or (report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int > 0)`;

const CONDITIONS: Readonly<Record<RunFilter, Sql>> = {
  changes: CHANGES,
  held: sql`state in ('held', 'rejected', 'superseded')`,
  failed: sql`state = 'failed'`,
  people: sql`(not ${isSyncSql} or cause->>'kind' = 'command')`,
  undo: sql`cause->>'kind' = 'undo'`,
  all: sql`true`,
};

/** The runs to list. */
export interface RunsAsked {
  readonly filter: RunFilter;
  readonly source?: string | undefined;
  /** Only runs that began before this run. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Runs, latest first. */
export async function runsOf(
  query: Query,
  { filter, source, before, limit }: RunsAsked,
): Promise<readonly RunRecord[]> {
  const only = source === undefined ? sql`true` : sql`source = ${source}`;
  const older =
    before === undefined
      ? sql`true`
      : sql`(started_at, run) < (select earlier.started_at, earlier.run from calsync.runs as earlier where earlier.run = ${before})`;
  const { rows } = await sql<RunRecord>`select ${RUN_COLUMNS} from calsync.runs
    where ${CONDITIONS[filter]} and ${only} and ${older} order by started_at desc, run desc limit ${limit}`.execute(
    query,
  );
  return rows;
}

/** The number of latest runs that are counted for the filters. */
export const COUNTED_MAX = 2_000;

/** How many runs each filter shows, and how many ended well without changing anything. */
export type RunCounts = Readonly<Record<RunFilter | 'nothing', number>>;

const COUNTED = { ...CONDITIONS, nothing: sql`state in ('done', 'unchanged') and not ${CHANGES}` };

/** Counts the latest runs for each filter. */
export async function countRuns(query: Query, source: string | undefined): Promise<RunCounts> {
  const only = source === undefined ? sql`true` : sql`source = ${source}`;
  const counts = Object.entries(COUNTED).map(
    ([name, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.raw(name)}`,
  );
  const { rows } = await sql<RunCounts>`select ${sql.join(counts)} from (
    select state, report, cause from calsync.runs where ${only} order by started_at desc, run desc limit ${COUNTED_MAX}) as latest`.execute(
    query,
  );
  return rows[0] ?? { changes: 0, held: 0, failed: 0, people: 0, undo: 0, all: 0, nothing: 0 };
}

/** Kinds of runs to find the last one of, by what a person can do with it. */
const LAST = {
  any: sql`true`,
  held: sql`state = 'held'`,
  writing: sql`state = 'writing'`,
  changed: sql`state in ('done', 'failed')
    and (report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int > 0`,
} as const satisfies Readonly<Record<string, Sql>>;

export type RunKind = keyof typeof LAST;

/** The last run of a kind, from all sources or one. */
export async function lastRunOf(
  query: Query,
  kind: RunKind,
  source: string | undefined,
): Promise<RunRecord | undefined> {
  const only = source === undefined ? sql`true` : sql`source = ${source}`;
  const { rows } = await sql<RunRecord>`select ${RUN_COLUMNS} from calsync.runs
    where ${LAST[kind]} and ${only} order by started_at desc, run desc limit 1`.execute(query);
  return rows[0];
}

/** Whether a source has runs or events here, as one that is no longer configured may. */
export async function isSourceKnown(query: Query, source: string): Promise<boolean> {
  const { known } = rowOf(
    await sql<{ known: boolean }>`select exists (select from calsync.runs where source = ${source})
      or exists (select from calsync.ledger where source = ${source}) as known`.execute(query),
  );
  return known;
}

/** Names of runs of a kind with this beginning, latest first, at most `limit`. */
export async function runsBeginning(
  query: Query,
  beginning: string,
  limit: number,
  kind: RunKind = 'any',
): Promise<readonly string[]> {
  const { rows } = await sql<{ run: string }>`select run from calsync.runs
    where ${LAST[kind]} and starts_with(run, ${beginning}) order by started_at desc, run desc limit ${limit}`.execute(
    query,
  );
  return rows.map(({ run }) => run);
}
