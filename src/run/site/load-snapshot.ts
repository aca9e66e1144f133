import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import type { LedgerEntry, SiteEvent, SiteOrganizer, SiteTerm, SiteVenue, Snapshot } from '../../sync/model/plan.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { keyOfSlug } from '../../sync/model/slug.ts';
import { assertSomeRead, errorIfForbidden, includeQueries, SINGLE_READS_MAX } from './event-reads.ts';
import { isPartial } from '../../client/abilities.ts';
import { siteEventOf, siteOrganizerOf, siteTermOf, siteVenueOf } from '../../sync/compare/site-values.ts';

/**
 * The built-in site shows hidden events only to editors who name a status; real sites list all they show without one.
 */
const LIVING = 'publish,future,draft,pending,private';

/**
 * Which other events of the site matter when the ledger is empty: the source's own, by key, and those that none of our
 * sources has written.
 */
export interface Unlisted {
  readonly isOwn: (key: string) => boolean;
  readonly isStranger: (event: Event) => boolean;
}

/**
 * What the plan has to know of the site: the ledger's events from an instant (epoch milliseconds) on, those of new
 * `slugs`, the lists that names are looked up in, and, if given, those of `unlisted`.
 */
export async function loadSnapshot(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
  slugs: readonly string[],
  unlisted: Unlisted | undefined,
): Promise<Snapshot> {
  const events = new Map<string, SiteEvent>();
  const entries = [...ledger.values()].filter(({ endsAt }) => endsAt >= from);
  await addListed(client.list, entries, {}, events);
  // Events in the trash appear only in lists that ask for it, never by id.
  const hidden = (): LedgerEntry[] => entries.filter(({ slug, state }) => state !== 'ignored' && !events.has(slug));
  await addListed(client.list, hidden(), { status: 'trash' }, events);
  // The source may once have had another language.
  for (const filter of [{}, { status: 'trash' }]) await addListed(client.listElsewhere, hidden(), filter, events);
  const unread = new Map<string, string>();
  // Events that a person removed are looked for in the lists only, which is where a restored one shows up.
  const asked = hidden();
  await addHidden(client, asked, events, unread);
  const fresh = slugs.filter((slug) => !ledger.has(slug));
  const strangers = await addNew(client, fresh, unlisted, events, unread);
  assertSomeRead(unread, asked.length + fresh.length - unread.size);
  const [categories, tags] = [await LISTS.categories(client), await LISTS.tags(client)];
  const [venues, organizers] = [await LISTS.venues(client), await LISTS.organizers(client)];
  return { events, unread, categories, tags, venues, organizers, ...(strangers ? { strangers } : {}) };
}

/** The complete lists that names are looked up in. */
export const LISTS = {
  categories: (client: SiteClient): Promise<readonly SiteTerm[]> => allOf(client.list('categories', {}), siteTermOf),
  tags: (client: SiteClient): Promise<readonly SiteTerm[]> => allOf(client.list('tags', {}), siteTermOf),
  venues: (client: SiteClient): Promise<readonly SiteVenue[]> => allOf(client.list('venues', {}), siteVenueOf),
  organizers: (client: SiteClient): Promise<readonly SiteOrganizer[]> =>
    allOf(client.list('organizers', {}), siteOrganizerOf),
} as const;

/** Adds the events whose id the ledger knows, fifty per request, under the slug that the ledger has for them. */
async function addListed(
  list: SiteClient['list'],
  entries: readonly LedgerEntry[],
  filter: Readonly<Record<string, string>>,
  events: Map<string, SiteEvent>,
): Promise<void> {
  const known = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])));
  for (const page of includeQueries([...known.keys()])) {
    for await (const event of list('events', { ...filter, ...page })) {
      const entry = known.get(event.id);
      if (entry && isEventOf(event, entry)) events.set(entry.slug, siteEventOf(event));
    }
  }
}

/** Adds events that no list shows, by id, then by slug: lists hide events, are split into pages, and are cached. */
async function addHidden(
  client: SiteClient,
  entries: readonly LedgerEntry[],
  events: Map<string, SiteEvent>,
  unread: Map<string, string>,
): Promise<void> {
  for (const entry of entries) {
    const byId = entry.id === null ? null : await client.read('events', { id: entry.id }).catch(errorIfForbidden);
    const isOurs = byId && !(byId instanceof AppError) && isEventOf(byId, entry);
    const found = isOurs
      ? byId
      : ((await client.read('events', { slug: entry.slug }).catch(errorIfForbidden)) ??
        (byId instanceof AppError ? byId : null));
    if (found instanceof AppError) unread.set(entry.slug, found.message);
    else if (found) events.set(entry.slug, siteEventOf(found));
  }
}

/**
 * Adds events that the site may have although the ledger does not: after the ledger was lost (then all of `unlisted`),
 * or after a create whose answer was lost. Returns those that none of our sources has written.
 */
async function addNew(
  client: SiteClient,
  slugs: readonly string[],
  unlisted: Unlisted | undefined,
  events: Map<string, SiteEvent>,
  unread: Map<string, string>,
): Promise<readonly SiteEvent[] | undefined> {
  if (slugs.length > SINGLE_READS_MAX || unlisted !== undefined)
    return addFromLists(client, new Set(slugs.map(keyOfSlug)), unlisted, events);
  for (const slug of slugs) {
    const found = await client.read('events', { slug }).catch(errorIfForbidden);
    if (found instanceof AppError) unread.set(slug, found.message);
    else if (found) add(events, siteEventOf(found));
  }
  return undefined;
}

/**
 * Adds events from the lists of all events, by key, because a changed title changes the rest of the slug. Returns those
 * that none of our sources has written.
 */
async function addFromLists(
  client: SiteClient,
  wanted: ReadonlySet<string | null>,
  unlisted: Unlisted | undefined,
  events: Map<string, SiteEvent>,
): Promise<readonly SiteEvent[] | undefined> {
  const strangers = new Map<number, SiteEvent>();
  const living = await livingEvents(client);
  // Without a ledger, drafts alone are not enough: an event may have moved, or left the feed, and still have a key of
  // this source.
  const isWanted = (key: string | null): boolean => wanted.has(key) || (key !== null && unlisted?.isOwn(key) === true);
  for await (const event of client.list('events', living)) {
    if (isWanted(keyOfSlug(event.slug))) add(events, siteEventOf(event));
    else if (unlisted?.isStranger(event)) strangers.set(event.id, siteEventOf(event));
  }
  // What a person removed stays removed, even when the ledger no longer knows of it.
  const trash = { status: 'trash' };
  for (const hidden of [
    ...(unlisted ? [client.list('events', trash)] : []),
    client.listElsewhere('events', living),
    ...(unlisted ? [client.listElsewhere('events', trash)] : []),
  ])
    for await (const event of hidden) if (isWanted(keyOfSlug(event.slug))) add(events, siteEventOf(event));
  return unlisted && [...strangers.values()];
}

/** Query for a list of all events of a site that are not in the trash. */
export const livingEvents = async (client: SiteClient): Promise<Readonly<Record<string, string>>> =>
  isPartial(await client.abilities()) ? { status: LIVING } : {};

const add = (events: Map<string, SiteEvent>, event: SiteEvent): void => {
  events.set(event.slug, event);
};

/** Every item of a list, converted. */
export async function allOf<T, U>(items: AsyncIterable<T>, convert: (item: T) => U): Promise<U[]> {
  const all: U[] = [];
  for await (const item of items) all.push(convert(item));
  return all;
}
