import { PREPARED, sql, type Queryable } from '../../db/database.ts';
import { hasReadWellSql } from '../state/causes.ts';
import { withoutOrdinal } from '../../sync/model/identity.ts';

/** The origin of an event of a site. Times are in epoch milliseconds. */
export interface EventOrigin {
  readonly source: string;
  /** When its source was last read successfully; null if unknown. */
  readonly readAt: number | null;
  /** The occurrence within its series, in the form of RECURRENCE-ID; null for a single event. */
  readonly recurrenceId: string | null;
}

/** The source that keeps the event with a slug; undefined if no source does. */
export async function originOfEvent(query: Queryable, site: string, slug: string): Promise<EventOrigin | undefined> {
  const { rows } = await sql<{ source: string; read_at: Date | null; rung: string; identity: string }>`${PREPARED}
    select source, coalesce(good.at, sources.good_at) as read_at, ledger.rung, ledger.identity
    from (select * from calsync.ledger where site = ${site} and slug = ${slug} limit 1) as ledger
      left join calsync.sources using (site, source)
      left join lateral (select coalesce(finished_at, started_at) as at from calsync.runs
        where runs.site = ledger.site and runs.source = ledger.source and ${hasReadWellSql}
        order by started_at desc limit 1) as good on true
    where ledger.state = 'kept'`.execute(query);
  const [row] = rows;
  if (!row) return undefined;
  const [, recurrenceId = null] = row.rung === 'uid' ? withoutOrdinal(row.identity).split('\t') : [];
  return { source: row.source, readAt: row.read_at?.getTime() ?? null, recurrenceId };
}
