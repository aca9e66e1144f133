import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';
import { eventTotals } from './event-totals.ts';
import { addressRefs, withChildren } from './term-refs.ts';

/** What begins on a day and ends with it. */
export interface DayEvents {
  readonly day: string;
  /** Of the first ones. */
  readonly ids: readonly number[];
  readonly total: number;
}

/** An event that is on for several days. */
export interface Span {
  readonly id: number;
  readonly first: string;
  readonly last: string;
}

/** The categories that a page tells of: what has one of them. */
export interface ChosenCategories {
  /** As in the address. */
  readonly slugs: readonly string[];
  /** With markup characters as entities. */
  readonly names: readonly string[];
  /** With those below them. */
  readonly ids: readonly number[];
}

/** What the pages of a month or a week tell of events. Strangers may know all of it. */
export interface DayTables {
  /** The days from `from` to `to` that have events of their own. `categories`: those of one of them only. */
  readonly daysBetween: (
    from: string,
    to: string,
    perDay: number,
    categories?: readonly number[],
  ) => Promise<readonly DayEvents[]>;
  /** What is on for several days and touches these; what ends first comes first. */
  readonly spansBetween: (
    from: string,
    to: string,
    limit: number,
    categories?: readonly number[],
  ) => Promise<readonly Span[]>;
  /** The last day before `from`, and the first after `to`, on which an event begins. */
  readonly daysAround: (
    from: string,
    to: string,
    categories?: readonly number[],
  ) => Promise<{ readonly before: string | null; readonly after: string | null }>;
  /** Categories by their slugs, with the ids of those below them; undefined where there is none of them. */
  readonly categoriesOf: (slugs: readonly string[]) => Promise<ChosenCategories | undefined>;
}

// As in the index of 061-spanning-events.
const LAST_DAY = sql`(end_wall - interval '06:00:01')::date`;
// Pages have the addresses of these years.
const YEARS = sql`start_wall >= '1900-01-01' and start_wall < '3000-01-01'`;
const SPANS = sql`${LAST_DAY} > start_wall::date`;

// A protected event shows that it is there, but not its categories.
const among = (categories: readonly number[] | undefined): Sql =>
  categories === undefined
    ? sql`status = 'publish' and not hide_from_listings`
    : sql`status = 'publish' and not hide_from_listings and password = '' and category_ids && ${[...categories]}::integer[]`;

export const dayTables = (db: Queryable): DayTables => ({
  daysBetween: async (from, to, perDay, categories) => {
    const { rows } = await sql<DayEvents>`
      select to_char(day, 'YYYY-MM-DD') as day, array_agg(id order by place) filter (where place <= ${perDay}) as ids,
        count(*)::integer as total
      from (select id, start_wall::date as day,
          row_number() over (partition by start_wall::date order by start_wall, published_at, id) as place
        from site.events where ${among(categories)} and not (${SPANS})
          and start_wall >= ${from}::timestamp and start_wall < ${to}::timestamp + interval '1 day') as placed
      group by day order by day`.execute(db);
    return rows;
  },
  spansBetween: async (from, to, limit, categories) => {
    const { rows } = await sql<Span>`
      select id, to_char(start_wall, 'YYYY-MM-DD') as first, to_char(${LAST_DAY}, 'YYYY-MM-DD') as last
      from site.events where ${among(categories)} and ${SPANS}
        and end_wall > ${from}::timestamp + interval '06:00' and start_wall < ${to}::timestamp + interval '1 day'
      order by end_wall, start_wall, id limit ${limit}`.execute(db);
    return rows;
  },
  daysAround: (from, to, categories) =>
    categories === undefined ? daysBeside(db, from, to) : daysCounted(db, from, to, categories),
  categoriesOf: async (slugs) => {
    const { rows } = await sql<{ id: number; name: string }>`select id, name from site.terms
      where taxonomy = 'categories' and slug = any (${addressRefs(slugs).slugs}) order by name`.execute(db);
    if (rows.length === 0) return undefined;
    const ids = rows.map(({ id }) => id);
    return { slugs, names: rows.map(({ name }) => name), ids: await withChildren(db, ids) };
  },
});

interface Around {
  readonly before: string | null;
  readonly after: string | null;
}

/** An index has them side by side. */
async function daysBeside(db: Queryable, from: string, to: string): Promise<Around> {
  const all = among(undefined);
  const { rows } = await sql<Around>`
    select to_char((select start_wall from site.events where ${all} and ${YEARS} and start_wall < ${from}::timestamp
        order by start_wall desc limit 1), 'YYYY-MM-DD') as before,
      to_char((select start_wall from site.events where ${all} and ${YEARS}
        and start_wall >= ${to}::timestamp + interval '1 day' order by start_wall limit 1), 'YYYY-MM-DD') as after`.execute(
    db,
  );
  return rows[0] ?? { before: null, after: null };
}

/**
 * The events of a category may be few and far away: they are counted once for all of its pages, not looked for among
 * all others on each.
 */
async function daysCounted(db: Queryable, from: string, to: string, categories: readonly number[]): Promise<Around> {
  const { days } = await eventTotals(db, sql`${among(categories)} and ${YEARS}`);
  const begun = [...days.keys()].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  return { before: begun.findLast((day) => day < from) ?? null, after: begun.find((day) => day > to) ?? null };
}
