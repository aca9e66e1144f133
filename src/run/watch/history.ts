import { charsetFromContentType, decodeBytes } from '../../charset.ts';
import type { ProblemCode } from '../../codes.ts';
import { sql, type Queryable } from '../../db/database.ts';
import { DAY_MS, wallFromInstant } from '../../time.ts';
import { messagesAbout, type MessageSent } from '../deliveries/deliveries.ts';
import { isSyncSql } from '../state/causes.ts';
import { TOOK_MS } from '../state/records.ts';
import { softwareChanges, type SoftwareChange } from '../state/readings.ts';
import { loadBody } from '../state/feed-state.ts';
import { listActs, type Act } from './acts.ts';
import type { SourceName } from './pauses.ts';
import { lastRuns, type RunMark } from './recent-runs.ts';
import { shortened } from '../../html/shortened.ts';

type Query = Queryable;

/** A run in a source's history: what it changed, or why it failed. */
export interface RunInHistory extends RunMark {
  readonly cause: string;
  readonly why: { readonly code: ProblemCode; readonly message: string } | null;
  /** The message about a feed that has moved; null if there is none. */
  readonly moved: string | null;
}

/** A feed has moved permanently, as reported by the first run that was redirected to the new address. */
interface FeedMoved {
  readonly at: number;
  readonly message: string;
}

/**
 * What happened to a source: runs, acts of people, messages, moves of its feed, and changes of the program that makes
 * it.
 */
export type Happening =
  | { readonly kind: 'run'; readonly at: number; readonly run: RunInHistory }
  | { readonly kind: 'act'; readonly at: number; readonly act: Act }
  | { readonly kind: 'message'; readonly at: number; readonly message: MessageSent }
  | { readonly kind: 'moved'; readonly at: number; readonly message: string }
  | { readonly kind: 'software'; readonly at: number; readonly software: SoftwareChange };

/** What last happened to a source, optionally before a time (epoch milliseconds); at most `limit` items. */
export async function happenings(
  query: Query,
  { site, source }: SourceName,
  before: number | undefined,
  limit: number,
): Promise<readonly Happening[]> {
  const [runs, acts, messages, changes] = await Promise.all([
    // Includes the run before these, which may already have reported the move.
    runsBefore(query, { site, source }, before, limit + 1),
    listActs(query, { source, ...(before === undefined ? {} : { before: new Date(before) }) }, limit),
    messagesAbout(query, { site, source }, before, limit),
    softwareChanges(query, { site, source }, before, limit),
  ]);
  return [
    ...movesIn(runs, limit).map((moved): Happening => ({ kind: 'moved', ...moved })),
    ...runs.slice(-limit).map((run): Happening => ({ kind: 'run', at: run.at, run })),
    ...acts.map((act): Happening => ({ kind: 'act', at: act.at.getTime(), act })),
    ...messages.map((message): Happening => ({ kind: 'message', at: message.at, message })),
    ...changes.map((software): Happening => ({ kind: 'software', at: software.at, software })),
  ]
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit);
}

/** Finds the runs (earliest first) from which on the feed is reported as moved. */
function movesIn(runs: readonly RunInHistory[], limit: number): readonly FeedMoved[] {
  let told = runs.length > limit ? (runs[0]?.moved ?? null) : null;
  return runs.slice(-limit).flatMap(({ moved, state, since, at }): readonly FeedMoved[] => {
    // A run that did not read its feed does not know.
    if (state === 'failed') return [];
    const isNew = moved !== null && moved !== told;
    told = moved;
    return isNew ? [{ at: since ?? at, message: moved }] : [];
  });
}

async function runsBefore(
  query: Query,
  { site, source }: SourceName,
  before: number | undefined,
  limit: number,
): Promise<readonly RunInHistory[]> {
  const marks = await lastRuns(query, [{ site, source }], limit, before);
  const { rows } = await sql<Pick<RunInHistory, 'run' | 'cause' | 'why' | 'moved'>>`
    select run, cause->>'kind' as cause, case when state = 'failed' then report->'problems'->0 end as why,
      jsonb_path_query_first(report, '$.problems[*] ? (@.code == "feed-moved").message') #>> '{}' as moved
    from calsync.runs where run = any(${marks.map(({ run }) => run)}::text[])`.execute(query);
  const more = new Map(rows.map((row) => [row.run, row]));
  return marks.map((mark) => ({
    ...mark,
    cause: more.get(mark.run)?.cause ?? '',
    why: more.get(mark.run)?.why ?? null,
    moved: more.get(mark.run)?.moved ?? null,
  }));
}

/** A kind of problem in what a source's last good run has read. */
export interface ProblemKind {
  readonly code: ProblemCode;
  readonly count: number;
  readonly example: { readonly message: string; readonly line: number | null; readonly row: number | null };
  /** When runs first and last had it, in epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

// A run with an unchanged feed says nothing about the feed's contents, unless its row also stands for one that read it
// and reported the same. Older versions stored no steps.
const HAS_READ = sql`state in ('done', 'unchanged', 'held') and ${isSyncSql} and report is not null
  and (steps is null or steps->'read' is not null or steps->'readBefore' is not null)`;

/** The problems of the last good run that read its feed, by kind, most frequent first, and when it ran. */
export async function problemsOf(
  query: Query,
  { site, source }: SourceName,
): Promise<{ readonly run: string; readonly at: number; readonly kinds: readonly ProblemKind[] } | undefined> {
  const { rows } = await sql<{ run: string; at: number }>`
    select run, (extract(epoch from started_at) * 1000)::bigint as at from calsync.runs
    where site = ${site} and source = ${source} and ${HAS_READ}
    order by started_at desc limit 1`.execute(query);
  const [good] = rows;
  if (!good) return undefined;
  const kinds = await sql<ProblemKind>`
    with own as (select started_at, since, run, report->'problems' as problems from calsync.runs
      where site = ${site} and source = ${source} and ${HAS_READ}),
    each as (select problem->>'code' as code, problem, place, run, started_at, coalesce(since, started_at) as begun
      from own, jsonb_array_elements(problems) with ordinality as list (problem, place) where problem->>'code' <> 'held')
    select code, (count(*) filter (where run = ${good.run}))::int as count,
      (array_agg(jsonb_build_object('message', problem->'message', 'line', problem->'where'->'line', 'row', problem->'where'->'row')
        order by place) filter (where run = ${good.run}))[1] as example,
      (extract(epoch from min(begun)) * 1000)::bigint as "firstAt", (extract(epoch from max(started_at)) * 1000)::bigint as "lastAt"
    from each group by code having bool_or(run = ${good.run}) order by 2 desc, code`.execute(query);
  return { ...good, kinds: kinds.rows };
}

/** A line of a feed, with its number. */
export interface FeedLine {
  readonly number: number;
  readonly text: string;
}

/** Larger feeds are not decoded for a page. */
const QUOTED_BYTES_MAX = 3_000_000;
const LINE_MAX = 200;

/** Lines of the last good body of a source, each with its neighbours; empty for a very large body. */
export async function linesAround(
  query: Query,
  { site, source }: SourceName,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly FeedLine[]>> {
  if (numbers.length === 0) return new Map();
  const bytes = await loadBody(query, site, source);
  if (!bytes || bytes.length > QUOTED_BYTES_MAX) return new Map();
  const { rows } = await sql<{ type: string | null }>`
    select content_type as type from calsync.sources where site = ${site} and source = ${source}`.execute(query);
  const lines = decodeBytes(bytes, charsetFromContentType(rows[0]?.type ?? null)).text.split(/\r\n|\r|\n/);
  return new Map(
    numbers.map((number) => [
      number,
      [number - 1, number, number + 1].flatMap((each) => {
        const text = lines[each - 1];
        return text === undefined ? [] : [{ number: each, text: shortened(text, LINE_MAX) }];
      }),
    ]),
  );
}

/** The figures for a source's runs on one day, in its site's zone. */
export interface DayInNumbers {
  readonly day: string;
  readonly changes: number;
  readonly failed: number;
  /** The number of events in the feed at the day's last good run; null if there was none. */
  readonly events: number | null;
  /** The median time that a run took, in milliseconds. */
  readonly tookMs: number;
}

const RUNS_MAX = 20_000;

/** A source's days since a time, earliest first. `zone` is the site's. */
export async function daysInNumbers(
  query: Query,
  { site, source }: SourceName,
  since: number,
  zone: string,
): Promise<readonly DayInNumbers[]> {
  const { rows } = await sql<{
    at: number;
    state: string;
    changes: number;
    unchanged: number;
    created: number;
    took: number;
    isSync: boolean;
  }>`
    select (extract(epoch from started_at) * 1000)::bigint as at, state, coalesce((report->>'unchanged')::int, 0) as unchanged,
      coalesce((report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int, 0) as changes,
      coalesce((report->>'created')::int + (report->>'updated')::int, 0) as created,
      ${sql.raw(TOOK_MS)} as took, ${isSyncSql} as "isSync"
    from calsync.runs where source = ${source} and site = ${site} and started_at >= ${new Date(since)} and finished_at is not null
    order by started_at desc limit ${RUNS_MAX}`.execute(query);
  const days = Map.groupBy(rows.toReversed(), ({ at }) => wallFromInstant(at, zone).slice(0, 10));
  return [...days].map(([day, runs]) => {
    const good = runs.filter(({ state }) => state === 'done' || state === 'unchanged');
    // Other runs count the events that somebody has decided about, not those of the feed.
    const last = good.findLast(({ isSync }) => isSync);
    return {
      day,
      changes: good.reduce((sum, { changes }) => sum + changes, 0),
      failed: runs.filter(({ state }) => state === 'failed').length,
      events: last ? last.unchanged + last.created : null,
      tookMs: middleOf(runs.map(({ took }) => took)),
    };
  });
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The period that charts show; runs are kept that long. */
export const CHART_MS = 90 * DAY_MS;
