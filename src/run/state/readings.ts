import { sql, type Queryable } from '../../db/database.ts';
import type { CountedReading } from '../../sync/review/review.ts';
import type { Lease } from './lease.ts';
import type { ReadingSteps } from './progress.ts';

type Query = Queryable;

/** Stores how many events a reading of a feed found. */
export async function noteReading(query: Query, { site, source, run }: Lease, steps: ReadingSteps): Promise<void> {
  const { read, fetch } = steps;
  if (!read) return;
  await sql`insert into calsync.readings (site, source, run, events, coming, bytes, software)
    values (${site}, ${source}, ${run}, ${read.events}, ${read.coming}, ${fetch.bytes}, ${read.software ?? null})`.execute(
    query,
  );
}

/** A change of the program that makes a publisher's feed. */
export interface SoftwareChange {
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** The latest changes of the program that makes a source's feed, optionally before a time. */
export async function softwareChanges(
  query: Query,
  { site, source }: Pick<Lease, 'site' | 'source'>,
  before: number | undefined,
  limit: number,
): Promise<readonly SoftwareChange[]> {
  const { rows } = await sql<SoftwareChange>`
    select (extract(epoch from at) * 1000)::bigint as at, former as "from", software as "to" from (
      select at, software, lag(software) over (order by at) as former from calsync.readings
      where site = ${site} and source = ${source} and software is not null) as each
    where software <> former and (${before ?? null}::bigint is null or at < to_timestamp(${before ?? 0}::bigint / 1000.0))
    order by at desc limit ${limit}`.execute(query);
  return rows;
}

/** How far back to look for what is gone from a feed; after more readings than this, it has been gone for long. */
const READINGS_MAX = 100;

/** The readings of a source, except those of one run, latest first. */
export async function readingsBefore(query: Query, { site, source, run }: Lease): Promise<readonly CountedReading[]> {
  const { rows } = await sql<{ at: Date; coming: number }>`
    select at, coming from calsync.readings where site = ${site} and source = ${source} and run <> ${run}
    order by at desc limit ${READINGS_MAX}`.execute(query);
  return rows.map(({ at, coming }) => ({ at: at.getTime(), coming }));
}
