import type { ProblemCode } from '../../codes.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { DAY_MS } from '../../time.ts';

/** Upcoming events of one site with the same title at the same time, which is probably one event entered twice. */
export interface LikelyTwice {
  readonly site: string;
  readonly title: string;
  readonly sources: readonly string[];
  readonly slugs: readonly string[];
}

/** The first such pairs by time, and the total number. */
export async function likelyTwice(
  query: Queryable,
  now: number,
  limit: number,
): Promise<{ readonly pairs: readonly LikelyTwice[]; readonly count: number }> {
  const { rows } = await sql<LikelyTwice & { readonly count: number }>`
    select site, min(title) as title, array_agg(distinct source order by source) as sources,
      array_agg(slug order by slug) as slugs, count(*) over ()::int as count
    from calsync.ledger where state = 'kept' and ends_at > ${now}
    group by site, lower(title), starts_at having count(*) > 1 order by starts_at, title limit ${limit}`.execute(query);
  return { pairs: rows.map(({ count: _count, ...pair }) => pair), count: rows[0]?.count ?? 0 };
}

/** An event of another source that is probably the same one. */
export interface SameElsewhere {
  readonly source: string;
  readonly slug: string;
}

/** The first of them, and how many more there are. */
export interface AlsoFrom {
  readonly events: readonly SameElsewhere[];
  readonly more: number;
}

const SAME_MAX = 5;

/** The events with the same title at the same time that other sources have brought to a site; none for one not there. */
export async function sameElsewhere(
  query: Queryable,
  site: string,
  source: string,
  { title, startsAt, endsAt, state }: Pick<LedgerEntry, 'title' | 'startsAt' | 'endsAt' | 'state'>,
): Promise<AlsoFrom> {
  if (state !== 'kept') return { events: [], more: 0 };
  // The index is by the end: feeds may differ in it, though hardly by more than that.
  const latestEnd = Math.max(endsAt, startsAt + 7 * DAY_MS);
  const { rows } = await sql<SameElsewhere & { readonly count: number }>`
    select source, slug, count(*) over ()::int as count from calsync.ledger
    where site = ${site} and source <> ${source} and state = 'kept' and lower(title) = lower(${title}::text)
      and starts_at = ${startsAt} and ends_at between ${startsAt} and ${latestEnd}
    order by source, slug limit ${SAME_MAX}`.execute(query);
  const events = rows.map(({ count: _count, ...event }) => event);
  return { events, more: (rows[0]?.count ?? 0) - events.length };
}

/** The sources whose last ended run reported a problem with one of these codes. */
export async function sourcesWith(query: Queryable, codes: readonly ProblemCode[]): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly source: string }>`
    select distinct source from (
      select distinct on (site, source) source, report from calsync.runs
      where report is not null order by site, source, started_at desc) as last
    where exists (select from jsonb_array_elements(last.report->'problems') as problem
      where problem->>'code' = any(${[...codes]}::text[])) order by source`.execute(query);
  return rows.map(({ source }) => source);
}
