import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { HandlerContext } from '../context.ts';
import { conditionOf, lastStart, type Chosen } from './chosen-events.ts';
import { eventTotals, pageDays } from './event-totals.ts';

/** What events refer to, by start day. The strings are read by `idsOfLinks`. */
export type DayLinks = ReadonlyMap<string, readonly string[]>;

/** Which events are examined. */
export interface LookedAt {
  readonly conditions: readonly Sql[];
  /** The conditions as a string. */
  readonly key: string;
  /** Whether these are all chosen events, or only the next ones. */
  readonly isWhole: boolean;
}

const EVENTS_MAX = 2_000;

/** The unprotected events of some selections; if there are very many, only those of the next days. */
export async function lookedAt(chosen: readonly Chosen[], ctx: HandlerContext): Promise<LookedAt> {
  const conditions: Sql[] = [];
  let isWhole = true;
  for (const one of chosen) {
    const where = await conditionOf(ctx.db, one, ctx);
    const totals = await eventTotals(ctx.db, where, ctx.revision, lastStart(one));
    const isAll = totals.total <= EVENTS_MAX;
    const days = isAll ? undefined : pageDays(totals, 0, EVENTS_MAX);
    const until = days && sql` and start_wall < date '1970-01-01' + ${days.to + 1}::integer`;
    conditions.push(sql`${where} and password = ''${until ?? sql``}`);
    isWhole &&= isAll;
  }
  return { conditions, key: JSON.stringify(conditions.map((condition) => condition.compile())), isWhole };
}

/** The columns that `idsOfLinks` reads, in this order. */
const LINKS = sql`concat_ws('/', category_ids::text, tag_ids::text, venue_ids::text, organizer_ids::text)`;

/** Reads what the events examined refer to; with `days`, only events that start on these. */
export async function linksByDay(
  db: Queryable,
  { conditions }: LookedAt,
  days?: ReadonlySet<string>,
): Promise<DayLinks> {
  const onDay = days ? sql` and start_wall >= wanted.day and start_wall < wanted.day + 1` : sql``;
  const parts = conditions.map(
    (where) => sql`select id, start_wall::date as day, ${LINKS} as links from site.events where ${where}${onDay}`,
  );
  const found = sql`(${sql.join(parts, sql` union all `)}) as found`;
  const from = days ? sql`unnest(${[...days]}::date[]) as wanted (day), lateral ${found}` : found;
  const { rows } = await sql<{ day: string; links: string }>`
    select to_char(found.day, 'YYYY-MM-DD') as day, string_agg(links, ' ' order by id) as links from ${from} group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ day, links }) => [day, links.split(' ')]));
}

/** The ids to which an event refers: its categories, tags, places and organizers. */
export const idsOfLinks = (links: string): readonly (readonly number[])[] =>
  links.split('/').map((ids) => (ids === '{}' ? [] : ids.slice(1, -1).split(',').map(Number)));
