import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { RunState } from '../state/records.ts';
import type { SourceName } from './pauses.ts';

type Query = Queryable;

/** A run as charts show it; it may stand for several that found nothing to do. Times are in epoch milliseconds. */
export interface RunMark extends SourceName {
  readonly run: string;
  readonly state: RunState;
  readonly at: number;
  /** When the first of several runs began. */
  readonly since: number | null;
  readonly times: number;
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
}

const count = (name: string): string => `coalesce((report->>'${name}')::int, 0) as ${name}`;
const MARK = sql.raw(`run, state, (extract(epoch from started_at) * 1000)::bigint as at,
  (extract(epoch from since) * 1000)::bigint as since, times, ${['created', 'updated', 'removed'].map(count).join(', ')}`);

/** The number of events that a run changed on the site; what a held run would change does not count. */
export const changesOf = ({ state, created, updated, removed }: RunMark): number =>
  state === 'done' || state === 'failed' ? created + updated + removed : 0;

const marksWhere = (sources: readonly SourceName[], which: Sql): Sql<RunMark> => sql<RunMark>`
  select asked.site, asked.source, marks.* from unnest(${sources.map(({ site }) => site)}::text[],
      ${sources.map(({ source }) => source)}::text[]) as asked (site, source)
    join lateral (select ${MARK} from calsync.runs
      where runs.site = asked.site and runs.source = asked.source ${which}) as marks on true`;

/** The last runs of some sources, optionally before a time; earliest first. */
export async function lastRuns(
  query: Query,
  sources: readonly SourceName[],
  limit: number,
  before?: number,
): Promise<readonly RunMark[]> {
  const older = before === undefined ? sql`` : sql`and started_at < ${new Date(before)}`;
  const { rows } = await marksWhere(sources, sql`${older} order by started_at desc limit ${limit}`).execute(query);
  return rows.toReversed();
}

/**
 * When a run last changed something on the site for a source, whoever asked for it (epoch milliseconds); null if no
 * stored run has.
 */
export async function changedByRunAt(query: Query, { site, source }: SourceName): Promise<number | null> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from coalesce(finished_at, started_at)) * 1000)::bigint as at from calsync.runs
    where site = ${site} and source = ${source} and state in ('done', 'failed')
      and (report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int > 0
    order by started_at desc limit 1`.execute(query);
  return rows[0]?.at ?? null;
}

/** The runs of some sources since a time, earliest first. */
export async function runsSince(
  query: Query,
  sources: readonly SourceName[],
  since: number,
): Promise<readonly RunMark[]> {
  const { rows } = await marksWhere(
    sources,
    sql`and started_at >= ${new Date(since)} order by started_at desc`,
  ).execute(query);
  return rows.toReversed();
}

/** The totals of a source's runs since a time. */
export interface DayOfSource extends SourceName {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly runs: number;
  readonly failed: number;
}

/** The totals of all sources since a time. */
export interface Day {
  /** The sources with something to report, up to the limit. */
  readonly told: readonly DayOfSource[];
  /** The number of sources with something to report. */
  readonly toTell: number;
  readonly sources: number;
  readonly runs: number;
}

const sum = (name: string): string =>
  `coalesce(sum((report->>'${name}')::int) filter (where state in ('done', 'failed')), 0)::int as ${name}`;

/**
 * Sources whose runs since a time changed something, failed or were held, those with the most changes first, at most
 * `limit`; also the number of such sources, and of all sources and runs.
 */
export async function daysOfSources(query: Query, since: number, limit: number): Promise<Day> {
  const { rows } = await sql<DayOfSource & { all: number; ran: number; toTell: number; isTold: boolean }>`
    with days as (select site, source, ${sql.raw(['created', 'updated', 'removed'].map(sum).join(', '))}, sum(times)::int as runs,
        (count(*) filter (where state = 'failed'))::int as failed, bool_or(state = 'held') as held
      from calsync.runs where started_at >= ${new Date(since)} group by site, source)
    select *, (count(*) over ())::int as all, (sum(runs) over ())::int as ran,
      created + updated + removed + failed > 0 or held as "isTold",
      (count(*) filter (where created + updated + removed + failed > 0 or held) over ())::int as "toTell"
    from days order by "isTold" desc, created + updated + removed desc, failed desc, source limit ${limit}`.execute(
    query,
  );
  const { all = 0, ran = 0, toTell = 0 } = rows[0] ?? {};
  return { told: rows.filter(({ isTold }) => isTold), toTell, sources: all, runs: ran };
}
