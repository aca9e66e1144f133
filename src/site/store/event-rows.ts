import { sql, type RawBuilder } from '../../db/database.ts';
import { eventColumns } from './event-columns.ts';
import { pageDays, type EventTotals, type PageDays } from './event-totals.ts';
import type { EventRow, StoreDatabase } from './tables.ts';

/** Which events: those that fit, from `offset` on, in the order of their start or in another one. */
export interface Wanted { readonly where: RawBuilder<unknown>; readonly order?: RawBuilder<unknown> | undefined; readonly limit: number; readonly offset: number }

const BY_START = sql`events.start_wall, published_at, id`;

/** The rows of a page. In the order of the start the totals tell on which days it lies: only the events of those days are walked over. */
export async function eventRows(db: StoreDatabase, wanted: Wanted, totals: EventTotals): Promise<readonly EventRow[]> {
  const days = wanted.order ? undefined : pageDays(totals, wanted.offset, wanted.limit);
  if (!days) return walk(db, wanted);
  const rows = await walk(db, { ...wanted, where: onDays(wanted.where, days, totals), offset: days.offset });
  // None: something was written since the totals were counted. Only walking over all events before the page is right then.
  return rows.length > 0 ? rows : walk(db, wanted);
}

const onDays = (where: RawBuilder<unknown>, { from, to }: PageDays, { revision }: EventTotals): RawBuilder<unknown> => sql`${where}
  and start_wall >= date '1970-01-01' + ${from}::integer and start_wall < date '1970-01-01' + ${to + 1}::integer and (select value from site.revision) = ${revision}`;

/** The page is found on the narrow index first; only its rows are fetched whole. */
async function walk(db: StoreDatabase, { where, order = BY_START, limit, offset }: Wanted): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from site.events
    where id = any (array(select id from site.events where ${where} order by ${order} limit ${limit} offset ${offset})) order by ${order}`.execute(db);
  return rows;
}
