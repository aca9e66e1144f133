import { rowOf, sql, type Sql, type Queryable } from '../../db/database.ts';

/**
 * How many events match a filter, in total and by the day on which they start (days since 1970), at a revision of the
 * site.
 */
export interface EventTotals {
  readonly revision: number;
  readonly total: number;
  readonly days: ReadonlyMap<number, number>;
}
/** Where a page is: on which days, and how many events of the first day come before it. */
export interface PageDays {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const FILTERS_MAX = 1_000;
const DAYS_MAX = 200_000;
// Counting one day takes about as long as counting this many events.
const EVENTS_PER_DAY = 200;
const kept = new WeakMap<Queryable, Map<string, EventTotals>>();

/**
 * How many events match a condition on their own columns, exactly. Each filter is counted in full once, later only the
 * days that have changed. Every write records those days in its own transaction, so a stale count is noticed at once.
 * `asked`: the revision, if the request has asked for it.
 */
export async function eventTotals(db: Queryable, where: Sql, asked?: string): Promise<EventTotals> {
  const { text, values } = where.compile();
  const key = JSON.stringify([text, values]);
  const known = kept.get(db) ?? new Map<string, EventTotals>();
  kept.set(db, known);
  const former = known.get(key);
  if (former && asked === String(former.revision)) return former;
  const { revision, changed } = await revisionSince(db, former?.revision);
  if (former?.revision === revision) return former;
  const totals =
    former && changed * EVENTS_PER_DAY < former.total
      ? await recount(db, where, former, revision, changed)
      : await countAll(db, where, revision);
  keep(known, key, totals);
  return totals;
}

/** The days of a page of at most `limit` events ordered by start; undefined if the page is empty. */
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
  db: Queryable,
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
 * All days in one statement, so from one moment. The revision was read before, so the count may be newer than its
 * revision but never older.
 */
async function countAll(db: Queryable, where: Sql, revision: number): Promise<EventTotals> {
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
  db: Queryable,
  where: Sql,
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

/** Moves the entry to the end; the first entries are the least recently used, and are dropped. */
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
