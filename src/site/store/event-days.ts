import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';
import type { ListName, Undated } from '../../selection/selection.ts';
import { LISTED, undatedConditions } from './chosen-events.ts';
import { eventTotals } from './event-totals.ts';
import { renderTitle } from './render.ts';
import { addressRefs } from './term-refs.ts';
import { allOf } from './visible.ts';

/** The events that begin and end on the same day. */
export interface DayEvents {
  readonly day: string;
  /** The ids of the first ones. */
  readonly ids: readonly number[];
  readonly total: number;
}

/** An event that lasts for several days. */
export interface Span {
  readonly id: number;
  readonly first: string;
  readonly last: string;
}

/** The display names of what is chosen (HTML), by slug. */
export type ChosenNames = Readonly<Record<ListName, ReadonlyMap<string, string>>>;

/** What the month and week pages show of events, all of it public. `chosen` limits it to a selection. */
export interface DayTables {
  /** The days from `from` to `to` on which events begin and end. */
  readonly daysBetween: (from: string, to: string, perDay: number, chosen?: Undated) => Promise<readonly DayEvents[]>;
  /** Events of several days that overlap these, ordered by end. */
  readonly spansBetween: (from: string, to: string, limit: number, chosen?: Undated) => Promise<readonly Span[]>;
  /** The last day before `from`, and the first after `to`, on which an event begins. */
  readonly daysAround: (
    from: string,
    to: string,
    chosen?: Undated,
  ) => Promise<{ readonly before: string | null; readonly after: string | null }>;
  /** The names of what is chosen, as far as it exists. */
  readonly namesOf: (chosen: Pick<Undated, ListName>) => Promise<ChosenNames>;
}

// Same expression as in the index of migration 061-spanning-events.
const LAST_DAY = sql`(end_wall - interval '06:00:01')::date`;
// The years for which pages exist.
const YEARS = sql`start_wall >= '1900-01-01' and start_wall < '3000-01-01'`;
const SPANS = sql`${LAST_DAY} > start_wall::date`;

const among = async (db: Queryable, chosen: Undated | undefined): Promise<Sql<boolean>> =>
  chosen === undefined ? LISTED : allOf([LISTED, ...(await undatedConditions(db, chosen))]);

const slugsOf = (refs: readonly string[]): readonly string[] => addressRefs(refs).slugs;

export const dayTables = (db: Queryable): DayTables => ({
  daysBetween: async (from, to, perDay, chosen) => {
    const { rows } = await sql<DayEvents>`
      select to_char(day, 'YYYY-MM-DD') as day, array_agg(id order by place) filter (where place <= ${perDay}) as ids,
        count(*)::integer as total
      from (select id, start_wall::date as day,
          row_number() over (partition by start_wall::date order by start_wall, published_at, id) as place
        from site.events where ${await among(db, chosen)} and not (${SPANS})
          and start_wall >= ${from}::timestamp and start_wall < ${to}::timestamp + interval '1 day') as placed
      group by day order by day`.execute(db);
    return rows;
  },
  spansBetween: async (from, to, limit, chosen) => {
    const { rows } = await sql<Span>`
      select id, to_char(start_wall, 'YYYY-MM-DD') as first, to_char(${LAST_DAY}, 'YYYY-MM-DD') as last
      from site.events where ${await among(db, chosen)} and ${SPANS}
        and end_wall > ${from}::timestamp + interval '06:00' and start_wall < ${to}::timestamp + interval '1 day'
      order by end_wall, start_wall, id limit ${limit}`.execute(db);
    return rows;
  },
  daysAround: async (from, to, chosen) =>
    chosen === undefined ? daysBeside(db, from, to) : daysCounted(db, from, to, await among(db, chosen)),
  namesOf: async ({ categories, tags, places, organizers }) => {
    if ([categories, tags, places, organizers].every(({ length }) => length === 0)) return NO_NAMES;
    const { rows } = await sql<{ kind: ListName; slug: string; name: string }>`
      select taxonomy as kind, slug, name from site.terms where (taxonomy = 'categories' and slug = any (${slugsOf(categories)}))
        or (taxonomy = 'tags' and slug = any (${slugsOf(tags)}))
      union all select 'places', slug, title from site.venues where status = 'publish' and slug = any (${slugsOf(places)})
      union all select 'organizers', slug, title from site.organizers
        where status = 'publish' and slug = any (${slugsOf(organizers)})`.execute(db);
    const of = (kind: ListName): ReadonlyMap<string, string> =>
      new Map(
        rows
          .filter((row) => row.kind === kind)
          .map(({ slug, name }) => [slug, kind === 'places' || kind === 'organizers' ? renderTitle(name) : name]),
      );
    return { categories: of('categories'), tags: of('tags'), places: of('places'), organizers: of('organizers') };
  },
});

const NONE: ReadonlyMap<string, string> = new Map();
const NO_NAMES: ChosenNames = { categories: NONE, tags: NONE, places: NONE, organizers: NONE };

interface Around {
  readonly before: string | null;
  readonly after: string | null;
}

/** Without a selection, an index finds both days directly. */
async function daysBeside(db: Queryable, from: string, to: string): Promise<Around> {
  const all = LISTED;
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
 * The events of a selection may be rare and far away, so they are counted once for all its pages instead of searching
 * all events for each page.
 */
async function daysCounted(db: Queryable, from: string, to: string, where: Sql): Promise<Around> {
  const { days } = await eventTotals(db, sql`${where} and ${YEARS}`);
  const begun = [...days.keys()].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  return { before: begun.findLast((day) => day < from) ?? null, after: begun.find((day) => day > to) ?? null };
}
