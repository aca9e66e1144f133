import { sql, type Queryable } from '../../db/database.ts';
import type { Api } from '../../contract/api.ts';
import type { Input } from '../../contract/endpoint.ts';
import { INTEGER_MAX } from '../../contract/limits.ts';
import type { Event } from '../../contract/representation.ts';
import type { Answer, SetHandlers, SiteHandlers, StatementHandlers } from '../handlers.ts';
import type { HandlerContext } from '../context.ts';
import {
  changedMeanwhile,
  forbidden,
  HttpProblem,
  invalidParams,
  ForbiddenPost,
  tooManyAttempts,
} from '../http-problem.ts';
import { eventById, eventBySlug, eventsById, eventsBySlug } from './event-columns.ts';
import { tryPassword } from './event-password.ts';
import {
  decidedEvents,
  insertEvents,
  insertEventsAtOnce,
  looksUp,
  relatedToWritten,
  trashEvents,
  updateEvents,
  type EventAsked,
  type Written,
} from './event-write.ts';
import { itemAt } from './item-at.ts';
import { madeOnce } from '../made-once.ts';
import { keptFor } from './kept-at.ts';
import { withEventJsonLd } from './json-ld.ts';
import { publishWaiting } from './publish-waiting.ts';
import { relatedToEvents, type Related } from './related.ts';
import { representEvents } from './represent-event.ts';
import { isUnchanged, mayEdit, mayRead, whoMayEdit } from './rights.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import { opened, shownOpened } from './shown-events.ts';
import { isToBePublished } from './status.ts';
import type { EventRow } from './tables.ts';
import { inTurn, takingTurn } from './turn.ts';
import { unknownItem } from './none-there.ts';

type EventHandlers = Pick<
  SiteHandlers,
  | 'createEvent'
  | 'readEvent'
  | 'deleteEvent'
  | 'updateEvent'
  | 'readEventBySlug'
  | 'deleteEventBySlug'
  | 'updateEventBySlug'
>;

/** Single events, by id and by slug. */
export const eventHandlers: EventHandlers = {
  createEvent: async (input, ctx) => only(await eventSets.createEvent([input], ctx)),
  readEvent: async (input, ctx) => read(ctx.db, await byId(ctx.db, input, ctx), ctx),
  readEventBySlug: async (input, ctx) =>
    read(ctx.db, handedOver(input, ctx) ?? (await bySlug(ctx.db, input, ctx)), ctx),
  updateEvent: async (input, ctx) => only(await eventSets.updateEvent([input], ctx)),
  updateEventBySlug: async (input, ctx) => only(await eventSets.updateEventBySlug([input], ctx)),
  deleteEvent: async (input, ctx) => only(await eventSets.deleteEvent([input], ctx)),
  deleteEventBySlug: async (input, ctx) => only(await eventSets.deleteEventBySlug([input], ctx)),
};

/** Handlers of several events together. */
export const eventSets = {
  createEvent: async (inputs, ctx) => {
    const decided = await decidedEvents(inputs, ctx);
    const turn = inputs.some(looksUp) ? inTurn : takingTurn;
    return turn(ctx, async (db) => answers(db, await insertEvents(db, decided, ctx), ctx));
  },
  updateEvent: (inputs, ctx) =>
    inTurn(ctx, async (db) => {
      const keys = inputs.map(({ id }) => ({ id, ...languageOf(ctx) }));
      return update(db, await byIds(db, keys), inputs, ctx);
    }),
  updateEventBySlug: (inputs, ctx) =>
    inTurn(ctx, async (db) => {
      const keys = inputs.map(({ slug }) => ({ slug, ...languageOf(ctx) }));
      const rows = await bySlugs(db, keys, noneToUpdate);
      return update(db, rows, inputs.map(withoutSlug), ctx);
    }),
  deleteEvent: (inputs, ctx) => inTurn(ctx, async (db) => remove(db, await byIds(db, inputs), ctx)),
  deleteEventBySlug: (inputs, ctx) =>
    inTurn(ctx, async (db) => remove(db, await bySlugs(db, inputs, noneWithSlug), ctx)),
} satisfies SetHandlers;

/** Handlers of several events in one statement, which ends before the answers are built. */
export const eventStatements = {
  createEvent: async (inputs, ctx) => {
    // A client that may stop waiting for the write lock needs a transaction that can be rolled back.
    if (ctx.db.isTransaction || ctx.isAwaited || inputs.some(looksUp)) return undefined;
    const decided = await decidedEvents(inputs, ctx);
    const rows = await insertEventsAtOnce(ctx.db, decided, ctx);
    return rows && (async () => answersWith(rows, await relatedToEvents(ctx.db, rows), ctx));
  },
} satisfies StatementHandlers;

/** An update by slug cannot change the slug: it selects the event. */
function withoutSlug(asked: Input<Api['updateEventBySlug']>): EventAsked {
  const { slug: _, ...others } = asked;
  return others;
}

/** If an event is named twice, the second change depends on the first. */
const areDifferent = (rows: readonly EventRow[]): boolean => new Set(rows.map(({ id }) => id)).size === rows.length;

async function read(db: Queryable, row: EventRow, ctx: HandlerContext): Promise<Answer<Event>> {
  const isReadOnly = !mayEdit(ctx.caller, row);
  const refusal = refusalToRead(row, ctx);
  if (refusal) throw isReadOnly ? new ForbiddenPost(refusal) : refusal;
  const event = await shownOpened(db, row, ctx);
  return { body: bodyOf(event, row), isReadOnly };
}

function refusalToRead(row: EventRow, ctx: HandlerContext): HttpProblem | undefined {
  if (row.status === 'trash') return new HttpProblem('event-no-longer-available', 'This event is no longer available.');
  if (!mayRead(ctx.caller, row))
    return new HttpProblem('event-not-accessible', 'The requested event is not accessible.');
  return ctx.isEditing && mayEdit(ctx.caller, row) ? undefined : refusalToOpen(row, ctx);
}

/** An event from the lists, as a single read returns it. */
const bodyOf = madeOnce((event: Event, row: EventRow): Event => withEventJsonLd(event, movedFrom(row)));

/** A field of our own for events that were moved: their pages give it to search engines. */
const movedFrom = ({ previous_start: start }: EventRow): Partial<Event> =>
  start === '' ? {} : { previous_start_date: start };

function refusalToOpen(row: EventRow, ctx: HandlerContext): HttpProblem | undefined {
  const opened = tryPassword(row, ctx);
  if (opened.isOpen) return undefined;
  if (opened.waitMs > 0) return tooManyAttempts(opened.waitMs, 'wrong passwords for this event');
  return new HttpProblem('event-password-protected', 'This event is protected by a password.');
}

async function update(
  db: Queryable,
  rows: readonly EventRow[],
  asked: readonly EventAsked[],
  ctx: HandlerContext,
): Promise<readonly Answer<Event>[] | undefined> {
  if (!areDifferent(rows)) return undefined;
  assertMayEdit(rows, ctx);
  if (!rows.every((row) => isUnchanged(row, ctx))) throw changedMeanwhile();
  const written = await updateEvents(
    db,
    rows.map((row, index) => [row, itemAt(asked, index)]),
    ctx,
  );
  const isPublished = (row: EventRow, index: number): boolean =>
    row.status === 'publish' && isToBePublished(itemAt(rows, index).status);
  await publishWaiting(db, written?.map(([row]) => row).filter(isPublished) ?? [], ctx);
  return written && answers(db, written, ctx);
}

async function remove(
  db: Queryable,
  rows: readonly EventRow[],
  ctx: HandlerContext,
): Promise<readonly Answer<Event>[] | undefined> {
  if (!areDifferent(rows)) return undefined;
  assertMayEdit(rows, ctx);
  if (rows.some(({ status }) => status === 'trash'))
    throw new HttpProblem('event-is-in-trash', 'The event is in the trash already.');
  const trashed = await trashEvents(db, rows, ctx);
  return trashed && answersWith(trashed, await relatedToEvents(db, trashed), ctx);
}

async function answers(
  db: Queryable,
  written: readonly Written[],
  ctx: HandlerContext,
): Promise<readonly Answer<Event>[]> {
  const rows = written.map(([row]) => row);
  return answersWith(rows, await relatedToWritten(db, written), ctx);
}

/** Throws HttpProblem if the caller may not edit all of the events. */
function assertMayEdit(rows: readonly EventRow[], { caller }: HandlerContext): void {
  const other = rows.find((row) => !mayEdit(caller, row));
  if (other) throw new ForbiddenPost(forbidden(caller, whoMayEdit(caller, other)));
}

const answersWith = async (
  rows: readonly EventRow[],
  related: Related,
  ctx: HandlerContext,
): Promise<readonly Answer<Event>[]> => (await represent(rows, related, ctx)).map((body) => ({ body }));

/** Represents events in full: the caller may edit them, or has given their password. */
const represent = (rows: readonly EventRow[], related: Related, ctx: HandlerContext): Promise<readonly Event[]> =>
  representEvents(rows.map(opened), related, ctx);

/** The result for a single input. */
function only<T>(results: readonly T[] | undefined): T {
  return itemAt(results ?? [], 0);
}

const notFound = (id: number): HttpProblem =>
  new HttpProblem('rest-event-not-found', `Event with ID ${id} does not exist.`);
const languageOf = ({ language }: HandlerContext) => (language === undefined ? {} : { translation_language: language });

interface Key {
  readonly id: number;
  readonly translation_language?: string;
}

async function byId(db: Queryable, key: Key, { confirm }: Pick<HandlerContext, 'confirm'>): Promise<EventRow> {
  const found = await eventById(db, key.id);
  if (!found || !isWanted(found.row, key)) throw await missing(db, key.id);
  confirm?.(found.revision);
  return found.row;
}

const isWanted = (row: EventRow, { translation_language: language }: Partial<SlugKey>): boolean =>
  language === undefined || row.language === language;

/** Returns the events with these ids, in this order. Throws HttpProblem for the first that does not exist. */
async function byIds(db: Queryable, keys: readonly Key[]): Promise<readonly EventRow[]> {
  const found = await eventsById(
    db,
    keys.map(({ id }) => id),
  );
  const rows: EventRow[] = [];
  for (const key of keys) {
    const row = found.get(key.id);
    if (!row || !isWanted(row, key)) throw await missing(db, key.id);
    rows.push(row);
  }
  return rows;
}

const missing = async (db: Queryable, id: number): Promise<HttpProblem> =>
  (await isOtherPost(db, id))
    ? new HttpProblem('rest-invalid-event-id', `The post with ID ${id} is not an event.`)
    : notFound(id);

interface SlugKey {
  readonly slug: string;
  readonly translation_language?: string;
}

async function bySlug(db: Queryable, key: SlugKey, { confirm }: Pick<HandlerContext, 'confirm'>): Promise<EventRow> {
  const found = await eventBySlug(db, sanitizeTitle(key.slug));
  if (!found || !isWanted(found.row, key)) throw noneWithSlug(key);
  confirm?.(found.revision);
  return found.row;
}

/** Returns the events with these slugs, in this order. Throws `refusal` for the first that does not exist. */
async function bySlugs(
  db: Queryable,
  keys: readonly SlugKey[],
  refusal: (key: SlugKey) => HttpProblem,
): Promise<readonly EventRow[]> {
  const slugs = keys.map(({ slug }) => sanitizeTitle(slug));
  const found = await eventsBySlug(db, slugs);
  return keys.map((key, index) => {
    const row = found.get(itemAt(slugs, index));
    if (!row || !isWanted(row, key)) throw refusal(key);
    return row;
  });
}

const noneWithSlug = (key: SlugKey): HttpProblem => invalidParams(unknownItem('events', key));

/** The refusal of an update, as on real sites. */
const noneToUpdate = (): HttpProblem => new HttpProblem('rest-event-not-found', 'There is no event with this slug.');

/** The event with a slug, if it was already read together with what surrounds it. */
function handedOver(key: SlugKey, ctx: HandlerContext): EventRow | undefined {
  const row = keptFor(ctx)?.around.get(sanitizeTitle(key.slug))?.event.row;
  return row && isWanted(row, key) ? row : undefined;
}

async function isOtherPost(db: Queryable, id: number): Promise<boolean> {
  if (id > INTEGER_MAX) return false;
  const { rows } = await sql`select from site.venues where id = ${id}
    union all select from site.organizers where id = ${id}
    union all select from site.images where id = ${id}`.execute(db);
  return rows.length > 0;
}
