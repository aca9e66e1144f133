import { isDeepStrictEqual } from 'node:util';
import { PREPARED, sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonText } from '../../db/jsonb.ts';
import { isRefused } from '../../db/wait.ts';
import { mapWithPauses } from '../../pauses.ts';
import { EVENT_NAMES } from './event-columns.ts';
import { wantedIds } from './rows-by-id.ts';
import { freeSlugs } from './slugs.ts';
import type { EventRow } from './tables.ts';
import { TAKING_TURN } from './turn.ts';

/** A new event with the slug it wants; null means its id. */
export type NewEvent = Omit<EventRow, 'id' | 'slug'> & { readonly slug: string | null };

/** An event's former state, and its next one with the slug it wants. */
export interface Change {
  readonly former: EventRow;
  readonly next: EventRow;
}

/** Inserts new events in a few statements, and returns them as stored. */
export async function insertRows(db: Queryable, wanted: readonly NewEvent[]): Promise<readonly EventRow[]> {
  return (await insertIfFree(db, wanted)) ?? (await insertNamed(db, await withFreeSlugs(db, wanted)));
}

/**
 * Inserts events with the slugs they want, which nearly all get. Returns undefined and does nothing if one is taken or
 * missing.
 */
async function insertIfFree(db: Queryable, wanted: readonly NewEvent[]): Promise<readonly EventRow[] | undefined> {
  const rows = withOwnSlugs(wanted);
  if (!rows) return undefined;
  const ids = await insertedIds(db, rows, IF_FREE);
  if (ids.size === rows.length) return identified(rows, ids);
  if (ids.size > 0) await sql`delete from site.events where id = any (${[...ids.values()]})`.execute(db);
  return undefined;
}

/**
 * Inserts new events in one statement, with the slugs they want. Returns undefined and does nothing if one is taken or
 * missing, or if something that they refer to does not exist.
 */
export async function insertAtOnce(
  db: Queryable,
  wanted: readonly NewEvent[],
): Promise<readonly EventRow[] | undefined> {
  const rows = withOwnSlugs(wanted);
  if (!rows) return undefined;
  try {
    const ids = await insertedIds(db, rows, { condition: areThere(rows), onConflict: sql`` });
    return ids.size === rows.length ? identified(rows, ids) : undefined;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** Assigns the wanted slugs; undefined if one is missing or two are equal. */
function withOwnSlugs(wanted: readonly NewEvent[]): readonly SluggedEvent[] | undefined {
  const rows = wanted.flatMap((row) => (row.slug ? [{ ...row, id: null, slug: row.slug }] : []));
  return new Set(rows.map(({ slug }) => slug)).size < wanted.length ? undefined : rows;
}

/** The condition that everything to which events refer exists under the write lock, when nobody else can remove it. */
function areThere(rows: readonly SluggedEvent[]): Sql {
  const all = (name: 'venue_ids' | 'organizer_ids' | 'category_ids' | 'tag_ids') => rows.flatMap((row) => row[name]);
  return sql.join(
    [
      areIn('venues', all('venue_ids')),
      areIn('organizers', all('organizer_ids')),
      areIn('terms', all('category_ids'), sql`and taxonomy = 'categories'`),
      areIn('terms', all('tag_ids'), sql`and taxonomy = 'tags'`),
    ],
    sql` and `,
  );
}

// The row lock makes the statement see rows as they are now, not as they were when it began to wait for the write lock.
const areIn = (table: string, ids: readonly number[], more = sql``): Sql => sql`
  not exists (select from ${wantedIds(ids)} where not exists (
    select from (select from ${sql.ref(`site.${table}`)} where id = wanted.key ${more} and exists (select from turn)
      limit 1 for key share) as there))`;

const insertNamed = async (db: Queryable, rows: readonly SluggedEvent[]): Promise<readonly EventRow[]> =>
  identified(rows, await insertedIds(db, rows, IF_FREE));

/** The condition under which events are inserted, and what happens if a slug is taken. */
interface Inserting {
  readonly condition: Sql;
  readonly onConflict: Sql;
}
/** Events whose slug is taken are left out. */
const IF_FREE: Inserting = { condition: sql`true`, onConflict: sql`on conflict (slug) where slug <> '' do nothing` };

/** Inserts events and returns their ids by slug. */
async function insertedIds(
  db: Queryable,
  rows: readonly SluggedEvent[],
  { condition, onConflict }: Inserting,
): Promise<ReadonlyMap<string, number>> {
  // Columns with the same value in all rows are sent once.
  const [first] = rows;
  const own = EVENT_NAMES.filter((name) => !rows.every((row) => isDeepStrictEqual(row[name], first?.[name])));
  const shared = EVENT_NAMES.filter((name) => !own.includes(name));
  const { rows: inserted } = await sql<{ id: number; slug: string }>`${PREPARED}
    with ${TAKING_TURN}
    insert into site.events (id, located, ${ALL})
    select coalesce(id, nextval('site.post_id')), ${isLocated(rows)}, ${ALL} from json_populate_recordset(
      json_populate_record(null::site.events, ${jsonText(recordOf(shared, first))}::json), ${await jsonOf(rows, own)}::json)
    where exists (select from turn) and ${condition}
    ${onConflict} returning id, slug`.execute(db);
  return new Map(inserted.map(({ id, slug }) => [slug, id]));
}

/** Whether a venue of an event has coordinates, as of the write lock; queried once for the venues of all rows. */
const isLocated = (rows: readonly SluggedEvent[]): Sql => {
  const venueIds = [...new Set(rows.flatMap(({ venue_ids: ids }) => ids))];
  return sql`venue_ids && (select site.located_among(${venueIds}::integer[]) from turn)`;
};

/** Rows are stored as given, so only their ids need to come back. */
const identified = (rows: readonly SluggedEvent[], ids: ReadonlyMap<string, number>): readonly EventRow[] =>
  rows.map((row) => {
    const id = row.id ?? ids.get(row.slug);
    if (id === undefined) throw new Error(`an event was not written: ${row.slug}`);
    return { ...row, id };
  });

/** An event with a free slug. Its id is assigned by the insert unless it is already known. */
type SluggedEvent = Omit<EventRow, 'id'> & { readonly id: number | null };

async function withFreeSlugs(db: Queryable, wanted: readonly NewEvent[]): Promise<readonly SluggedEvent[]> {
  // A title without letters or digits gives no slug, so the id becomes the slug. Ids follow the order of the events.
  const ids = wanted.some(isBare) ? await newIds(db, wanted.length) : [];
  const rows = wanted.map((row, index) => {
    const id = ids[index] ?? null;
    return { ...row, id, slug: row.slug ?? String(id) };
  });
  const wishes = rows.map(({ slug }) => ({ slug }));
  const { slugs } = await freeSlugs(db, wishes, 'events');
  return rows.map((row, index) => ({ ...row, slug: slugs[index] ?? '' }));
}

/** Whether it has no slug by which the inserted row could be identified. */
const isBare = ({ slug }: NewEvent): boolean => slug === null || slug === '';

async function newIds(db: Queryable, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select nextval('site.post_id')::integer as id from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Updates distinct events in a few statements, and returns them as stored. Returns undefined and does nothing if one
 * wants the slug that another still holds, because then the order matters.
 */
export async function changeRows(db: Queryable, changes: readonly Change[]): Promise<readonly EventRow[] | undefined> {
  const moved = changes.filter(({ former, next }) => next.slug !== former.slug);
  const wishes = moved.map(({ former, next }) => ({ slug: next.slug, own: former.id }));
  const { slugs, isContested } = await freeSlugs(db, wishes, 'events');
  if (isContested) return undefined;
  const free = new Map(moved.map((change, index) => [change, slugs[index]]));
  const settled = changes.map((change) => ({
    former: change.former,
    next: { ...change.next, slug: free.get(change) ?? change.next.slug },
  }));
  for (const alike of Map.groupBy(settled, (change) => changedNames(change).join()).values())
    await updateRows(db, alike);
  return settled.map(({ next }) => next);
}

const changedNames = ({ former, next }: Change): readonly (keyof EventRow)[] =>
  EVENT_NAMES.filter((name) => !isDeepStrictEqual(former[name], next[name]));

/** Updates events in which the same columns change, in one statement. */
async function updateRows(db: Queryable, changes: readonly Change[]): Promise<void> {
  const names = changes[0] ? changedNames(changes[0]) : [];
  if (names.length === 0) return;
  const settings = names.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(name)}`);
  const rows = changes.map(({ next }) => next);
  await sql`
    update site.events set ${sql.join(settings)}
    from json_populate_recordset(null::site.events, ${await jsonOf(rows, ['id', ...names])}::json) as changed
    where events.id = changed.id`.execute(db);
}

const ALL = sql.join(EVENT_NAMES.filter((name) => name !== 'id').map((name) => sql.ref(name)));

// One long text costs less than hundreds of parameters.
const jsonOf = async (rows: readonly SluggedEvent[], names: readonly (keyof EventRow)[]): Promise<string> =>
  `[${(await mapWithPauses(rows, (row) => jsonText(recordOf(names, row)))).join()}]`;

const recordOf = (names: readonly (keyof EventRow)[], row: SluggedEvent | undefined): object =>
  Object.fromEntries(names.map((name) => [name, storable(row?.[name])]));

const storable = (value: unknown): unknown => (value instanceof Date ? timestampText(value) : value);

/** Formats a date for PostgreSQL: years after 9999 have no sign, and the one before 1 is 1 BC. */
function timestampText(date: Date): string {
  const text = date.toISOString();
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text.replace(/^\+0*/, '');
}
