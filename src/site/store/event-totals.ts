import { rowOf, sql, type Sql, type Queryable } from '../../db/database.ts';
import { changesSince } from './changes.ts';

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
// To find few events, all may have to be read: so few days are always faster.
const FEW_DAYS = 8;
const FOR_EVER = '9999-12-31';
const kept = new WeakMap<Queryable, Kept>();
/** What was counted, by what was counted, the least recently used first; and how many days these are in all. */
interface Kept {
  readonly byKey: Map<string, EventTotals>;
  days: number;
}
/** What is being counted at a revision, by what is counted. */
const underWay = new WeakMap<Queryable, Map<string, Promise<EventTotals>>>();

/**
 * How many events match a condition on their own columns, exactly. Each filter is counted in full once, later only the
 * days that have changed. Every write records those days in its own transaction, so a stale count is noticed at once.
 * `asked`: the revision, if the request has asked for it; then who wants to know the same at the same time waits for one
 * count. `until`: none of the events starts after this day.
 */
export async function eventTotals(db: Queryable, where: Sql, asked?: string, until?: string): Promise<EventTotals> {
  const { text, values } = where.compile();
  const key = JSON.stringify([text, values]);
  if (asked === undefined) return totalsNow(db, { where, key, asked, until });
  const counting = underWay.get(db) ?? new Map<string, Promise<EventTotals>>();
  underWay.set(db, counting);
  const same = `${asked} ${key}`;
  const totals = counting.get(same) ?? totalsNow(db, { where, key, asked, until });
  counting.set(same, totals);
  try {
    return await totals;
  } finally {
    counting.delete(same);
  }
}

/**
 * How many match a condition and not another one. They are not counted, as there may be very many of them: they are all
 * but those that match both.
 */
export async function totalsWithout(
  db: Queryable,
  where: Sql,
  without: Sql,
  asked?: string,
  until?: string,
): Promise<EventTotals> {
  const [all, those] = await Promise.all([
    eventTotals(db, where, asked, until),
    eventTotals(db, sql`${where} and ${without}`, asked, until),
  ]);
  // Somebody has written in between.
  if (all.revision !== those.revision) return eventTotals(db, sql`${where} and not ${without}`, asked, until);
  const days = [...all.days].map(([day, count]) => [day, count - (those.days.get(day) ?? 0)] as const);
  return totalsOf(
    all.revision,
    days.filter(([, count]) => count > 0),
  );
}

interface Counted {
  readonly where: Sql;
  /** The same as a text. */
  readonly key: string;
  readonly asked: string | undefined;
  readonly until: string | undefined;
}

async function totalsNow(db: Queryable, { where, key, asked, until }: Counted): Promise<EventTotals> {
  const known = kept.get(db) ?? { byKey: new Map<string, EventTotals>(), days: 0 };
  kept.set(db, known);
  const former = known.byKey.get(key);
  if (former && asked === String(former.revision)) return former;
  const { revision, changed } = noticedSince(db, former, asked, until) ?? (await revisionSince(db, former?.revision));
  if (former?.revision === revision) return former;
  const totals =
    former && (changed <= FEW_DAYS || changed * EVENTS_PER_DAY < former.total)
      ? await recount(db, where, former, revision, changed)
      : await countAll(db, where);
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

/** A revision, and how many days have changed until then. */
interface Since {
  readonly revision: number;
  readonly changed: number;
}

/** Undefined where only the database can tell. */
function noticedSince(
  db: Queryable,
  former: EventTotals | undefined,
  asked: string | undefined,
  until = FOR_EVER,
): Since | undefined {
  if (asked === undefined) return undefined;
  if (!former) return { revision: Number(asked), changed: 0 };
  const changes = changesSince(db, former.revision, asked);
  return changes && { revision: changes.revision, changed: [...changes.days].filter((day) => !(day > until)).length };
}

async function revisionSince(db: Queryable, known: number | undefined): Promise<Since> {
  const changed =
    known === undefined ? sql`0` : sql`(select count(*)::integer from site.event_days where revision > ${known})`;
  const result = await sql<{
    revision: number;
    changed: number;
  }>`select value as revision, ${changed} as changed from site.revision`.execute(db);
  return rowOf(result);
}

const NUMBER = sql`- date '1970-01-01'`;

/**
 * All days in one statement, so from one moment, with its revision. As two lists: to be told of a row for each day would
 * take longer than to count them.
 */
async function countAll(db: Queryable, where: Sql): Promise<EventTotals> {
  const { revision, days, totals } = rowOf(
    await sql<{ revision: number; days: readonly number[]; totals: readonly number[] }>`
      with counted as (select start_wall::date ${NUMBER} as day, count(*)::integer as total
        from site.events where ${where} group by 1)
      select value as revision, array(select day from counted order by day) as days,
        array(select total from counted order by day) as totals
      from site.revision`.execute(db),
  );
  return totalsOf(
    revision,
    days.map((day, index) => [day, totals[index] ?? 0]),
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
  const { rows } = await sql<{ readonly revision: number; readonly day: number; readonly total: number }>`
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
function keep(known: Kept, key: string, totals: EventTotals): void {
  forget(known, key);
  known.byKey.set(key, totals);
  known.days += totals.days.size;
  for (const oldest of known.byKey.keys()) {
    if ((known.byKey.size <= FILTERS_MAX && known.days <= DAYS_MAX) || oldest === key) return;
    forget(known, oldest);
  }
}

function forget(known: Kept, key: string): void {
  known.days -= known.byKey.get(key)?.days.size ?? 0;
  known.byKey.delete(key);
}
