import { PREPARED, sql, type Sql, type Queryable } from '../../db/database.ts';
import { eventColumns } from './event-columns.ts';
import { pageDays, type EventTotals, type PageDays } from './event-totals.ts';
import { atOneOf, type Center } from './nearby.ts';
import { rowsById } from './rows-by-id.ts';
import type { EventRow } from './tables.ts';

/** Which events: those that match, starting at `offset`, ordered by start unless `order` is given. */
export interface Wanted {
  readonly where: Sql;
  readonly order?: Sql | undefined;
  readonly limit: number;
  readonly offset: number;
}

const BY_START = sql`events.start_wall, published_at, id`;

/**
 * Reads the rows of a page. If it is ordered by start, the totals tell on which days it is, so only the events of those
 * days are read.
 */
export async function eventRows(
  db: Queryable,
  wanted: Wanted,
  totals: EventTotals | undefined,
): Promise<readonly EventRow[]> {
  const days = wanted.order ? undefined : totals && pageDays(totals, wanted.offset, wanted.limit);
  if (!totals || !days) return walk(db, wanted);
  const rows = await walk(db, { ...wanted, where: onDays(wanted.where, days, totals), offset: days.offset });
  // Something was written since the totals were counted, so only reading all events before the page gives the right
  // rows.
  return rows.length > 0 ? rows : walk(db, wanted);
}

/**
 * The ids of a page, in order, at a revision; undefined if there was a write since. `days`: the days of the page
 * according to the totals.
 */
export async function eventIds(
  db: Queryable,
  { where, order = BY_START, ...wanted }: Wanted,
  totals: EventTotals | undefined,
  days: PageDays | undefined,
  revision: string,
): Promise<readonly number[] | undefined> {
  const [condition, offset] =
    totals && days
      ? [onDays(where, days, totals), days.offset]
      : [sql`${where} and ${unchangedSince(revision)}`, wanted.offset];
  const { rows } = await sql<{ revision: number; ids: number[] }>`
    select value as revision, array(select id from site.events where ${condition} order by ${order}
      limit ${wanted.limit} offset ${offset}) as ids from site.revision`.execute(db);
  const [row] = rows;
  // Totals counted at another revision do not tell the days of the page at this one.
  return row && String(row.revision) === revision && (!totals || totals.revision === row.revision)
    ? row.ids
    : undefined;
}

/** Reads events by id, in any order; none if there was a write since. */
export async function rowsAt(db: Queryable, ids: readonly number[], revision: string): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`${PREPARED}
    select found.* from ${rowsById('events', ids, eventColumns)} where ${unchangedSince(revision)}`.execute(db);
  return rows;
}

const unchangedSince = (revision: string | number): Sql => sql`(select value from site.revision) = ${revision}`;

// Sorting this many events by distance takes a few milliseconds.
const SORTED_MAX = 2_000;

/**
 * The rows of a page, nearest first. With very many events, those at the nearest venues are tried first, in case they
 * fill the page.
 */
export async function nearestRows(
  db: Queryable,
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

const onDays = (where: Sql, { from, to }: PageDays, { revision }: EventTotals): Sql => sql`${where}
  and start_wall >= date '1970-01-01' + ${from}::integer and start_wall < date '1970-01-01' + ${to + 1}::integer and ${unchangedSince(revision)}`;

/** Finds the page on the narrow index first, and reads only its rows in full. */
async function walk(db: Queryable, { where, order = BY_START, limit, offset }: Wanted): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from site.events
    where id = any (array(select id from site.events where ${where} order by ${order} limit ${limit} offset ${offset})) order by ${order}`.execute(
    db,
  );
  return rows;
}
