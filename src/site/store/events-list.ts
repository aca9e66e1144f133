import { INTEGER_MAX } from '../../contract/limits.ts';
import { sql, type Sql, type Queryable } from '../../db/database.ts';
import type { Api } from '../../contract/api.ts';
import type { Input } from '../../contract/endpoint.ts';
import type { TermRef } from '../../contract/reference-args.ts';
import type { EventPage } from '../../contract/representation.ts';
import type { Answer } from '../handlers.ts';
import type { Caller, HandlerContext } from '../context.ts';
import { HttpProblem, invalidParams } from '../http-problem.ts';
import { collectionUrl } from './addresses.ts';
import { dateConditions } from './date-filters.ts';
import { nearestRows } from './event-rows.ts';
import { eventTotals, totalsWithout } from './event-totals.ts';
import { foundAt, keptFor, type KeptAt } from './kept-at.ts';
import { nearby } from './nearby.ts';
import { listParam, collectionLinks, param, type LinkParams, type PageLinks } from './page.ts';
import { mayEditOthers } from './rights.ts';
import { leftOut, matches } from './search.ts';
import { shownEvents, shownPage } from './shown-events.ts';
import type { Taxonomy } from './tables.ts';
import { knownTerms, withChildren } from './term-refs.ts';
import { allOf, readable, shownWhole, visiblePosts } from './visible.ts';
import { unknownIds } from './none-there.ts';

type Asked = Input<Api['listEvents']>;
/** The filters apart from the search. */
interface Filter {
  readonly conditions: readonly Sql[];
  readonly params: LinkParams;
}

const SEARCHED = sql.ref('searched');

/**
 * Returns a page of events, ordered by start in their own wall clock, then by publication. Takes a constant number of
 * queries, whatever the size of the page.
 */
export async function listEvents(asked: Asked, ctx: HandlerContext): Promise<Answer<EventPage>> {
  const { db } = ctx;
  const { conditions, params } = await filterOf(db, asked, ctx);
  const near = await nearby(db, asked, ctx.caller);
  const others = [...conditions, ...(near ? [near.condition] : []), ...openConditions(asked, ctx)];
  const where = allOf([...others, ...(asked.search === undefined ? [] : [matches(SEARCHED, asked.search)])]);
  const linksFor = (total: number): PageLinks =>
    collectionLinks(collectionUrl(ctx.settings, 'events'), asked, [...params, ...(near?.params ?? [])], total);
  const wanted = {
    where,
    order: asked.include && sql`published_at, id`,
    limit: asked.per_page,
    offset: (asked.page - 1) * asked.per_page,
  };
  if (isAllOnOnePage(asked) && !near?.center) {
    const events = await shownPage(db, wanted, undefined, ctx);
    return { body: { events, ...linksFor(events.length) } };
  }
  const without = leftOut(SEARCHED, asked.search ?? '');
  const totals = await (without
    ? totalsWithout(db, allOf(others), without, ctx.revision)
    : eventTotals(db, where, ctx.revision));
  const links = linksFor(totals.total);
  if (asked.page > Math.max(1, links.total_pages))
    throw new HttpProblem('event-archive-page-not-found', 'The requested event archive page does not exist.');
  const events = near?.center
    ? await shownEvents(db, await nearestRows(db, wanted, near.center, totals), ctx)
    : await shownPage(db, wanted, totals, ctx);
  return { body: { events, ...links } };
}

/** Whether a page holds all existing events of `include`, so that reading it also counts them. */
const isAllOnOnePage = ({ include, page, per_page: perPage }: Asked): boolean =>
  include !== undefined && page === 1 && include.length <= perPage;

async function filterOf(db: Queryable, asked: Asked, ctx: HandlerContext): Promise<Filter> {
  if (asked.ticketed) throw ticketsProblem();
  // When ids are given, dates are ignored (interface.md, 4.2).
  const dates = asked.include ? { conditions: [], params: [] } : dateConditions(asked, ctx);
  const plain = plainConditions(asked);
  const kept = keptFor(ctx);
  const linked = await linkedConditions(db, asked, ctx.caller, kept);
  const categories = await termCondition(db, 'categories', asked.categories, kept);
  const tags = await termCondition(db, 'tags', asked.tags, kept);
  // Editors who ask for a status also get hidden events; otherwise a sync would take these for gone.
  const hidden = asked.status !== undefined && mayEditOthers(ctx.caller) ? [] : [sql`not hide_from_listings`];
  const status = asked.status ?? (ctx.caller ? undefined : ['publish' as const]);
  return {
    conditions: [
      visiblePosts(asked.status, ctx.caller),
      ...hidden,
      ...dates.conditions,
      ...plain.conditions,
      ...linked.conditions,
      ...categories.conditions,
      ...tags.conditions,
    ],
    params: [
      ...dates.params,
      ...plain.params,
      ...listParam('status', status),
      ...linked.params,
      ...categories.params,
      ...tags.params,
    ],
  };
}

// Filters that would reveal what the password of an event hides.
const TELLING = [
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'geoloc',
  'geoloc_lat',
  'geoloc_lng',
] as const;

/**
 * Keeps callers from finding protected events, which they may not edit, by what is hidden: texts, place, people, terms
 * and flags.
 */
const openConditions = (asked: Asked, { caller }: HandlerContext): readonly Sql[] =>
  TELLING.some((filter) => asked[filter] !== undefined) ? shownWhole(caller) : [];

function plainConditions({
  search,
  featured,
  include,
  ticketed,
  post_parent: parent,
  translation_language: language,
}: Asked): Filter {
  return {
    conditions: [
      ...(featured === undefined ? [] : [sql`featured = ${featured}`]),
      ...(include === undefined ? [] : [sql`id = any (${include.filter((id) => id <= INTEGER_MAX)}::integer[])`]),
      ...(language === undefined ? [] : [sql`language = ${language}`]),
      // Events here never have a parent.
      ...(parent === undefined ? [] : [sql`false`]),
    ],
    params: [
      ...param('search', search),
      ...param('featured', featured),
      // An empty list is a filter, too: it matches no event.
      ...(include?.length === 0 ? param('include', '') : listParam('include', include)),
      ...param('ticketed', ticketed),
      ...param('post_parent', parent),
      ...param('translation_language', language),
    ],
  };
}

const LINKED = { venues: 'venue', organizers: 'organizer', events: 'post_parent' } as const;
type LinkedTable = keyof typeof LINKED;

/** Filters by venue and organizer, ignoring those that the caller may not see. Throws HttpProblem unless all exist. */
async function linkedConditions(
  db: Queryable,
  { venue, organizer, post_parent: parent }: Asked,
  caller: Caller | null,
  kept: KeptAt | undefined,
): Promise<Filter> {
  const wanted = {
    venues: [...new Set(within(venue))],
    organizers: [...new Set(within(organizer))],
    events: parent === undefined ? [] : within([parent]),
  };
  const shown: Partial<Record<LinkedTable, readonly number[]>> = {};
  const wrong: Record<string, string> = {};
  for (const table of ['venues', 'organizers', 'events'] as const) {
    const ids = wanted[table];
    if (ids.length === 0) continue;
    const found = await foundIds(db, table, ids, readable(caller), kept);
    shown[table] = found;
    if (found.length === ids.length) continue;
    const existing = new Set(await foundIds(db, table, ids, [], kept));
    const missing = ids.filter((id) => !existing.has(id));
    if (missing.length > 0) wrong[LINKED[table]] = unknownIds(table, missing);
  }
  if (Object.keys(wrong).length > 0) throw invalidParams(wrong);
  return {
    conditions: [
      ...(shown.venues ? [sql`venue_ids && ${shown.venues}::integer[]`] : []),
      ...(shown.organizers ? [sql`organizer_ids && ${shown.organizers}::integer[]`] : []),
    ],
    params: [...listParam('venue', venue), ...listParam('organizer', organizer)],
  };
}

/** Those of the ids that exist and meet further conditions. */
const foundIds = (
  db: Queryable,
  table: LinkedTable,
  ids: readonly number[],
  conditions: readonly Sql[],
  kept: KeptAt | undefined,
): Promise<readonly number[]> =>
  foundAt(
    kept,
    JSON.stringify([conditions.length === 0 ? 'existing' : 'readable', table, ids]),
    async () => {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.ref(`site.${table}`)} where ${allOf([sql`id = any (${ids})`, ...conditions])}`.execute(db);
      return rows.map(({ id }) => id);
    },
    table === 'events' ? 'everything' : 'parts',
  );

/** Filters by terms, including the descendants of categories. Throws HttpProblem unless all terms exist. */
async function termCondition(
  db: Queryable,
  taxonomy: Taxonomy,
  refs: readonly TermRef[] | undefined,
  kept: KeptAt | undefined,
): Promise<Filter> {
  if (refs === undefined || refs.length === 0) return { conditions: [], params: [] };
  const all = await foundAt(kept, JSON.stringify([taxonomy, refs]), async () => {
    const ids = await knownTerms(db, taxonomy, refs, taxonomy);
    return taxonomy === 'categories' ? withChildren(db, ids) : ids;
  });
  const column = sql.ref(taxonomy === 'categories' ? 'category_ids' : 'tag_ids');
  return {
    conditions: [sql`${column} && ${all}::integer[]`],
    params: listParam(
      taxonomy,
      refs.map((ref) => (ref.kind === 'id' ? ref.id : ref.text)),
    ),
  };
}

function ticketsProblem(): HttpProblem {
  const message = 'This site sells no tickets.';
  return new HttpProblem('rest_invalid_param', 'Invalid parameter(s): ticketed', {
    params: { ticketed: message },
    details: { ticketed: { code: 'event-tickets-not-active', message, data: { status: 400 } } },
  });
}

/** Ids beyond the column's type cannot exist, so 0, which never exists, replaces them. */
const within = (ids: readonly number[] | undefined): number[] => (ids ?? []).map((id) => (id > INTEGER_MAX ? 0 : id));
