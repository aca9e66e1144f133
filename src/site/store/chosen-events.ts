import { sql, type Queryable, type Sql } from '../../db/database.ts';
import type { Event } from '../../contract/representation.ts';
import type { Days } from '../../selection/days.ts';
import { LIST_NAMES, type ListName, type Undated } from '../../selection/selection.ts';
import { dayAfter } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { eventTotals, totalsWithout, type EventTotals } from './event-totals.ts';
import { foundAt, keptFor, type KeptAt } from './kept-at.ts';
import { leftOut, matches } from './search.ts';
import { LASTING } from './series-dates.ts';
import { shownPage } from './shown-events.ts';
import { addressRefs, withChildren } from './term-refs.ts';
import { allOf, shownWhole, visiblePosts } from './visible.ts';

/** A selection with its days resolved. */
export interface Chosen extends Undated {
  readonly days: Days;
  /** Only featured events with an image. */
  readonly isHighlight?: true;
  /** Only events that last for more than a week and have begun by a day, ordered by end; or only the others. */
  readonly lasting?: { readonly areWanted: boolean; readonly by: string };
}

/** A slice of a list. */
interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** The number of events chosen, in total and by start day (days since 1970). */
export type ChosenTotals = Pick<EventTotals, 'total' | 'days'>;

/**
 * Returns the public events of a selection, ordered by start, as the interface's list shows them to anonymous callers.
 * Unlike the list endpoint, it supports all filters of a selection.
 */
export async function chosenEvents(
  chosen: Chosen,
  part: Part,
  ctx: HandlerContext,
): Promise<ChosenTotals & { readonly events: readonly Event[] }> {
  const where = await conditionOf(ctx.db, chosen, ctx);
  const totals = await totalsOf(where, chosen, ctx);
  const order = chosen.lasting?.areWanted ? sql`end_wall, start_wall, id` : undefined;
  const events = part.offset < totals.total ? await shownPage(ctx.db, { where, order, ...part }, totals, ctx) : [];
  return { total: totals.total, days: totals.days, events };
}

/** Returns the first events of a selection without counting them all. */
export async function firstChosen(chosen: Chosen, limit: number, ctx: HandlerContext): Promise<readonly Event[]> {
  return shownPage(ctx.db, { where: await conditionOf(ctx.db, chosen, ctx), limit, offset: 0 }, undefined, ctx);
}

/** Counts the events of a selection. */
export async function countChosen(chosen: Chosen, ctx: HandlerContext): Promise<number> {
  return (await totalsOf(await conditionOf(ctx.db, chosen, ctx), chosen, ctx)).total;
}

/** The totals of a selection whose condition is `where`. */
async function totalsOf(where: Sql, chosen: Chosen, ctx: HandlerContext): Promise<EventTotals> {
  const without = leftOut(SEARCHED, chosen.search);
  const until = lastStart(chosen);
  if (!without) return eventTotals(ctx.db, where, ctx.revision, until);
  const others = await conditionOf(ctx.db, { ...chosen, search: '' }, ctx);
  return totalsWithout(ctx.db, allOf([others, ...shownWhole(null)]), without, ctx.revision, until);
}

/** The last day on which a chosen event can start. */
export const lastStart = ({ days: { last }, lasting }: Chosen): string | undefined =>
  lasting?.areWanted ? lasting.by : last;

/** The SQL condition for those events of a selection that are public. */
export async function conditionOf(db: Queryable, chosen: Chosen, ctx: HandlerContext): Promise<Sql<boolean>> {
  const { days, isHighlight, lasting } = chosen;
  return allOf([
    LISTED,
    ...onDays(days),
    ...(lasting ? [areLasting(lasting, days.first)] : []),
    ...(await undatedConditions(db, chosen, keptFor(ctx))),
    ...(isHighlight ? [sql`featured and image_id is not null`, ...shownWhole(null)] : []),
  ]);
}

/** Matches events that appear in public lists. */
export const LISTED = allOf([visiblePosts(undefined, null), sql`not hide_from_listings`]);

/** The SQL conditions of a selection apart from its days. */
export async function undatedConditions(
  db: Queryable,
  { search, free, language, ...lists }: Undated,
  kept?: KeptAt,
): Promise<readonly Sql[]> {
  const linked: Sql[] = [];
  for (const name of LIST_NAMES) {
    if (lists[name].length === 0) continue;
    linked.push(sql`${COLUMNS[name]} && ${[...(await idsOf(db, name, lists[name], kept))]}::integer[]`);
  }
  const telling = [
    ...(search === '' ? [] : [matches(SEARCHED, search)]),
    ...linked,
    ...(free ? [sql`site.is_free(cost_values)`] : []),
  ];
  return [
    ...telling,
    ...(language === '' ? [] : [sql`language = ${language}`]),
    // The filter must not reveal what the password of a protected event hides.
    ...(telling.length > 0 ? shownWhole(null) : []),
  ];
}

const SEARCHED = sql.ref('searched');

const WEEK_AND_DAY = 8;

function areLasting({ areWanted, by }: NonNullable<Chosen['lasting']>, first: string): Sql {
  const end = sql`${`${dayAfter(by)} 00:00:00`}::timestamp`;
  if (areWanted) return sql`${LASTING} and start_wall < ${end}`;
  // Anything that began earlier either lasts or is over, so earlier events need not be read.
  const begin = sql`${`${dayAfter(first, -WEEK_AND_DAY)} 00:00:00`}::timestamp`;
  return sql`start_wall >= ${begin} and not (${LASTING} and start_wall < ${end})`;
}

/** The SQL equivalent of `isOn`. */
function onDays({ first, last }: Days): readonly Sql[] {
  const begin = sql`${`${first} 00:00:00`}::timestamp`;
  return [
    // The first condition follows from the second; it is there because it has an index.
    sql`end_wall >= ${begin} and (end_wall > ${begin} or start_wall >= ${begin})`,
    ...(last === undefined ? [] : [sql`start_wall < ${`${dayAfter(last)} 00:00:00`}::timestamp`]),
  ];
}

const COLUMNS: Readonly<Record<ListName, Sql>> = {
  categories: sql.ref('category_ids'),
  tags: sql.ref('tag_ids'),
  places: sql.ref('venue_ids'),
  organizers: sql.ref('organizer_ids'),
};
const TABLES = { places: 'venues', organizers: 'organizers' } as const;

/** The ids for slugs or ids; for categories including their descendants. */
function idsOf(
  db: Queryable,
  name: ListName,
  refs: readonly string[],
  kept: KeptAt | undefined,
): Promise<readonly number[]> {
  return foundAt(kept, JSON.stringify(['chosen', name, refs]), async () => {
    const { slugs, ids } = addressRefs(refs);
    const { rows } =
      name === 'places' || name === 'organizers'
        ? await sql<{ id: number }>`select id from ${sql.ref(`site.${TABLES[name]}`)}
            where status = 'publish' and (slug = any (${slugs}) or id = any (${ids}))`.execute(db)
        : await sql<{ id: number }>`select id from site.terms
            where taxonomy = ${name} and slug = any (${slugs})`.execute(db);
    const found = rows.map(({ id }) => id);
    return name === 'categories' ? withChildren(db, found) : found;
  });
}
