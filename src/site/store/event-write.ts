import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../db/database.ts';
import type { EventData } from '../../contract/event.ts';
import type { OrganizerData } from '../../contract/organizer.ts';
import type { LinkedRef } from '../../contract/reference-args.ts';
import type { VenueData } from '../../contract/venue.ts';
import { wellFormed } from '../../json.ts';
import { mapWithPauses } from '../../pauses.ts';
import { wallFromInstant } from '../../time.ts';
import type { HandlerContext, SiteSettings } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { pageUrl } from './addresses.ts';
import { costFromParts, costOf, costText } from './cost.ts';
import { passwordHash } from './event-password.ts';
import { eventTimes, type EventTimes } from './event-times.ts';
import { imageId } from './images.ts';
import { itemAt } from './item-at.ts';
import { dateWithOffset } from './json-ld.ts';
import { forgetTaken, insertLinked, unseenAmong, type LinkedKind } from './linked.ts';
import { nextPost } from './next-post.ts';
import { PLAIN_INITIALS, plainAnswer, plainColumns } from './plain-fields.ts';
import { relatedToEvents, type Related } from './related.ts';
import { trashedSlug } from './status.ts';
import type { EventRow } from './tables.ts';
import { knownId, termIds } from './term-refs.ts';
import { assertAuthor } from './users.ts';
import { changeRows, insertAtOnce, insertRows, type Change, type NewEvent } from './write-event-rows.ts';
import { unknownIds } from './none-there.ts';

export type EventAsked = EventData & { readonly translation_language?: string; readonly password?: string };

/** An event's row, and what the request that wrote it named. */
export type Written = readonly [EventRow, EventAsked];

/** A new event, as far as the request alone determines it. */
export interface Decided {
  readonly asked: EventAsked;
  readonly columns: ReturnType<typeof newColumns>;
}

/**
 * Prepares everything in new events that does not depend on stored data. Throws HttpProblem for contradictory values.
 */
export const decidedEvents = (asked: readonly EventAsked[], ctx: HandlerContext): Promise<readonly Decided[]> =>
  // Sanitizing texts of megabytes takes time.
  mapWithPauses(asked, (each) => ({ asked: each, columns: newColumns(each, ctx) }));

/** Writes new events together. Throws HttpProblem if they refer to something that does not exist. */
export async function insertEvents(
  db: Queryable,
  decided: readonly Decided[],
  ctx: HandlerContext,
): Promise<readonly Written[]> {
  const rows = await insertRows(db, await newEvents(db, decided, ctx));
  return decided.map(({ asked }, index) => [itemAt(rows, index), asked]);
}

/**
 * The same in one statement, for events that refer to everything by id. Returns undefined and does nothing if one
 * statement is not enough or something is refused.
 */
export const insertEventsAtOnce = async (
  db: Queryable,
  decided: readonly Decided[],
  ctx: HandlerContext,
): Promise<readonly EventRow[] | undefined> => insertAtOnce(db, await newEvents(db, decided, ctx));

async function newEvents(
  db: Queryable,
  decided: readonly Decided[],
  ctx: HandlerContext,
): Promise<readonly NewEvent[]> {
  const wanted: NewEvent[] = [];
  for (const { asked, columns } of decided)
    wanted.push({
      ...NEW_EVENT,
      ...columns,
      ...(await referenceColumns(db, asked, undefined, ctx)),
      language: languageOf(asked, ctx),
    });
  return wanted;
}

/** The defaults of a new event. */
const NEW_EVENT = {
  image_id: null,
  cost_values: [],
  cost_symbol: '',
  cost_position: '',
  venue_ids: [],
  organizer_ids: [],
  category_ids: [],
  tag_ids: [],
  password: '',
  previous_start: '',
  ...PLAIN_INITIALS,
};

/**
 * Changes distinct events together, each only in what its request names. Returns undefined if the order matters. Throws
 * HttpProblem.
 */
export async function updateEvents(
  db: Queryable,
  changes: readonly Written[],
  ctx: HandlerContext,
): Promise<readonly Written[] | undefined> {
  const own = await mapWithPauses(changes, ([former, asked]) => changedColumns(asked, former, ctx));
  const wanted: Change[] = [];
  for (const [index, [former, asked]] of changes.entries()) {
    const { slug, ...columns } = itemAt(own, index);
    const references = await referenceColumns(db, asked, former, ctx);
    const language = asked.translation_language ?? former.language;
    wanted.push({ former, next: { ...former, ...columns, ...references, language, slug: slug ?? String(former.id) } });
  }
  const rows = await changeRows(db, wanted);
  await forgetTaken(db, 'venues', namedAsTheyAre(changes, wanted, 'venue'));
  await forgetTaken(db, 'organizers', namedAsTheyAre(changes, wanted, 'organizer'));
  return rows && changes.map(([, asked], index) => [itemAt(rows, index), asked]);
}

/** The ids of events for which a request names the venues or organizers that they already have. */
const namedAsTheyAre = (
  changes: readonly Written[],
  wanted: readonly Change[],
  name: 'venue' | 'organizer',
): readonly number[] =>
  wanted
    .filter(
      ({ former, next }, index) =>
        itemAt(changes, index)[1][name] !== undefined && isDeepStrictEqual(former[`${name}_ids`], next[`${name}_ids`]),
    )
    .map(({ former }) => former.id);

/** Moves distinct events to the trash. Returns undefined if the order matters. */
export const trashEvents = (
  db: Queryable,
  formers: readonly EventRow[],
  ctx: HandlerContext,
): Promise<readonly EventRow[] | undefined> =>
  changeRows(
    db,
    formers.map((former) => ({
      former,
      next: {
        ...former,
        status: 'trash',
        trashed_from: former.status,
        slug: trashedSlug(former.slug),
        modified_at: new Date(ctx.now),
      },
    })),
  );

/**
 * Reads what written events refer to. Ids in requests are written unchecked; throws HttpProblem if one does not exist,
 * which rolls back the transaction.
 */
export async function relatedToWritten(db: Queryable, written: readonly Written[]): Promise<Related> {
  const related = await relatedToEvents(
    db,
    written.map(([row]) => row),
  );
  for (const [row, asked] of written) {
    const missing = missingIn(row, related);
    const wrong = REFERRING.filter(([name]) => missing[name].length > 0 && asked[name] !== undefined);
    if (wrong.length > 0)
      throw invalidParams(Object.fromEntries(wrong.map(([name, list]) => [name, unknownIds(list, missing[name])])));
  }
  return related;
}

/** The parameters that refer to other objects, and the collections that hold these. */
const REFERRING = [
  ['venue', 'venues'],
  ['organizer', 'organizers'],
  ['categories', 'categories'],
  ['tags', 'tags'],
] as const;
type Referring = (typeof REFERRING)[number][0];

/** The referenced ids that do not exist, by parameter. */
function missingIn(row: EventRow, related: Related): Readonly<Record<Referring, readonly number[]>> {
  const isNoTerm =
    (taxonomy: string) =>
    (id: number): boolean =>
      related.terms.get(id)?.taxonomy !== taxonomy;
  return {
    venue: row.venue_ids.filter((id) => !related.venues.has(id)),
    organizer: row.organizer_ids.filter((id) => !related.organizers.has(id)),
    categories: row.category_ids.filter(isNoTerm('categories')),
    tags: row.tag_ids.filter(isNoTerm('tags')),
  };
}

const languageOf = (asked: EventAsked, { settings }: HandlerContext): string =>
  asked.translation_language ?? settings.languages[0] ?? '';

/** The columns of a new event, without its references. */
const newColumns = (asked: EventAsked, ctx: HandlerContext) => ({
  ...nextPost(asked, undefined, ctx, 'title'),
  ...timeColumns(asked, undefined, ctx.settings.timezone),
  ...plainColumns(asked),
  ...costAndPassword(asked),
});

/** The columns that a request changes, without its references. */
function changedColumns(asked: EventAsked, former: EventRow, ctx: HandlerContext) {
  const changed = withoutShown(asked, former, ctx.settings);
  return {
    ...nextPost(changed, former, ctx, 'title'),
    ...(namesTimes(changed) && {
      ...timeColumns(changed, former, ctx.settings.timezone),
    }),
    ...plainColumns(changed),
    ...costAndPassword(changed),
  };
}

/**
 * Drops from a request the values that merely repeat what was shown in place of an empty one: the event's own page as
 * its website, and a cost in the site's currency.
 */
function withoutShown({ website, cost, ...others }: EventAsked, former: EventRow, settings: SiteSettings): EventAsked {
  const shown = plainAnswer(former, pageUrl(settings, 'events', former)).website;
  const isCostShown = cost?.length === 1 && cost[0] === costText(costOf(former), settings.currency);
  return {
    ...others,
    ...(website !== undefined && website !== shown && { website }),
    ...(cost && !isCostShown && { cost }),
  };
}

const namesTimes = ({ start_date, end_date, timezone, all_day }: EventAsked): boolean =>
  [start_date, end_date, timezone, all_day].some((named) => named !== undefined);

function timeColumns(asked: EventAsked, former: EventRow | undefined, siteTimezone: string) {
  const times = eventTimes(asked, siteTimezone, former && timesOf(former));
  if ('wrong' in times) throw invalidParams({ [times.wrong]: times.why });
  return {
    start_wall: times.startWall,
    end_wall: times.endWall,
    start_at: new Date(times.startAt),
    end_at: new Date(times.endAt),
    timezone: times.timezone,
    all_day: times.allDay,
    ...(former && { previous_start: previousStart(former, times) }),
  };
}

/**
 * The start announced first, however often the event moves; '' once it is moved back to it. For an all-day event it is
 * a date.
 */
function previousStart(former: EventRow, times: EventTimes): string {
  if (former.status !== 'publish' || times.startAt === former.start_at.getTime()) return former.previous_start;
  const announced = former.previous_start || announcedStart(former);
  return isStart(announced, times) ? '' : announced;
}

const announcedStart = ({ start_wall, start_at, timezone, all_day }: EventRow): string =>
  all_day
    ? start_wall.slice(0, DAY_LENGTH)
    : dateWithOffset(start_wall, wallFromInstant(start_at.getTime(), 'UTC'), timezone);

const isStart = (announced: string, { startWall, startAt, allDay }: EventTimes): boolean =>
  announced.length === DAY_LENGTH ? allDay && startWall.startsWith(announced) : Date.parse(announced) === startAt;

const DAY_LENGTH = '2027-01-10'.length;

const timesOf = (row: EventRow): EventTimes => ({
  startWall: row.start_wall,
  endWall: row.end_wall,
  startAt: row.start_at.getTime(),
  endAt: row.end_at.getTime(),
  timezone: row.timezone,
  allDay: row.all_day,
});

function costAndPassword(asked: EventAsked): Partial<EventRow> {
  // A cut text may end with half of a surrogate pair, which none of these columns can store.
  const cost = asked.cost && wellFormed(costFromParts(asked.cost));
  return {
    ...(asked.password !== undefined && { password: passwordHash(asked.password) }),
    ...(cost && { cost_values: [...cost.values], cost_symbol: cost.symbol, cost_position: cost.position }),
  };
}

/** Whether something must be looked up or created before the event can be written: anything not given by id. */
export const looksUp = ({ author, image, categories, tags, venue, organizer }: EventAsked): boolean =>
  author !== undefined ||
  (image ?? null) !== null ||
  [categories, tags, venue, organizer].some((refs) => refs?.some(({ kind }) => kind !== 'id'));

async function referenceColumns(
  db: Queryable,
  asked: EventAsked,
  former: EventRow | undefined,
  ctx: HandlerContext,
): Promise<Partial<EventRow>> {
  await assertAuthor(db, asked.author, former?.author);
  const language = asked.translation_language ?? former?.language ?? languageOf(asked, ctx);
  const { venue_ids: venues, organizer_ids: organizers } = former ?? NEW_EVENT;
  return {
    ...(asked.image !== undefined && { image_id: await imageId(db, asked.image, ctx) }),
    ...(asked.categories && { category_ids: await termIds(db, 'categories', asked.categories, language, ctx) }),
    ...(asked.tags && { tag_ids: await termIds(db, 'tags', asked.tags, language, ctx) }),
    ...(asked.venue && { venue_ids: await linkedIds(db, 'venues', asked.venue, venues, language, ctx) }),
    ...(asked.organizer && {
      organizer_ids: await linkedIds(db, 'organizers', asked.organizer, organizers, language, ctx),
    }),
  };
}

async function linkedIds(
  db: Queryable,
  kind: LinkedKind,
  refs: readonly LinkedRef<VenueData | OrganizerData>[],
  former: readonly number[],
  language: string,
  ctx: HandlerContext,
): Promise<number[]> {
  const ids: number[] = [];
  for (const ref of refs) {
    const id =
      ref.kind === 'id'
        ? knownId(ref.id, kind === 'venues' ? 'venue' : 'organizer', kind)
        : (await insertLinked(db, kind, { ...ref.data, translation_language: language }, ctx)).id;
    if (!ids.includes(id)) ids.push(id);
  }
  return withUnseen(ids, former, kind, await unseenAmong(db, kind, former, ctx.caller));
}

/**
 * Keeps linked ids that the caller cannot see at their position, so that a list can be sent back as it was read. As an
 * event has one venue, a new one replaces those that they cannot see.
 */
function withUnseen(
  named: readonly number[],
  former: readonly number[],
  kind: LinkedKind,
  unseen: ReadonlySet<number>,
): number[] {
  const ids = [...named];
  if (kind === 'venues' && named.some((id) => !former.includes(id))) return ids;
  for (const [place, id] of former.entries()) if (unseen.has(id) && !ids.includes(id)) ids.splice(place, 0, id);
  return ids;
}
