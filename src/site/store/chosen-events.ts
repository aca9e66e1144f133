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

/** A selection on the days that it means. */
export interface Chosen extends Undated {
  readonly days: Days;
  /** Only featured events with a picture. */
  readonly isHighlight?: true;
  /**
   * Only events that last for more than a week and have begun by a day (those that end first at the beginning), or only
   * all others.
   */
  readonly lasting?: { readonly areWanted: boolean; readonly by: string };
}

/** Part of a list. */
interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** How many events are chosen, in all and by the day on which they start (days since 1970). */
export type ChosenTotals = Pick<EventTotals, 'total' | 'days'>;

/**
 * The public events of a selection, by their start, as the list of the interface shows them to somebody who is not
 * signed in. That list cannot be asked for all of this.
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

/** The first events of a selection, uncounted. */
export async function firstChosen(chosen: Chosen, limit: number, ctx: HandlerContext): Promise<readonly Event[]> {
  return shownPage(ctx.db, { where: await conditionOf(ctx.db, chosen, ctx), limit, offset: 0 }, undefined, ctx);
}

/** How many events a selection has. */
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

/** The condition for what everybody may see of a selection. */
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

/** What everybody may see in lists. */
export const LISTED = allOf([visiblePosts(undefined, null), sql`not hide_from_listings`]);

/** What a selection asks of events besides their days. */
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
    // Nobody finds a protected event by what its password hides.
    ...(telling.length > 0 ? shownWhole(null) : []),
  ];
}

const SEARCHED = sql.ref('searched');

const WEEK_AND_DAY = 8;

function areLasting({ areWanted, by }: NonNullable<Chosen['lasting']>, first: string): Sql {
  const end = sql`${`${dayAfter(by)} 00:00:00`}::timestamp`;
  if (areWanted) return sql`${LASTING} and start_wall < ${end}`;
  // What has begun earlier either lasts or is over, so that nothing before needs to be looked at.
  const begin = sql`${`${dayAfter(first, -WEEK_AND_DAY)} 00:00:00`}::timestamp`;
  return sql`start_wall >= ${begin} and not (${LASTING} and start_wall < ${end})`;
}

/** The same as `isOn` says of one event. */
function onDays({ first, last }: Days): readonly Sql[] {
  const begin = sql`${`${first} 00:00:00`}::timestamp`;
  return [
    // The first condition follows from the second, and an index has it.
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

/** The ids of what is named by slug or id; categories with those below them. */
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
