import { sql, type RawBuilder } from '../../db/database.ts';
import { eventColumns } from './event-columns.ts';
import { pageDays, type EventTotals, type PageDays } from './event-totals.ts';
import { atOneOf, type Center } from './nearby.ts';
import type { EventRow, StoreDatabase } from './tables.ts';

/** Which events: those that fit, from `offset` on, in the order of their start or in another one. */
export interface Wanted {
  readonly where: RawBuilder<unknown>;
  readonly order?: RawBuilder<unknown> | undefined;
  readonly limit: number;
  readonly offset: number;
}

const BY_START = sql`events.start_wall, published_at, id`;

/**
 * The rows of a page. In the order of the start the totals tell on which days it lies: only the events of those days
 * are walked over.
 */
export async function eventRows(db: StoreDatabase, wanted: Wanted, totals: EventTotals): Promise<readonly EventRow[]> {
  const days = wanted.order ? undefined : pageDays(totals, wanted.offset, wanted.limit);
  if (!days) return walk(db, wanted);
  const rows = await walk(db, { ...wanted, where: onDays(wanted.where, days, totals), offset: days.offset });
  // None: something was written since the totals were counted. Only walking over all events before the page is right
  // then.
  return rows.length > 0 ? rows : walk(db, wanted);
}

// To sort so many by their distance takes some milliseconds.
const SORTED_MAX = 2_000;

/**
 * The rows of a page, the nearest first. Of very many events only those at the nearest venues are looked at, as far as
 * they fill the page.
 */
export async function nearestRows(
  db: StoreDatabase,
  wanted: Wanted,
  { distance, circles }: Center,
  { total }: EventTotals,
): Promise<readonly EventRow[]> {
  const ordered = { ...wanted, order: sql`${distance}, ${wanted.order ?? BY_START}` };
  for (const circle of total > SORTED_MAX ? circles.slice(0, -1) : []) {
    const rows = await walk(db, { ...ordered, where: sql`${wanted.where} and ${atOneOf(circle)}` });
    if (rows.length === wanted.limit) return rows;
  }
  return walk(db, ordered);
}

const onDays = (
  where: RawBuilder<unknown>,
  { from, to }: PageDays,
  { revision }: EventTotals,
): RawBuilder<unknown> => sql`${where}
  and start_wall >= date '1970-01-01' + ${from}::integer and start_wall < date '1970-01-01' + ${to + 1}::integer and (select value from site.revision) = ${revision}`;

/** The page is found on the narrow index first; only its rows are fetched whole. */
async function walk(
  db: StoreDatabase,
  { where, order = BY_START, limit, offset }: Wanted,
): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from site.events
    where id = any (array(select id from site.events where ${where} order by ${order} limit ${limit} offset ${offset})) order by ${order}`.execute(
    db,
  );
  return rows;
}
