import { sql, type Queryable } from '../../db/database.ts';

/** Where an event of a site comes from. Times in epoch milliseconds. */
export interface EventOrigin {
  readonly source: string;
  /** When its source was last read without a fault; null where that is not known. */
  readonly readAt: number | null;
}

/** The source that keeps the event with a slug; undefined for an event of nobody's. */
export async function originOfEvent(query: Queryable, site: string, slug: string): Promise<EventOrigin | undefined> {
  const { rows } = await sql<{ source: string; read_at: Date | null }>`
    select source, greatest(sources.good_at, good.at) as read_at
    from calsync.ledger left join calsync.sources using (site, source)
      left join lateral (select max(finished_at) as at from calsync.runs
        where runs.source = ledger.source and runs.site = ledger.site and state in ('done', 'unchanged')) as good on true
    where ledger.site = ${site} and slug = ${slug} and ledger.state = 'kept'`.execute(query);
  return rows[0] && { source: rows[0].source, readAt: rows[0].read_at?.getTime() ?? null };
}
