import type { Queryable } from '../../db/database.ts';
import type { Organizer, Venue } from '../../contract/event-parts.ts';
import { mapWithPauses } from '../../pauses.ts';
import type { HandlerContext } from '../context.ts';
import type { Answer, SiteHandlers } from '../handlers.ts';
import { changedMeanwhile, forbidden, HttpProblem, invalidParams, ForbiddenPost } from '../http-problem.ts';
import { withPerson, withPlace } from './json-ld.ts';
import {
  findLinked,
  insertLinked,
  trashLinked,
  updateLinked,
  type LinkedAsked,
  type LinkedKind,
  type LinkedRow,
} from './linked.ts';
import { imagesOf, listLinked } from './linked-list.ts';
import { representOrganizer, representVenue } from './represent-linked.ts';
import { isUnchanged, mayEdit, mayRead, whoMayEdit } from './rights.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import type { ImageRow, PostRow } from './tables.ts';
import { inTurn } from './turn.ts';
import { unknownItem } from './none-there.ts';

type VenueHandlers = Pick<SiteHandlers, Extract<keyof SiteHandlers, `${string}Venue${string}`>>;
type OrganizerHandlers = Pick<SiteHandlers, Extract<keyof SiteHandlers, `${string}Organizer${string}`>>;

const toVenue = (
  row: LinkedRow<'venues'>,
  images: ReadonlyMap<number, ImageRow>,
  { settings }: HandlerContext,
): Venue => representVenue(row, images, settings);
const toOrganizer = (
  row: LinkedRow<'organizers'>,
  images: ReadonlyMap<number, ImageRow>,
  { settings }: HandlerContext,
): Organizer => representOrganizer(row, images, settings);

/** Venues: the list, and single ones by id or slug. */
export const venueHandlers: VenueHandlers = {
  listVenues: async (input, ctx) => {
    const { rows, images, links } = await listLinked(ctx.db, 'venues', input, ctx);
    return { body: { venues: await mapWithPauses(rows, (row) => toVenue(row, images, ctx)), ...links } };
  },
  createVenue: (input, ctx) => write(ctx, toVenue, (db) => insertLinked(db, 'venues', input, ctx)),
  readVenue: (input, ctx) => read('venues', input, ctx, (row, images) => withPlace(toVenue(row, images, ctx))),
  readVenueBySlug: (input, ctx) => read('venues', input, ctx, (row, images) => withPlace(toVenue(row, images, ctx))),
  updateVenue: ({ id, ...asked }, ctx) => write(ctx, toVenue, (db) => update(db, 'venues', { id }, asked, ctx)),
  updateVenueBySlug: ({ slug, ...asked }, ctx) =>
    write(ctx, toVenue, (db) => update(db, 'venues', { slug }, asked, ctx)),
  deleteVenue: (input, ctx) => write(ctx, toVenue, (db) => remove(db, 'venues', input, ctx)),
  deleteVenueBySlug: (input, ctx) => write(ctx, toVenue, (db) => remove(db, 'venues', input, ctx)),
};

/** Organizers: the list, and single ones by id or slug. */
export const organizerHandlers: OrganizerHandlers = {
  listOrganizers: async (input, ctx) => {
    const { rows, images, links } = await listLinked(ctx.db, 'organizers', input, ctx);
    return { body: { organizers: await mapWithPauses(rows, (row) => toOrganizer(row, images, ctx)), ...links } };
  },
  createOrganizer: (input, ctx) => write(ctx, toOrganizer, (db) => insertLinked(db, 'organizers', input, ctx)),
  readOrganizer: (input, ctx) =>
    read('organizers', input, ctx, (row, images) => withPerson(toOrganizer(row, images, ctx))),
  readOrganizerBySlug: (input, ctx) =>
    read('organizers', input, ctx, (row, images) => withPerson(toOrganizer(row, images, ctx))),
  updateOrganizer: ({ id, ...asked }, ctx) =>
    write(ctx, toOrganizer, (db) => update(db, 'organizers', { id }, asked, ctx)),
  updateOrganizerBySlug: ({ slug, ...asked }, ctx) =>
    write(ctx, toOrganizer, (db) => update(db, 'organizers', { slug }, asked, ctx)),
  deleteOrganizer: (input, ctx) => write(ctx, toOrganizer, (db) => remove(db, 'organizers', input, ctx)),
  deleteOrganizerBySlug: (input, ctx) => write(ctx, toOrganizer, (db) => remove(db, 'organizers', input, ctx)),
};

type Key = ({ readonly id: number } | { readonly slug: string }) & { readonly translation_language?: string };
const write = <Row extends PostRow, R>(
  ctx: HandlerContext,
  represent: (row: Row, images: ReadonlyMap<number, ImageRow>, ctx: HandlerContext) => R,
  work: (db: Queryable) => Promise<Row>,
): Promise<Answer<R>> =>
  inTurn(ctx, async (db) => {
    const row = await work(db);
    return { body: represent(row, await imagesOf(db, [row]), ctx) };
  });

async function read<K extends LinkedKind, R>(
  kind: K,
  key: Key,
  ctx: HandlerContext,
  represent: (row: LinkedRow<K>, images: ReadonlyMap<number, ImageRow>) => R,
): Promise<Answer<R>> {
  const { db } = ctx;
  const row = await existing(db, kind, key);
  if (!mayRead(ctx.caller, row)) {
    throw new ForbiddenPost(
      new HttpProblem(
        kind === 'venues' ? 'venue-not-accessible' : 'organizer-not-accessible',
        `The requested ${kind.slice(0, -1)} is not accessible.`,
      ),
    );
  }
  return { body: represent(row, await imagesOf(db, [row])), isReadOnly: !mayEdit(ctx.caller, row) };
}

async function update<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  key: Key,
  asked: LinkedAsked,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const row = await editable(
    db,
    kind,
    { ...key, ...(ctx.language !== undefined && { translation_language: ctx.language }) },
    ctx,
  );
  if (!isUnchanged(row, ctx)) throw changedMeanwhile();
  return updateLinked(db, kind, asked, row, ctx);
}

async function remove<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  key: Key,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const row = await editable(db, kind, key, ctx);
  if (row.status === 'trash')
    throw new HttpProblem(
      kind === 'venues' ? 'venue-is-in-trash' : 'organizer-is-in-trash',
      `The ${kind.slice(0, -1)} is in the trash already.`,
    );
  return trashLinked(db, kind, row, ctx);
}

async function editable<K extends LinkedKind>(
  db: Queryable,
  kind: K,
  key: Key,
  ctx: HandlerContext,
): Promise<LinkedRow<K>> {
  const row = await existing(db, kind, key);
  if (!mayEdit(ctx.caller, row)) throw new ForbiddenPost(forbidden(ctx.caller, whoMayEdit(ctx.caller, row)));
  return row;
}

/** As in current releases of real sites, a missing item is an invalid parameter. */
async function existing<K extends LinkedKind>(db: Queryable, kind: K, key: Key): Promise<LinkedRow<K>> {
  const row = await findLinked(
    db,
    kind,
    'id' in key ? { id: key.id } : { slug: sanitizeTitle(key.slug) },
    key.translation_language,
  );
  if (!row) throw invalidParams(unknownItem(kind, key));
  return row;
}
