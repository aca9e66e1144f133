import { rowOf, sql, type Sql, type Queryable } from '../../db/database.ts';
import { changesSince } from './changes.ts';

/** The number of events that match a filter, in total and by start day (days since 1970), at a revision of the site. */
export interface EventTotals {
  readonly revision: number;
  readonly total: number;
  readonly days: ReadonlyMap<number, number>;
}
/** The days that a page covers, and how many events of the first day precede it. */
export interface PageDays {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

const FILTERS_MAX = 1_000;
const DAYS_MAX = 200_000;
// Counting one day takes about as long as counting this many events.
const EVENTS_PER_DAY = 200;
// Finding few events may take reading all of them, so recounting this few days is always faster.
const FEW_DAYS = 8;
const FOR_EVER = '9999-12-31';
const kept = new WeakMap<Queryable, Kept>();
/** Totals by filter, the least recently used first, and the number of days in all of them. */
interface Kept {
  readonly byKey: Map<string, EventTotals>;
  days: number;
}
/** Counts under way, by revision and filter. */
const underWay = new WeakMap<Queryable, Map<string, Promise<EventTotals>>>();

/**
 * Counts exactly the events that match a condition on their own columns. Each filter is counted in full once, and later
 * only for the days that have changed: every write records its days in its own transaction, so outdated counts are
 * recognized. `asked` is the revision, if the request has read it; concurrent requests with it then share one count.
 * `until` is a day after which none of the events starts.
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
 * Counts the events that match a condition but not a second one. As these may be very many, they are computed as all
 * less those that match both.
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
  // There was a write in between.
  if (all.revision !== those.revision) return eventTotals(db, sql`${where} and not ${without}`, asked, until);
  const days = [...all.days].map(([day, count]) => [day, count - (those.days.get(day) ?? 0)] as const);
  return totalsOf(
    all.revision,
    days.filter(([, count]) => count > 0),
  );
}

interface Counted {
  readonly where: Sql;
  /** The condition as a string. */
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

/** A revision, and the number of days changed up to it. */
interface Since {
  readonly revision: number;
  readonly changed: number;
}

/** The changes that this process knows of; undefined if only the database can tell. */
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
 * Counts all days in one statement, so that counts and revision are consistent. It returns two arrays because receiving
 * a row per day would take longer than counting.
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

/** Stores totals as the most recently used, and drops the least recently used ones beyond the limits. */
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
