import { decodedPart } from '../../ascii.ts';
import type { Queryable } from '../../db/database.ts';
import type { Event } from '../../contract/representation.ts';
import type { HandlerContext } from '../context.ts';
import type { AskAround } from './around-event.ts';
import { eventsById } from './event-columns.ts';
import { eventIds, eventRows, rowsAt, type Wanted } from './event-rows.ts';
import { pageDays, type EventTotals } from './event-totals.ts';
import { markLasting } from '../made-once.ts';
import { itemAt } from './item-at.ts';
import { foundAt, keepAround, keepEvent, keepShownAgain, keptFor, type KeptAt, type Parts } from './kept-at.ts';
import { idsIn, relatedTo, relatedToEvents, type Ids } from './related.ts';
import { representEvents, representEventsOf, representParts } from './represent-event.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import type { EventRow } from './tables.ts';

/** Represents events as answered to the caller. */
export async function shownEvents(
  db: Queryable,
  rows: readonly EventRow[],
  ctx: HandlerContext,
): Promise<readonly Event[]> {
  const kept = keptFor(ctx);
  return kept
    ? representEventsOf(rows, await partsFor(db, rows, kept, ctx), ctx)
    : representEvents(rows, await relatedToEvents(db, rows), ctx);
}

/**
 * Represents an event in full, for a reader who may see all of it. A listed event is represented once per revision,
 * wherever it is shown.
 */
export async function shownOpened(db: Queryable, row: EventRow, ctx: HandlerContext): Promise<Event> {
  const kept = isListed(row) && row.password === '' ? keptFor(ctx) : undefined;
  const known = kept?.events.byId.get(row.id);
  if (known) return known;
  const event = itemAt(await shownEvents(db, [opened(row)], ctx), 0);
  // A row kept with its surroundings was read at this revision.
  if (kept?.around.get(row.slug)?.event.row === row) keepShownAgain(kept, event);
  return event;
}

/** Returns the row as if its password had been given. */
export const opened = (row: EventRow): EventRow => ({ ...row, password: '' });

/** Returns the events of a page, loading only those that have not been shown at this revision. */
export async function shownPage(
  db: Queryable,
  wanted: Wanted,
  totals: EventTotals | undefined,
  ctx: HandlerContext,
): Promise<readonly Event[]> {
  const kept = keptFor(ctx);
  const events = kept && (await keptPage(db, wanted, totals, kept, ctx));
  return events ?? shownEvents(db, await eventRows(db, wanted, totals), ctx);
}

/** Undefined if there was a write since the request arrived. */
async function keptPage(
  db: Queryable,
  wanted: Wanted,
  totals: EventTotals | undefined,
  kept: KeptAt,
  ctx: HandlerContext,
): Promise<readonly Event[] | undefined> {
  const ids = await idsAt(db, wanted, totals, kept, ctx);
  return ids && keptById(db, ids, kept, ctx, keepShownAgain);
}

/** Finds events by id for one request, as `listedById` does. */
export type ListedById = (ids: readonly number[]) => Promise<readonly Event[]>;

/** Returns those of the events that are in public lists, in the order of the ids. */
export async function listedById(ids: readonly number[], ctx: HandlerContext): Promise<readonly Event[]> {
  if (ids.length === 0) return [];
  const { db } = ctx;
  const kept = keptFor(ctx);
  const events = kept && (await keptById(db, ids, kept, ctx, keepEvent));
  if (events) return events;
  const rows = await eventsById(db, ids);
  return shownEvents(db, ids.flatMap((id) => rows.get(id) ?? []).filter(isListed), ctx);
}

const isListed = ({ status, hide_from_listings: isHidden }: EventRow): boolean => status === 'publish' && !isHidden;

/**
 * Wraps `ask` for slugs as they appear in addresses, and asks once per revision. The request for the event itself is
 * then answered from what was read.
 */
export const aroundFor =
  (ask: AskAround, ctx: Pick<HandlerContext, 'db' | 'revision' | 'confirm' | 'settings'>): AskAround =>
  async (slug, from) => {
    const stored = sanitizeTitle(decodedPart(slug));
    const known = keptFor(ctx)?.around.get(stored);
    if (known?.from === from) return known.event;
    const event = await ask(stored, from);
    if (!event) return undefined;
    ctx.confirm?.(event.revision);
    const kept = keptFor(ctx);
    if (kept) keepAround(kept, event, from);
    return event;
  };

/** Undefined if there was a write since the request arrived. */
async function keptById(
  db: Queryable,
  ids: readonly number[],
  kept: KeptAt,
  ctx: HandlerContext,
  keep: typeof keepEvent,
): Promise<readonly Event[] | undefined> {
  const events = new Map(ids.map((id) => [id, kept.events.byId.get(id)]));
  const missing = [...events.keys()].filter((id) => events.get(id) === undefined);
  const rows = missing.length === 0 ? [] : await rowsAt(db, missing, kept.revision);
  if (rows.length < missing.length) return undefined;
  if (rows.length > 0) ctx.confirm?.(kept.revision);
  for (const event of await shownEvents(db, rows.filter(isListed), ctx)) {
    keep(kept, event);
    events.set(event.id, event);
  }
  return [...events.values()].filter((event) => event !== undefined);
}

/** The ids of a page, read once per revision because many addresses show the same list. */
async function idsAt(
  db: Queryable,
  wanted: Wanted,
  totals: EventTotals | undefined,
  kept: KeptAt,
  { confirm }: Pick<HandlerContext, 'confirm'>,
): Promise<readonly number[] | undefined> {
  const { where, order, limit, offset } = wanted;
  const days = order || !totals ? undefined : pageDays(totals, offset, limit);
  const asked = JSON.stringify([where.compile(), order?.compile(), limit, days ?? offset]);
  const known = kept.found.get(asked);
  if (known) return known.ids;
  const ids = await eventIds(db, wanted, totals, days, kept.revision);
  if (!ids) return undefined;
  confirm?.(kept.revision);
  return foundAt(kept, asked, async () => ids, days ?? 'everything');
}

/** Returns what events refer to, loading only what is not kept. */
async function partsFor(
  db: Queryable,
  rows: readonly EventRow[],
  { parts }: KeptAt,
  ctx: HandlerContext,
): Promise<Parts> {
  const ids = idsIn(rows);
  const unknown = (name: keyof Ids): readonly number[] => ids[name].filter((id) => !parts[name].has(id));
  const missing: Ids = {
    venues: unknown('venues'),
    organizers: unknown('organizers'),
    terms: unknown('terms'),
    images: unknown('images'),
  };
  if (Object.values(missing).every((some) => some.length === 0)) return parts;
  const { venues, organizers, terms, images } = await representParts(await relatedTo(db, missing), ctx);
  for (const part of [...venues.values(), ...organizers.values()]) if (part) markLasting(part);
  for (const id of missing.venues) parts.venues.set(id, venues.get(id));
  for (const id of missing.organizers) parts.organizers.set(id, organizers.get(id));
  for (const id of missing.terms) parts.terms.set(id, terms.get(id));
  for (const id of missing.images) parts.images.set(id, images.get(id));
  return parts;
}
