import { INTEGER_MAX } from '../../contract/limits.ts';
import { sql, type Sql, type Queryable } from '../../db/database.ts';
import type { Api } from '../../contract/api.ts';
import type { Input } from '../../contract/endpoint.ts';
import type { Caller, HandlerContext } from '../context.ts';
import { HttpProblem, invalidParams } from '../http-problem.ts';
import { collectionUrl } from './addresses.ts';
import type { LinkedKind, LinkedRow } from './linked.ts';
import { listParam, collectionLinks, param, type PageLinks } from './page.ts';
import { matches } from './search.ts';
import type { ImageRow } from './tables.ts';
import { totalOf } from './totals.ts';
import { allOf, oneShownWhole, partlyShown, visiblePosts } from './visible.ts';
import { unknownIds } from './none-there.ts';

type Asked = Input<Api['listVenues']> & Input<Api['listOrganizers']>;
export interface LinkedPage<K extends LinkedKind> {
  readonly rows: readonly LinkedRow<K>[];
  readonly images: ReadonlyMap<number, ImageRow>;
  readonly links: PageLinks;
}

const LINKS = { venues: sql.ref('venue_ids'), organizers: sql.ref('organizer_ids') } as const;
// Must match the indexes of migration 011-list-indexes.
const SEARCHED = {
  venues: sql`site.plain(title || ' ' || excerpt || ' ' || description || ' ' || address || ' ' || city || ' ' ||
    province || ' ' || state || ' ' || zip || ' ' || phone)`,
  organizers: sql`site.plain(title || ' ' || excerpt || ' ' || description || ' ' || phone || ' ' || email || ' ' || website)`,
} as const;

/**
 * Matches venues or organizers that have events. The database maintains these links for all events except drafts and
 * trashed ones. Private and scheduled events do not reveal where they are, nor do protected ones to callers who may not
 * see all of them.
 */
function hasEventsFor(caller: Caller | null, since?: Date): Sql {
  const hidden = partlyShown(caller);
  const conditions = [
    sql`linked_id = id`,
    sql`is_published`,
    ...(since ? [sql`start_at >= ${since}`] : []),
    ...(hidden ? [sql`event_id <> all (array(${hidden}))`] : []),
  ];
  return sql`exists (select from site.event_links where ${allOf(conditions)})`;
}

/**
 * Returns a page of venues or organizers, newest first. Throws HttpProblem if the page or a named event does not exist.
 */
export async function listLinked<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  asked: Asked,
  ctx: HandlerContext,
): Promise<LinkedPage<K>> {
  const where = allOf(await conditionsOf(db, kind, asked, ctx));
  const table = sql.ref(`site.${kind}`);
  const { search, event, has_events: hasEvents, only_with_upcoming: upcoming, translation_language: language } = asked;
  const status = asked.status ?? (ctx.caller ? undefined : ['publish' as const]);
  const links = collectionLinks(
    collectionUrl(ctx.settings, kind),
    asked,
    [
      ...param('search', search),
      ...param('event', event),
      ...param('has_events', hasEvents),
      ...param('only_with_upcoming', upcoming || undefined),
      ...listParam('status', status),
      ...param('translation_language', language),
    ],
    await totalOf(db, kind, where, ctx.revision),
  );
  if (asked.page > Math.max(1, links.total_pages)) {
    throw new HttpProblem(
      kind === 'venues' ? 'venue-archive-page-not-found' : 'organizer-archive-page-not-found',
      'The requested archive page does not exist.',
    );
  }
  const { rows } = await sql<LinkedRow<K>>`
    select * from ${table} where id = any (array(
      select id from ${table} where ${where} order by published_at desc, id
      limit ${asked.per_page} offset ${(asked.page - 1) * asked.per_page})) order by published_at desc, id`.execute(db);
  return { rows, images: await imagesOf(db, rows), links };
}

/** Reads the images of venues or organizers, by id. */
export async function imagesOf(
  db: Queryable,
  rows: readonly { readonly image_id: number | null }[],
): Promise<ReadonlyMap<number, ImageRow>> {
  const ids = rows.flatMap(({ image_id: id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const { rows: images } = await sql<ImageRow>`select * from site.images where id = any (${ids})`.execute(db);
  return new Map(images.map((image) => [image.id, image]));
}

async function conditionsOf(db: Queryable, kind: LinkedKind, asked: Asked, ctx: HandlerContext): Promise<Sql[]> {
  const {
    search,
    event,
    has_events: hasEvents,
    only_with_upcoming: upcoming,
    status,
    translation_language: language,
  } = asked;
  if (event !== undefined && !(await isEvent(db, event))) throw invalidParams({ event: unknownIds('events', [event]) });
  return [
    visiblePosts(status, ctx.caller),
    ...(search === undefined ? [] : [matches(SEARCHED[kind], search)]),
    ...(event === undefined
      ? []
      : [sql`id in (select unnest(${LINKS[kind]}) from site.events where ${oneShownWhole(event, ctx.caller)})`]),
    ...(hasEvents === undefined ? [] : [sql`${hasEventsFor(ctx.caller)} = ${hasEvents}`]),
    ...(upcoming ? [hasEventsFor(ctx.caller, new Date(ctx.now))] : []),
    ...(language === undefined ? [] : [sql`language = ${language}`]),
  ];
}

/** Whether an event with this id exists. */
export async function isEvent(db: Queryable, id: number): Promise<boolean> {
  if (id > INTEGER_MAX) return false;
  return (await sql`select from site.events where id = ${id}`.execute(db)).rows.length > 0;
}
