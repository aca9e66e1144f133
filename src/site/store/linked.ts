import { INTEGER_MAX } from '../../contract/limits.ts';
import { rowOf, sql, type Queryable, type Sql } from '../../db/database.ts';
import type { ImageRef } from '../../contract/post-args.ts';
import type { OrganizerData } from '../../contract/organizer.ts';
import type { VenueData } from '../../contract/venue.ts';
import type { Caller, HandlerContext } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { imageId } from './images.ts';
import { nextPost, type NextPost, type PostAsked } from './next-post.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import { freeSlug } from './slugs.ts';
import type { OrganizerRow, PostRow, VenueRow } from './tables.ts';
import { trashedSlug } from './status.ts';
import { assertAuthor } from './users.ts';
import { allOf, readable } from './visible.ts';

/** The two kinds of posts that events link to. */
export type LinkedKind = 'venues' | 'organizers';
export type LinkedRow<K extends LinkedKind> = K extends 'venues' ? VenueRow : OrganizerRow;
/** What a request may set on a venue or organizer; a create always names it. */
export type LinkedAsked = Omit<Partial<VenueData & OrganizerData>, 'image'> & {
  readonly image?: ImageRef | null;
  readonly translation_language?: string;
};

const NAMES = { venues: 'venue', organizers: 'organizer' } as const;
const TEXTS = {
  venues: ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'],
  organizers: ['phone', 'website', 'email'],
} as const;

/** Reads a venue or organizer by id or slug; undefined if there is none (in that language, if one is given). */
export async function findLinked<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  key: { readonly id: number } | { readonly slug: string },
  language?: string,
): Promise<LinkedRow<K> | undefined> {
  if ('id' in key && key.id > INTEGER_MAX) return undefined;
  const where = 'id' in key ? sql`id = ${key.id}` : sql`slug = ${key.slug} and slug <> ''`;
  const inLanguage = language === undefined ? sql`` : sql`and language = ${language}`;
  const { rows } = await sql<
    LinkedRow<K>
  >`select * from ${sql.ref(`site.${kind}`)} where ${where} ${inLanguage} order by id limit 1`.execute(db);
  return rows[0];
}

/** The ids of those venues or organizers that the caller may not see. */
export async function unseenAmong(
  db: Queryable,
  kind: LinkedKind,
  ids: readonly number[],
  caller: Caller | null,
): Promise<ReadonlySet<number>> {
  const conditions = readable(caller);
  if (ids.length === 0 || conditions.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.ref(`site.${kind}`)} where id = any (${[...ids]}) and not (${allOf(conditions)})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Writes a new venue or organizer; every create makes a new one, even if the name exists. */
export async function insertLinked<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  asked: LinkedAsked,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const columns = await nextColumns(db, kind, asked, undefined, ctx);
  const language = asked.translation_language ?? ctx.settings.languages[0] ?? '';
  const result = await sql<LinkedRow<K>>`
    insert into ${sql.ref(`site.${kind}`)} (${sql.join([...Object.keys(columns), 'language'].map((name) => sql.ref(name)))})
    values (${sql.join([...Object.values(columns), language])}) returning *`.execute(db);
  return rowOf(result);
}

/** Changes only what is named. Trashing a venue or organizer removes it from all events; restoring puts it back. */
export async function updateLinked<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  asked: LinkedAsked,
  former: LinkedRow<K>,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const columns: Columns = {
    ...(await nextColumns(db, kind, asked, former, ctx)),
    ...(asked.translation_language !== undefined && { language: asked.translation_language }),
  };
  const changes = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const result = await sql<
    LinkedRow<K>
  >`update ${sql.ref(`site.${kind}`)} set ${sql.join(changes)} where id = ${former.id} returning *`.execute(db);
  const [was, is] = [former.status === 'trash', (columns['status'] ?? former.status) === 'trash'];
  if (is && !was) await unlink(db, kind, former.id);
  if (was && !is) await relink(db, kind, former.id);
  return rowOf(result);
}

/** Moves a venue or organizer to the trash and removes it from all events. */
export async function trashLinked<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  former: LinkedRow<K>,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const slug = await freeSlug(db, trashedSlug(former.slug), kind, former.id);
  const result = await sql<LinkedRow<K>>`
    update ${sql.ref(`site.${kind}`)}
    set status = 'trash', trashed_from = ${former.status}, slug = ${slug}, modified_at = ${new Date(ctx.now)}
    where id = ${former.id} returning *`.execute(db);
  await unlink(db, kind, former.id);
  return rowOf(result);
}

/** The column with the links of an event, and the one that also remembers those removed by the trash. */
const listsOf = (kind: LinkedKind): { readonly links: Sql; readonly whole: Sql } => ({
  links: sql.ref(`${NAMES[kind]}_ids`),
  whole: sql.ref(`whole_${NAMES[kind]}_ids`),
});

/** Removes it from its events. They remember its position in their lists, where its id is negated. */
async function unlink(db: Queryable, kind: LinkedKind, id: number): Promise<void> {
  const { links, whole } = listsOf(kind);
  await sql`update site.events set ${links} = array_remove(${links}, ${id}),
      ${whole} = array_replace(coalesce(${whole}, ${links}), ${id}::integer, ${-id}::integer)
    where ${links} @> array[${id}::integer]`.execute(db);
}

/** Puts it back, at its position, into the lists of the events that remember it. */
async function relink(db: Queryable, kind: LinkedKind, id: number): Promise<void> {
  const { links, whole } = listsOf(kind);
  const restored = sql`array_replace(${whole}, ${-id}::integer, ${id}::integer)`;
  await sql`update site.events set
      ${links} = array(select each from unnest(${restored}) with ordinality as ids (each, at) where each > 0 order by at),
      ${whole} = case when 0 > any (${restored}) then ${restored} end
    where ${whole} is not null and ${whole} @> array[${-id}::integer]`.execute(db);
}

/**
 * Drops the memory of trashed links of events whose list a request has confirmed: the latest request wins. If the list
 * changes, the database does this itself.
 */
export async function forgetTaken(db: Queryable, kind: LinkedKind, events: readonly number[]): Promise<void> {
  if (events.length === 0) return;
  const { whole } = listsOf(kind);
  await sql`update site.events set ${whole} = null where id = any (${events}) and ${whole} is not null`.execute(db);
}

type Columns = Readonly<Record<string, unknown>>;

async function nextColumns(
  db: Queryable,
  kind: LinkedKind,
  asked: LinkedAsked,
  former: VenueRow | OrganizerRow | undefined,
  ctx: HandlerContext,
): Promise<Columns> {
  const name = asked[NAMES[kind]];
  const titled = { ...asked, ...(name !== undefined && { title: name }) } as PostAsked;
  const post = nextPost(titled, former, ctx, NAMES[kind]);
  await assertAuthor(db, asked.author, former?.author);
  const texts = TEXTS[kind].flatMap((field) => (asked[field] === undefined ? [] : [[field, asked[field]]]));
  const image = asked.image === undefined ? {} : { image_id: await imageId(db, asked.image, ctx) };
  const own = {
    ...Object.fromEntries(texts),
    ...(kind === 'venues' && venueColumns(asked, former as VenueRow | undefined)),
  };
  return { ...post, slug: await linkedSlug(db, kind, slugOf(post), former), ...own, ...image };
}

/** Requests cannot set the slug: it comes from the first name, even of an unpublished post. */
const slugOf = ({ slug, title }: NextPost): string | null => (slug === '' ? sanitizeTitle(title) || null : slug);

async function linkedSlug(
  db: Queryable,
  kind: LinkedKind,
  wanted: string | null,
  former: PostRow | undefined,
): Promise<string> {
  if (former && wanted === former.slug) return wanted;
  // A name without letters or digits gives no slug, so the kind becomes the slug.
  return freeSlug(db, wanted ?? NAMES[kind], kind, former?.id);
}

function venueColumns(asked: LinkedAsked, former: VenueRow | undefined): Columns {
  const { show_map, show_map_link, stateprovince } = asked;
  return {
    // Derived only if it was never set, as on real sites.
    ...(former === undefined && stateprovince === undefined && { stateprovince: regionOf(asked) }),
    ...(show_map !== undefined && { show_map }),
    ...(show_map_link !== undefined && { show_map_link }),
    ...placeOf(asked, former),
  };
}

/** The coordinates: only what is named changes, and there are both or none. Throws HttpProblem if there is only one. */
function placeOf(asked: LinkedAsked, former: VenueRow | undefined): Pick<VenueRow, 'geo_lat' | 'geo_lng'> {
  const { geo_lat = former?.geo_lat ?? null, geo_lng = former?.geo_lng ?? null } = asked;
  if ((geo_lat === null) !== (geo_lng === null))
    throw invalidParams({ [geo_lat === null ? 'geo_lat' : 'geo_lng']: 'A venue has geo_lat and geo_lng, or neither.' });
  return { geo_lat, geo_lng };
}

const regionOf = ({ country, state, province }: LinkedAsked): string =>
  (/^(?:US|United States)?$/i.test(country ?? '') ? state : province) ?? '';
