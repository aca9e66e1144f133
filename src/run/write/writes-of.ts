import type { ProblemCode } from '../../codes.ts';
import type { Abilities, SiteClient, Write } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { decodeEntities } from '../../html/references.ts';
import { changedSincePlanned, type Change, type ChangesSincePlanned } from '../../sync/event/changed-since-planned.ts';
import type { Action, Json, Refs, SentFields } from '../../sync/model/plan.ts';
import { FLAGS, isLinked, MARKUP_FIELDS, type LinkedField } from '../../sync/model/fields.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { isRevival } from '../../sync/model/values-before.ts';
import { isOurSlug, keyOfSlug } from '../../sync/model/slug.ts';
import { includeQueries } from '../site/event-reads.ts';
import type { ImageWriteAnswer, Sending } from './write-images.ts';
import { isPartial } from '../../client/abilities.ts';

/** An action to carry out; `shown` is its event if that was read a moment ago. */
export interface ActionToWrite {
  readonly action: Action;
  readonly shown?: Event | undefined;
}

/** An action, with the request that would carry it out on a site that only changes what is named. */
interface Completing extends ActionToWrite {
  readonly write: Write;
}

/** The code of a write to an event that was no longer where the plan had seen it. */
export const EVENT_REMOVED = 'event-removed';

/** The code of a write that is not sent because a person has changed the event since planning. */
export const CHANGED_SINCE = 'changed-since-planned';

/** A write that may be sent, or the answer that takes its place. */
export type PreparedWrite =
  | (Sending & {
      /** Fields that already show what it sends, although the plan did not know this. */
      readonly already?: ChangesSincePlanned['already'];
    })
  | { readonly answer: ImageWriteAnswer };

/**
 * The requests that carry out actions. For sites that reset whatever an update omits, they are completed with what the
 * site shows of the events now. Title, texts, terms and venue are left out unless they change: they are only readable
 * as rendered, and sites keep them when absent. Every update names the slug under which the event was seen. Since the
 * trash changes slugs, an update, which would restore the event, cannot reach one that a person has trashed in the
 * meantime. Nothing is written by an id that now shows another event. If the event is read again before writing, fields
 * that a person has changed since are not written.
 */
export async function writesOf(
  client: SiteClient,
  due: readonly ActionToWrite[],
  refs: Refs,
): Promise<readonly PreparedWrite[]> {
  const abilities = await client.abilities();
  const planned = due.map((each): Completing => ({ ...each, write: writeOf(each.action, refs) }));
  const writes = isPartial(abilities) ? planned : planned.map(withBackslashes);
  if (isPartial(abilities)) {
    const now = await shownNow(client, abilities, writes);
    return writes.map(({ action, write }) =>
      bySlugUnlessChanged(action, write, 'id' in action ? now.get(action.id) : undefined, refs),
    );
  }
  const all: PreparedWrite[] = [];
  for (const { action, write, shown } of writes)
    all.push('id' in action ? await completeOne(client, { action, write, shown }, refs) : { write });
  return all;
}

/**
 * The request for an action as planned, with ids for refs. A ref without an id is left out; the report names the
 * creation that was refused.
 */
function writeOf(action: Action, refs: Refs): Write {
  if (action.kind === 'create')
    return {
      method: 'POST',
      path: `/${action.resource}`,
      body:
        action.resource === 'events'
          ? withIds(action.fields, refs)
          : withNames(action.fields as unknown as Readonly<Record<string, Json>>),
    };
  const path = `/events/${action.id}`;
  return action.kind === 'remove' && action.how === 'trash'
    ? { method: 'DELETE', path }
    : { method: 'POST', path, body: withIds(action.fields, refs) };
}

// A real site takes one venue and refuses a list of one.
const withIds = (fields: SentFields, refs: Refs): Record<string, Json> =>
  eachOf(fields, (name, value) => (isLinked(name) ? idsSent(name, idsOf(value, refs)) : escapedName(name, value)));
const idsSent = (field: LinkedField, ids: readonly number[]): Json => (field === 'venue' ? (ids[0] ?? null) : ids);

const NAMES: ReadonlySet<string> = new Set(['title', 'name', 'venue', 'organizer']);

const withNames = (fields: Readonly<Record<string, Json>>): Record<string, Json> => eachOf(fields, escapedName);

/**
 * Our titles and names are plain text while the interface's are HTML, so characters that would be read as markup or as
 * a character reference are escaped.
 */
const escapedName = (name: string, value: Json): Json =>
  NAMES.has(name) && typeof value === 'string' ? value.replace(/&(?=#?\w+;)/g, '&amp;').replace(/</g, '&lt;') : value;

/** Real sites strip backslashes from all texts, but not character references (contract.md, 2.7). */
function withBackslashes(due: Completing): Completing {
  const { body } = due.write;
  if (body === undefined || due.action.resource !== 'events') return due;
  const sent = eachOf(body as Readonly<Record<string, Json>>, (name, value) =>
    HTML_FIELDS.has(name) && typeof value === 'string' ? value.replaceAll('\\', '&#92;') : value,
  );
  return { ...due, write: { ...due.write, body: sent } };
}
const HTML_FIELDS: ReadonlySet<string> = new Set(['title', ...MARKUP_FIELDS]);

function eachOf(
  fields: Readonly<Record<string, Json>>,
  sent: (name: string, value: Json) => Json,
): Record<string, Json> {
  const all: Record<string, Json> = {};
  for (const name of Object.keys(fields)) all[name] = sent(name, fields[name] ?? null);
  return all;
}

const idsOf = (value: Json, refs: Refs): readonly number[] =>
  (Array.isArray(value) ? value : []).flatMap((ref) =>
    typeof ref === 'string' && refs[ref] !== undefined ? [refs[ref]] : [],
  );

/**
 * The events of updates as lists show them now, or showed them a moment ago. Each page of events has a request of its
 * own, because from a list of several pages an event would be missed that moves to an earlier page in between.
 */
async function shownNow(
  client: SiteClient,
  abilities: Abilities,
  writes: readonly Completing[],
): Promise<ReadonlyMap<number, Event>> {
  const shown = new Map(writes.flatMap(({ shown: event }) => (event ? [[event.id, event] as const] : [])));
  const ids = writes.flatMap(({ action, write }) =>
    'id' in action && write.body && !shown.has(action.id) ? [action.id] : [],
  );
  for (const query of includeQueries(abilities, ids))
    for await (const event of client.list('events', query)) shown.set(event.id, event);
  return shown;
}

function bySlugUnlessChanged(action: Action, write: Write, event: Event | undefined, refs: Refs): PreparedWrite {
  const { changed, already } =
    event && write.body && 'id' in action ? changedSincePlanned(action, siteEventOf(event), refs) : AS_PLANNED;
  return changed.length > 0
    ? changedAnswer(changed)
    : { write: bySlug(write, 'siteSlug' in action ? action.siteSlug : undefined), already };
}

const AS_PLANNED: ChangesSincePlanned = { changed: [], already: [] };

const changedAnswer = (changed: readonly string[]): PreparedWrite =>
  answerInstead(409, CHANGED_SINCE, changed.join(', '));

const answerInstead = (status: number, code: ProblemCode, message: string): PreparedWrite => ({
  answer: { kind: 'answered', status, body: { code, message }, isUnsent: true },
});

async function completeOne(
  client: SiteClient,
  { action, write, shown }: Completing & { readonly action: Change },
  refs: Refs,
): Promise<PreparedWrite> {
  const { id, slug } = action;
  const event = shown ?? (await readOwn(client, id));
  if (event instanceof AppError) return answerInstead(403, event.code, event.message);
  if (!event || !isAsPlanned(event, action))
    return answerInstead(409, 'event-not-ours', `The id ${id} now shows another event, or none.`);
  // Any update restores an event from the trash, so only one that is meant to may be sent.
  if (write.body && event.status === 'trash' && !isRevival(action))
    return answerInstead(404, EVENT_REMOVED, 'A person has put it into the trash in the meantime: it stays there.');
  const { changed, already } = write.body ? changedSincePlanned(action, siteEventOf(event), refs) : AS_PLANNED;
  if (changed.length > 0) return changedAnswer(changed);
  return {
    already,
    image: imageIn(event),
    write: write.body ? wholeWrite(event, slug, write, write.body) : write,
  };
}

const wholeWrite = (event: Event, slug: string, write: Write, body: NonNullable<Write['body']>): Write =>
  bySlug(
    { ...write, body: { ...wholeBody(event, body), ...(event.slug === '' ? { slug } : {}) } },
    event.status === 'trash' ? undefined : event.slug,
  );

/**
 * Whether the id still shows the planned event. One that had no slug during planning (its writer may not publish) may
 * still have none; it gets its own again.
 */
const isAsPlanned = ({ slug }: Event, action: Change): boolean =>
  slug === '' ? action.siteSlug === '' : isOurSlug(slug, { slug: action.slug, key: keyOfSlug(action.slug) ?? '' });

// Slugs that are not ours may be used twice (drafts) and be encoded in several ways, so such events are written by id.
const bySlug = (write: Write, slug: string | undefined): Write =>
  write.body && slug !== undefined && keyOfSlug(slug) !== null ? { ...write, path: `/events/by-slug/${slug}` } : write;

/**
 * The event as it is now, or the error if it may not be read, so that this costs only the event and not its whole
 * batch.
 */
async function readOwn(client: SiteClient, id: number): Promise<Event | AppError | null> {
  try {
    return (await client.read('events', { id })) ?? (await inTrash(client, id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'site-forbidden') return error;
    throw error;
  }
}

// Sites show events in the trash only in lists that ask for them, not by id.
async function inTrash(client: SiteClient, id: number): Promise<Event | null> {
  for await (const event of client.list('events', { status: 'trash', include: String(id) }))
    if (event.id === id) return event;
  return null;
}

/**
 * An update that names everything that a real site resets when it is absent. An empty image is cleared by leaving it
 * out.
 */
export function wholeBody(event: Event, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = {
    status: event.status === 'trash' ? 'publish' : event.status,
    ...(event.date_utc.startsWith('0000') ? {} : { date: event.date }),
    timezone: event.timezone,
    all_day: event.all_day,
    start_date: event.start_date,
    end_date: event.end_date,
    cost: costOf(event),
    website: decodeEntities(event.website) === decodeEntities(event.url) ? '' : decodeEntities(event.website),
    organizer: event.organizer.map(({ id }) => id),
    ...(event.image ? { image: imageIn(event) } : {}),
    ...Object.fromEntries(FLAGS.map((flag) => [flag, event[flag]])),
  };
  const { image, ...whole } = { ...kept, ...body };
  return image === '' || image === undefined ? whole : { ...whole, image };
}

const imageIn = ({ image }: Event): string | undefined => (image ? String(image.id) : undefined);

/**
 * The cost as it was sent, put together from its parts: the displayed form loses spaces, and gets the site's own symbol
 * if none was sent.
 */
function costOf({
  cost,
  cost_details: { currency_symbol: symbol, currency_position: position, values },
}: Event): string | readonly string[] {
  if (values.length === 0 || values.some((value) => !/^\d*\.?\d+$/.test(value))) return decodeEntities(cost);
  const amounts = values.map((value) => (position === 'postfix' ? `${value}${symbol}` : `${symbol}${value}`));
  const [first, ...more] = amounts;
  return first !== undefined && more.length === 0 ? first : amounts;
}
