import { decodedPart } from '../../ascii.ts';
import type { Queryable } from '../../db/database.ts';
import type { Event } from '../../contract/representation.ts';
import type { HandlerContext } from '../context.ts';
import type { AskAround } from './around-event.ts';
import { eventsById } from './event-columns.ts';
import { eventIds, eventRows, rowsAt, type Wanted } from './event-rows.ts';
import { pageDays, type EventTotals } from './event-totals.ts';
import { willLast } from '../made-once.ts';
import { itemAt } from './item-at.ts';
import { foundAt, keepAround, keepEvent, keepShownAgain, keptFor, type KeptAt, type Parts } from './kept-at.ts';
import { idsIn, relatedTo, relatedToEvents, type Ids } from './related.ts';
import { representEvents, representEventsOf, representParts } from './represent-event.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import type { EventRow } from './tables.ts';

/** Events as they are answered to who reads them. */
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

/** An event in full, which its reader has opened. One that is in lists is represented once at a revision, wherever it is. */
export async function shownOpened(db: Queryable, row: EventRow, ctx: HandlerContext): Promise<Event> {
  const kept = isListed(row) && row.password === '' ? keptFor(ctx) : undefined;
  const known = kept?.events.byId.get(row.id);
  if (known) return known;
  const event = itemAt(await shownEvents(db, [opened(row)], ctx), 0);
  // A row that is kept is that of this revision.
  if (kept?.around.get(row.slug)?.event.row === row) keepShownAgain(kept, event);
  return event;
}

/** As if its password had been told. */
export const opened = (row: EventRow): EventRow => ({ ...row, password: '' });

/** The events of a page, of which only those are loaded that have not been shown at this revision. */
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

/** Undefined if somebody has written since the request arrived. */
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

/** Finds the events with some ids for one request: see `listedById`. */
export type ListedById = (ids: readonly number[]) => Promise<readonly Event[]>;

/** Events by their ids, in this order, as far as they are in strangers' lists. */
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
 * Asks the same of a slug as it stands in addresses, once at a revision; the request for the event itself is then
 * answered from what was read here.
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

/** Undefined if somebody has written since the request arrived. */
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

/** The ids of a page, which are looked up once at a revision: many addresses show the same list. */
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

/** What some events refer to, of which only that is loaded which is not kept. */
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
  for (const part of [...venues.values(), ...organizers.values()]) if (part) willLast(part);
  for (const id of missing.venues) parts.venues.set(id, venues.get(id));
  for (const id of missing.organizers) parts.organizers.set(id, organizers.get(id));
  for (const id of missing.terms) parts.terms.set(id, terms.get(id));
  for (const id of missing.images) parts.images.set(id, images.get(id));
  return parts;
}
