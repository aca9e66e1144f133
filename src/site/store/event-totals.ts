import { rowOf, sql, type RawBuilder } from '../../db/database.ts';
import type { StoreDatabase } from './tables.ts';

/**
 * How many events fit a filter, in all and by the day on which they start (days since 1970), at a revision of the site.
 */
export interface EventTotals {
  readonly revision: number;
  readonly total: number;
  readonly days: ReadonlyMap<number, number>;
}
/** Where a page lies: on which days, and how many events of the first of them come before it. */
export interface PageDays {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const FILTERS_MAX = 1_000;
const DAYS_MAX = 200_000;
// To count one day anew takes about as long as to count so many events.
const EVENTS_PER_DAY = 200;
const kept = new WeakMap<StoreDatabase, Map<string, EventTotals>>();

/**
 * How many events fit a condition on their own columns, exactly. All are counted once per filter; after a write only
 * the days that it
 * changed: a write says which in its own transaction, so a count is known to be stale as soon as it is.
 */
export async function eventTotals(db: StoreDatabase, where: RawBuilder<unknown>): Promise<EventTotals> {
  const { sql: text, parameters } = where.compile(db);
  const key = JSON.stringify([text, parameters]);
  const known = kept.get(db) ?? new Map<string, EventTotals>();
  kept.set(db, known);
  const former = known.get(key);
  const { revision, changed } = await revisionSince(db, former?.revision);
  if (former?.revision === revision) return former;
  const totals =
    former && changed * EVENTS_PER_DAY < former.total
      ? await recount(db, where, former, revision, changed)
      : await countAll(db, where, revision);
  keep(known, key, totals);
  return totals;
}

/** The days of a page of at most `limit` events in the order of their start; undefined where there is none. */
export function pageDays({ days }: EventTotals, offset: number, limit: number): PageDays | undefined {
  let [left, wanted] = [offset, limit];
  let from: number | undefined;
  let to = 0;
  for (const [day, count] of days) {
    if (from === undefined && left >= count) {
      left -= count;
      continue;
    }
    wanted -= from === undefined ? count - left : count;
    from ??= day;
    to = day;
    if (wanted <= 0) break;
  }
  return from === undefined ? undefined : { from, to, offset: left };
}

async function revisionSince(
  db: StoreDatabase,
  known: number | undefined,
): Promise<{ readonly revision: number; readonly changed: number }> {
  const changed =
    known === undefined ? sql`0` : sql`(select count(*)::integer from site.event_days where revision > ${known})`;
  const result = await sql<{
    revision: number;
    changed: number;
  }>`select value as revision, ${changed} as changed from site.revision`.execute(db);
  return rowOf(result);
}

type Count = { readonly revision: number; readonly day: number; readonly total: number };
const NUMBER = sql`- date '1970-01-01'`;

/**
 * All days in one statement, so of one moment. The revision was read before: what is counted is never older than it
 * says.
 */
async function countAll(db: StoreDatabase, where: RawBuilder<unknown>, revision: number): Promise<EventTotals> {
  const { rows } = await sql<Count>`
    select start_wall::date ${NUMBER} as day, count(*)::integer as total, (select value from site.revision) as revision from site.events where ${where} group by 1 order by 1`.execute(
    db,
  );
  return totalsOf(
    rows[0]?.revision ?? revision,
    rows.map(({ day, total }) => [day, total]),
  );
}

async function recount(
  db: StoreDatabase,
  where: RawBuilder<unknown>,
  former: EventTotals,
  revision: number,
  changed: number,
): Promise<EventTotals> {
  if (changed === 0) return { ...former, revision };
  const { rows } = await sql<Count>`
    select day ${NUMBER} as day, (select value from site.revision) as revision,
      (select count(*)::integer from site.events where ${where} and start_wall >= event_days.day and start_wall < event_days.day + 1) as total
    from site.event_days where revision > ${former.revision}`.execute(db);
  const days = new Map(former.days);
  for (const { day, total } of rows) days.set(day, total);
  return totalsOf(
    rows[0]?.revision ?? revision,
    [...days].filter(([, total]) => total > 0).toSorted(([one], [other]) => one - other),
  );
}

const totalsOf = (revision: number, days: readonly (readonly [number, number])[]): EventTotals => ({
  revision,
  total: days.reduce((sum, [, count]) => sum + count, 0),
  days: new Map(days),
});

/** What was asked for last goes last; the first ones are those to forget. */
function keep(known: Map<string, EventTotals>, key: string, totals: EventTotals): void {
  known.delete(key);
  known.set(key, totals);
  let days = [...known.values()].reduce((sum, { days: { size } }) => sum + size, 0);
  for (const [
    oldest,
    {
      days: { size },
    },
  ] of known) {
    if ((known.size <= FILTERS_MAX && days <= DAYS_MAX) || oldest === key) return;
    known.delete(oldest);
    days -= size;
  }
}
