import type { ProblemCode } from '../../codes.ts';
import { sql, type Queryable } from '../../db/database.ts';

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
