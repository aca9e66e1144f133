import { INTEGER_MAX } from '../../contract/limits.ts';
import type { Event } from '../../contract/representation.ts';
import type { Answer, SiteHandlers } from '../handlers.ts';
import type { HandlerContext } from '../context.ts';
import { forbidden, HttpProblem, invalidParams, tooManyAttempts } from '../http-problem.ts';
import { findEvent } from './event-columns.ts';
import { tryPassword } from './event-password.ts';
import {
  insertEvents,
  relatedToWritten,
  trashEvent,
  updateEvent,
  type EventAsked,
  type Written,
} from './event-write.ts';
import { withEventJsonLd } from './json-ld.ts';
import { relatedToEvents, type Related } from './related.ts';
import { representEvents } from './represent-event.ts';
import { mayEdit, mayRead } from './rights.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import type { EventRow, StoreDatabase } from './tables.ts';
import { inTurn, storeOf } from './turn.ts';

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
  createEvent: async (input, ctx) => only(await createEvents([input], ctx)),
  readEvent: async (input, ctx) => read(storeOf(ctx), await byId(storeOf(ctx), input), ctx),
  readEventBySlug: async (input, ctx) => read(storeOf(ctx), await bySlug(storeOf(ctx), input), ctx),
  updateEvent: ({ id, ...asked }, ctx) =>
    inTurn(ctx, async (db) => update(db, asked, await byId(db, { id, ...languageOf(ctx) }), ctx)),
  // The slug selects the event, so this route cannot change it.
  updateEventBySlug: ({ slug, ...asked }, ctx) =>
    inTurn(ctx, async (db) => {
      const row = await findEvent(db, { slug: sanitizeTitle(slug) }, ctx.language);
      // Real sites answer as if the event with the id 0 had been asked for.
      if (!row) throw notFound(0);
      return update(db, asked, row, ctx);
    }),
  deleteEvent: (input, ctx) => inTurn(ctx, async (db) => remove(db, await byId(db, input), ctx)),
  deleteEventBySlug: (input, ctx) => inTurn(ctx, async (db) => remove(db, await bySlug(db, input), ctx)),
};

/** Several new events at once, with the same result as one after the other. */
export const createEvents = (asked: readonly EventAsked[], ctx: HandlerContext): Promise<readonly Answer<Event>[]> =>
  inTurn(ctx, async (db) => answers(db, await insertEvents(db, asked, ctx), ctx));

async function read(db: StoreDatabase, row: EventRow, ctx: HandlerContext): Promise<Answer<Event>> {
  if (row.status === 'trash') throw new HttpProblem('event-no-longer-available', 'This event is no longer available.');
  if (!mayRead(ctx.caller, row))
    throw new HttpProblem('event-not-accessible', 'The requested event is not accessible.');
  if (!(ctx.isEditing && mayEdit(ctx.caller, row))) assertOpen(row, ctx);
  const event = withEventJsonLd(only(await represent([row], await relatedToEvents(db, [row]), ctx)));
  // An addition of our own, for events that were moved: their pages tell search engines.
  return { body: row.previous_start === '' ? event : { ...event, previous_start_date: row.previous_start } };
}

function assertOpen(row: EventRow, ctx: HandlerContext): void {
  const opened = tryPassword(row, ctx);
  if (opened.isOpen) return;
  if (opened.waitMs > 0) throw tooManyAttempts(opened.waitMs, 'wrong passwords for this event');
  throw new HttpProblem('event-password-protected', 'This event is protected by a password.');
}

async function update(
  db: StoreDatabase,
  asked: EventAsked,
  row: EventRow,
  ctx: HandlerContext,
): Promise<Answer<Event>> {
  if (!mayEdit(ctx.caller, row)) throw forbidden(ctx.caller);
  return only(await answers(db, [[await updateEvent(db, asked, row, ctx), asked]], ctx));
}

async function remove(db: StoreDatabase, row: EventRow, ctx: HandlerContext): Promise<Answer<Event>> {
  if (!mayEdit(ctx.caller, row)) throw forbidden(ctx.caller);
  if (row.status === 'trash') throw new HttpProblem('event-is-in-trash', 'The event is in the trash already.');
  const trashed = await trashEvent(db, row, ctx);
  return { body: only(await represent([trashed], await relatedToEvents(db, [trashed]), ctx)) };
}

async function answers(
  db: StoreDatabase,
  written: readonly Written[],
  ctx: HandlerContext,
): Promise<readonly Answer<Event>[]> {
  const rows = written.map(([row]) => row);
  const events = await represent(rows, await relatedToWritten(db, written), ctx);
  return events.map((body) => ({ body }));
}

/** In full: the caller has opened the events, or may edit them. */
const represent = (rows: readonly EventRow[], related: Related, ctx: HandlerContext): Promise<readonly Event[]> =>
  representEvents(
    rows.map((row) => ({ ...row, password: '' })),
    related,
    ctx,
  );

/** The result for the one thing asked for. */
function only<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('one thing asked for gives one result');
  return one;
}

const notFound = (id: number): HttpProblem =>
  new HttpProblem('rest-event-not-found', `Event with ID ${id} does not exist.`);
const languageOf = ({ language }: HandlerContext) => (language === undefined ? {} : { translation_language: language });

async function byId(
  db: StoreDatabase,
  { id, translation_language: language }: { readonly id: number; readonly translation_language?: string },
): Promise<EventRow> {
  const row = await findEvent(db, { id }, language);
  if (row) return row;
  if (await isOtherPost(db, id))
    throw new HttpProblem('rest-invalid-event-id', `The post with ID ${id} is not an event.`);
  throw notFound(id);
}

async function bySlug(
  db: StoreDatabase,
  { slug, translation_language: language }: { readonly slug: string; readonly translation_language?: string },
): Promise<EventRow> {
  const row = await findEvent(db, { slug: sanitizeTitle(slug) }, language);
  if (!row) throw invalidParams('slug');
  return row;
}

async function isOtherPost(db: StoreDatabase, id: number): Promise<boolean> {
  if (id > INTEGER_MAX) return false;
  const row = await db
    .selectFrom('site.venues')
    .select('id')
    .where('id', '=', id)
    .unionAll(db.selectFrom('site.organizers').select('id').where('id', '=', id))
    .unionAll(db.selectFrom('site.images').select('id').where('id', '=', id))
    .executeTakeFirst();
  return row !== undefined;
}
