import { rowOf, sql } from '../../db/database.ts';
import { jsonText } from '../../db/jsonb.ts';
import type { EventData } from '../../contract/event.ts';
import type { OrganizerData } from '../../contract/organizer.ts';
import type { LinkedRef } from '../../contract/reference-args.ts';
import type { VenueData } from '../../contract/venue.ts';
import { mapWithPauses } from '../../pauses.ts';
import { wallFromInstant } from '../../time.ts';
import type { HandlerContext } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { costFromParts } from './cost.ts';
import { eventColumns } from './event-columns.ts';
import { passwordHash } from './event-password.ts';
import { eventTimes, type EventTimes } from './event-times.ts';
import { imageId } from './images.ts';
import { dateWithOffset } from './json-ld.ts';
import { insertLinked, type LinkedKind } from './linked.ts';
import { nextPost } from './next-post.ts';
import { plainColumns } from './plain-fields.ts';
import { relatedToEvents, type Related } from './related.ts';
import { freeSlug, freeSlugs } from './slugs.ts';
import { trashedSlug } from './status.ts';
import type { EventRow, StoreDatabase } from './tables.ts';
import { knownId, termIds } from './term-refs.ts';
import { assertAuthor } from './users.ts';

export type EventAsked = EventData & { readonly translation_language?: string; readonly password?: string };
type Columns = Readonly<Record<string, unknown>>;

/** The row of an event, and what the request that wrote it has named. */
export type Written = readonly [EventRow, EventAsked];

/**
 * Writes new events together, in a few statements. Throws HttpProblem for values that do not exist or contradict each
 * other.
 */
export async function insertEvents(
  db: StoreDatabase,
  asked: readonly EventAsked[],
  ctx: HandlerContext,
): Promise<readonly Written[]> {
  // Texts of megabytes are made safe here.
  const own = await mapWithPauses(asked, (each) => [each, ownColumns(each, undefined, ctx)] as const);
  const unnamed: OwnColumns[] = [];
  for (const [each, columns] of own)
    unnamed.push({
      ...columns,
      ...(await referenceColumns(db, each, undefined, ctx)),
      language: languageOf(each, ctx),
    });
  const ids = await newIds(db, asked.length);
  // A title without letters and digits gives no slug, so the id becomes the slug.
  const wanted = unnamed.map(({ slug }, index) => slug ?? String(ids[index]));
  const slugs = await freeSlugs(db, wanted, 'events');
  const rows = await insertRows(
    db,
    unnamed.map((columns, index) => ({ ...columns, id: ids[index], slug: slugs[index] })),
  );
  return asked.map((each, index) => [rowOf({ rows: rows.filter(({ id }) => id === ids[index]) }), each]);
}

const newIds = async (db: StoreDatabase, count: number): Promise<readonly number[]> => {
  const { rows } = await sql<{
    id: number;
  }>`select nextval('site.post_id')::integer as id from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ id }) => id);
};

/** One statement for all rows with the same columns: what a row does not name has the default of its column. */
async function insertRows(db: StoreDatabase, rows: readonly Columns[]): Promise<readonly EventRow[]> {
  const inserted: EventRow[] = [];
  for (const [names, alike] of Map.groupBy(rows, (row) => Object.keys(row).join())) {
    const columns = sql.join(names.split(',').map((name) => sql.ref(name)));
    const result = await sql<EventRow>`
      insert into site.events (${columns})
      select ${columns} from json_populate_recordset(null::site.events, ${jsonOf(alike)}::json)
      returning ${eventColumns}`.execute(db);
    inserted.push(...result.rows);
  }
  return inserted;
}

// One long text costs less than hundreds of parameters.
const jsonOf = (rows: readonly Columns[]): string =>
  jsonText(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value instanceof Date ? timestampText(value) : value]),
      ),
    ),
  );

/** As PostgreSQL reads it: years after 9999 have no sign, and the one before 1 is 1 BC. */
function timestampText(date: Date): string {
  const text = date.toISOString();
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text.replace(/^\+0*/, '');
}

/** Changes only what is named. Throws HttpProblem. */
export async function updateEvent(
  db: StoreDatabase,
  asked: EventAsked,
  former: EventRow,
  ctx: HandlerContext,
): Promise<EventRow> {
  const { slug: wanted, ...own } = ownColumns(asked, former, ctx);
  const references = await referenceColumns(db, asked, former, ctx);
  const slug = wanted === former.slug ? wanted : await freeSlug(db, wanted ?? String(former.id), 'events', former.id);
  const columns: Columns = {
    ...own,
    ...references,
    slug,
    ...(asked.translation_language !== undefined && { language: asked.translation_language }),
  };
  return changeEvent(db, former, columns);
}

/**
 * What written events refer to. The ids of a request are written unchecked; here they turn out to exist or not. Throws
 * HttpProblem if not, and the transaction is rolled back.
 */
export async function relatedToWritten(db: StoreDatabase, written: readonly Written[]): Promise<Related> {
  const related = await relatedToEvents(
    db,
    written.map(([row]) => row),
  );
  for (const [row, asked] of written) {
    const wrong = missingIn(row, related).filter((name) => asked[name] !== undefined);
    if (wrong.length > 0) throw invalidParams(...wrong);
  }
  return related;
}

/** The parameters of which an id does not exist. */
function missingIn(row: EventRow, related: Related): readonly ('venue' | 'organizer' | 'categories' | 'tags')[] {
  const isTerm =
    (taxonomy: string) =>
    (id: number): boolean =>
      related.terms.get(id)?.taxonomy === taxonomy;
  const existing = {
    venue: row.venue_ids.every((id) => related.venues.has(id)),
    organizer: row.organizer_ids.every((id) => related.organizers.has(id)),
    categories: row.category_ids.every(isTerm('categories')),
    tags: row.tag_ids.every(isTerm('tags')),
  };
  return (['venue', 'organizer', 'categories', 'tags'] as const).filter((name) => !existing[name]);
}

/** Moves an event to the trash. */
export async function trashEvent(db: StoreDatabase, former: EventRow, ctx: HandlerContext): Promise<EventRow> {
  const slug = await freeSlug(db, trashedSlug(former.slug), 'events', former.id);
  return changeEvent(db, former, { status: 'trash', slug, modified_at: new Date(ctx.now) });
}

async function changeEvent(db: StoreDatabase, { id }: EventRow, columns: Columns): Promise<EventRow> {
  const changes = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const result =
    await sql<EventRow>`update site.events set ${sql.join(changes)} where id = ${id} returning ${eventColumns}`.execute(
      db,
    );
  return rowOf(result);
}

const languageOf = (asked: EventAsked, { settings }: HandlerContext): string =>
  asked.translation_language ?? settings.languages[0] ?? '';

/** Columns whose slug is the one wanted, which may be taken; null: the id. */
type OwnColumns = Columns & { readonly slug: string | null };

/** The columns that a request changes, but those that refer to something. */
const ownColumns = (asked: EventAsked, former: EventRow | undefined, ctx: HandlerContext): OwnColumns => ({
  ...nextPost(asked, former, ctx),
  ...timeColumns(asked, former, ctx.settings.timezone),
  ...plainColumns(asked),
  ...costAndPassword(asked),
});

function timeColumns(asked: EventAsked, former: EventRow | undefined, siteTimezone: string): Columns {
  const { start_date, end_date, timezone, all_day } = asked;
  if (former && start_date === undefined && end_date === undefined && timezone === undefined && all_day === undefined)
    return {};
  const times = eventTimes(asked, siteTimezone, former && timesOf(former));
  if ('wrong' in times) throw invalidParams(times.wrong);
  return {
    start_wall: times.startWall,
    end_wall: times.endWall,
    start_at: new Date(times.startAt),
    end_at: new Date(times.endAt),
    timezone: times.timezone,
    all_day: times.allDay,
    ...(former && { previous_start: previousStart(former, times.startAt) }),
  };
}

/** The start that was announced first, however often an event is moved; '' again if it is moved back there. */
function previousStart(former: EventRow, startAt: number): string {
  if (former.status !== 'publish' || startAt === former.start_at.getTime()) return former.previous_start;
  const announced =
    former.previous_start ||
    dateWithOffset(former.start_wall, wallFromInstant(former.start_at.getTime(), 'UTC'), former.timezone);
  return Date.parse(announced) === startAt ? '' : announced;
}

const timesOf = (row: EventRow): EventTimes => ({
  startWall: row.start_wall,
  endWall: row.end_wall,
  startAt: row.start_at.getTime(),
  endAt: row.end_at.getTime(),
  timezone: row.timezone,
  allDay: row.all_day,
});

function costAndPassword(asked: EventAsked): Columns {
  const cost = asked.cost && costFromParts(asked.cost);
  return {
    ...(asked.password !== undefined && { password: passwordHash(asked.password) }),
    ...(cost && { cost_values: cost.values, cost_symbol: cost.symbol, cost_position: cost.position }),
  };
}

async function referenceColumns(
  db: StoreDatabase,
  asked: EventAsked,
  former: EventRow | undefined,
  ctx: HandlerContext,
): Promise<Columns> {
  if (asked.author !== undefined) await assertAuthor(db, asked.author);
  const language = asked.translation_language ?? former?.language ?? languageOf(asked, ctx);
  return {
    ...(asked.image !== undefined && { image_id: await imageId(db, asked.image, ctx) }),
    ...(asked.categories && { category_ids: await termIds(db, 'categories', asked.categories, language, ctx) }),
    ...(asked.tags && { tag_ids: await termIds(db, 'tags', asked.tags, language, ctx) }),
    ...(asked.venue && { venue_ids: await linkedIds(db, 'venues', asked.venue, language, ctx) }),
    ...(asked.organizer && { organizer_ids: await linkedIds(db, 'organizers', asked.organizer, language, ctx) }),
  };
}

async function linkedIds(
  db: StoreDatabase,
  kind: LinkedKind,
  refs: readonly LinkedRef<VenueData | OrganizerData>[],
  language: string,
  ctx: HandlerContext,
): Promise<number[]> {
  const ids: number[] = [];
  for (const ref of refs) {
    const id =
      ref.kind === 'id'
        ? knownId(ref.id, kind === 'venues' ? 'venue' : 'organizer')
        : (await insertLinked(db, kind, { ...ref.data, translation_language: language }, ctx)).id;
    if (!ids.includes(id)) ids.push(id);
  }
  return ids;
}
