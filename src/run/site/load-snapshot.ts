import { AppError } from '../../error.ts';
import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import type { LedgerEntry, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { keyOfSlug } from '../../sync/model/slug.ts';
import { assertSomeRead, errorIfForbidden, includeQueries, SINGLE_READS_MAX } from './event-reads.ts';
import { collect, LISTS, livingEvents } from './site-lists.ts';

/**
 * Tests for the other events of the site that matter if the ledger is empty: the source's own, by key, and those that
 * none of our sources has written.
 */
export interface UnlistedTests {
  readonly isOwn: (key: string) => boolean;
  readonly isStranger: (event: Event) => boolean;
}

/** What a full comparison reads from the site, whatever the feed says. */
export interface ReadAhead {
  /** The ledger's events in the site's lists. */
  readonly listed: ReadonlyMap<string, SiteEvent>;
  readonly lists: Lists;
  /** If the ledger is empty: all events with the source's keys, and those that none of our sources has written. */
  readonly unlisted?: FromLists;
}

/**
 * What a plan has to know about the site: the events of `eventsOf`, and the lists for looking up names. `ahead` is what
 * was read earlier for the same ledger.
 */
export async function loadSnapshot(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
  slugs: readonly string[],
  unlisted: UnlistedTests | undefined,
  ahead?: ReadAhead,
): Promise<Snapshot> {
  const events = await eventsOf(client, ledger, from, slugs, unlisted, ahead);
  return { ...events, ...(ahead?.lists ?? (await loadLists(client))) };
}

/** The events of a snapshot, without the lists for looking up names. */
export type EventsOnSite = Omit<Snapshot, keyof typeof LISTS>;

const isOurs = ({ state }: LedgerEntry): boolean => state !== 'ignored' && state !== 'detached';

/**
 * What a site has of the ledger's events from an instant on (epoch milliseconds), of the events of new `slugs` and, if
 * given, of `unlisted`.
 */
export async function eventsOf(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
  slugs: readonly string[],
  unlisted: UnlistedTests | undefined,
  ahead?: Omit<ReadAhead, 'lists'>,
): Promise<EventsOnSite> {
  const entries = entriesFrom(ledger, from);
  const events = new Map(ahead?.listed ?? (await listedEvents(client, ledger, from)));
  // Trashed events are only in lists that ask for them, and cannot be read by id.
  const hidden = (): LedgerEntry[] => entries.filter((entry) => isOurs(entry) && !events.has(entry.slug));
  await addListed(client, client.list, hidden(), { status: 'trash' }, events);
  // The source may once have had another language.
  for (const filter of [{}, { status: 'trash' }])
    await addListed(client, client.listElsewhere, hidden(), filter, events);
  const unread = new Map<string, string>();
  // Events that a person removed are searched for in lists only, which is where a restored one appears.
  const asked = hidden();
  await addHidden(client, asked, events, unread);
  const fresh = slugs.filter((slug) => !ledger.has(slug));
  const strangers = await addNew(client, fresh, unlisted, events, unread, ahead?.unlisted);
  assertSomeRead(unread, asked.length + fresh.length - unread.size);
  return { events, unread, ...(strangers ? { strangers } : {}) };
}

/** The lists for looking up names. */
type Lists = Pick<Snapshot, keyof typeof LISTS>;

/** Reads the lists for looking up names. */
export async function loadLists(client: SiteClient): Promise<Lists> {
  const [categories, tags, venues, organizers] = await Promise.all([
    LISTS.categories(client),
    LISTS.tags(client),
    LISTS.venues(client),
    LISTS.organizers(client),
  ]);
  return { categories, tags, venues, organizers };
}

const entriesFrom = (ledger: ReadonlyMap<string, LedgerEntry>, from: number): readonly LedgerEntry[] =>
  [...ledger.values()].filter(({ endsAt }) => endsAt >= from);

/**
 * The ledger's events from an instant on (epoch milliseconds) that are in the site's lists, by their slugs in the
 * ledger.
 */
export const listedEvents = (
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
): Promise<ReadonlyMap<string, SiteEvent>> => listedOf(client, entriesFrom(ledger, from));

/** The events of some entries that are in the site's lists, by their slugs in the ledger. */
export async function listedOf(
  client: SiteClient,
  entries: readonly LedgerEntry[],
): Promise<ReadonlyMap<string, SiteEvent>> {
  const events = new Map<string, SiteEvent>();
  await addListed(client, client.list, entries, {}, events);
  return events;
}

/** The number of pages requested together; the transport sends no more at once than the site is meant to get. */
const PAGES_AT_ONCE = 4;

/** Adds the events whose id is in the ledger, page by page, under their slugs in the ledger. */
async function addListed(
  client: SiteClient,
  list: SiteClient['list'],
  entries: readonly LedgerEntry[],
  filter: Readonly<Record<string, string>>,
  events: Map<string, SiteEvent>,
): Promise<void> {
  const known = new Map(entries.flatMap((entry) => (entry.id === null ? [] : [[entry.id, entry] as const])));
  const found = (event: Event): void => {
    const entry = known.get(event.id);
    if (entry && isEventOf(event, entry)) events.set(entry.slug, siteEventOf(event));
  };
  const site = await client.abilities();
  const pages = includeQueries(site, [...known.keys()]);
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
    if (at > 0) client.onRead?.({ unit: 'events of the site', done: at * site.perPageMax, of: known.size });
    await Promise.all(
      pages.slice(at, at + PAGES_AT_ONCE).map((page) => collect(list('events', { ...filter, ...page }), found)),
    );
  }
}

/** Adds events that are in no list, by id, then by slug: lists hide events, are split into pages, and are cached. */
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
  unlisted: UnlistedTests | undefined,
  events: Map<string, SiteEvent>,
  unread: Map<string, string>,
  ahead: FromLists | undefined,
): Promise<readonly SiteEvent[] | undefined> {
  if (slugs.length > SINGLE_READS_MAX || unlisted !== undefined)
    return addFromLists(client, new Set(slugs.map(keyOfSlug)), unlisted, events, ahead);
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
  unlisted: UnlistedTests | undefined,
  events: Map<string, SiteEvent>,
  ahead: FromLists | undefined,
): Promise<readonly SiteEvent[] | undefined> {
  // Without a ledger, the keys of the drafts are not enough: an event with a key of this source may have moved, or left
  // the feed.
  const isWanted = (key: string | null): boolean => wanted.has(key) || (key !== null && unlisted?.isOwn(key) === true);
  const { own, strangers } = ahead ?? (await readWholeLists(client, isWanted, unlisted?.isStranger));
  for (const event of own) if (isWanted(keyOfSlug(event.slug))) add(events, event);
  return unlisted && strangers;
}

/** Events from the lists of a whole site: those with some keys, and those that none of our sources has written. */
export interface FromLists {
  readonly own: readonly SiteEvent[];
  readonly strangers: readonly SiteEvent[];
}

/**
 * Reads the lists of a whole site. With `isStranger` the trash is read as well: what a person removed stays removed,
 * even after the ledger was lost.
 */
export async function readWholeLists(
  client: SiteClient,
  isOwn: (key: string | null) => boolean,
  isStranger: UnlistedTests['isStranger'] | undefined,
): Promise<FromLists> {
  const strangers = new Map<number, SiteEvent>();
  const ownOf = async (list: AsyncIterable<Event>, onOther?: (event: Event) => void): Promise<readonly SiteEvent[]> => {
    const own: SiteEvent[] = [];
    for await (const event of list)
      if (isOwn(keyOfSlug(event.slug))) own.push(siteEventOf(event));
      else onOther?.(event);
    return own;
  };
  const [living, trash] = [await livingEvents(client), { status: 'trash' }];
  const own = await Promise.all([
    ownOf(client.list('events', living), (event) => {
      if (isStranger?.(event)) strangers.set(event.id, siteEventOf(event));
    }),
    ...(isStranger ? [ownOf(client.list('events', trash))] : []),
    ownOf(client.listElsewhere('events', living)),
    ...(isStranger ? [ownOf(client.listElsewhere('events', trash))] : []),
  ]);
  return { own: own.flat(), strangers: [...strangers.values()] };
}

const add = (events: Map<string, SiteEvent>, event: SiteEvent): void => {
  events.set(event.slug, event);
};
