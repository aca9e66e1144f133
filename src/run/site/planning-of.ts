import { AppError } from '../../error.ts';
import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { isOwnKey } from '../../sync/event/without-ledger.ts';
import { amid, type Naming } from '../../sync/model/besides.ts';
import type { LedgerEntry, Policy, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { keyOfSlug, sourceKeyIn, sourceKeys } from '../../sync/model/slug.ts';
import { slugsOf, type Known } from '../../sync/plan/plan-changes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadVenueClaims } from '../state/ledger.ts';
import { assertSomeRead, errorIfForbidden, includeQueries, SINGLE_READS_MAX } from './event-reads.ts';
import { withoutOwnEvents } from './own-events.ts';
import { allOf, LISTS, livingEvents } from './site-lists.ts';

/**
 * All that a plan takes into account apart from the site's events, the same for a sync, a person's decision and
 * `explain`. Events that the feed has from our own exports are left out of the reading.
 */
export async function planningOf(
  context: Pick<RunContext, 'database'>,
  setup: SourceSetup,
  { reading: whole, policy, rung, besides }: Pick<Known, 'reading' | 'policy' | 'rung' | 'besides'>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<Known> {
  const own = await withoutOwnEvents(context, setup, whole);
  const reading = besides ? amid(own, besides) : own;
  const others = await loadOtherKeys(context, setup, policy);
  return {
    reading,
    policy,
    rung: rung ?? 'uid',
    ledger,
    ...(besides ? { besides } : {}),
    claims: hasCities([...reading.drafts, ...(besides?.naming ?? [])])
      ? await loadVenueClaims(context.database.query(), setup.site.key)
      : [],
    others: besides ? new Set([...others, ...besides.keys]) : others,
  };
}

const hasCities = (drafts: readonly Naming[]): boolean =>
  drafts.some(({ fields: { venue } }) => venue?.some(({ city }) => city !== undefined));

/**
 * Keys in the ledgers of the site's other sources that this source could give, too: a renamed source still uses the
 * keys of its old name.
 */
async function loadOtherKeys(
  { database }: Pick<RunContext, 'database'>,
  { site, name }: SourceSetup,
  policy: Policy,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`select key from calsync.ledger
    where site = ${site.key} and source <> ${name} and exists (select 1 from unnest(${[...sourceKeys(policy)]}::text[]) as own where starts_with(key, own))`.execute(
    database.query<unknown>(),
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * The snapshot for a whole comparison of a source with its site. Without a ledger it has all of the source's events,
 * and those that are in no ledger.
 */
export async function loadWhole(
  context: RunContext,
  setup: SourceSetup,
  known: Known,
  from: number,
  ahead?: ReadAhead,
): Promise<Snapshot> {
  const unlisted = !(known.wasEmpty ?? known.ledger.size === 0)
    ? undefined
    : { isOwn: isOwnKey(known.policy, known.others ?? new Set()), isStranger: await strangersOn(context, setup) };
  return loadSnapshot(setup.site.client, known.ledger, from, slugsOf(known), unlisted, ahead);
}

/** What a whole comparison reads of the site whatever the feed says. */
export interface ReadAhead {
  /** The ledger's events that the site lists. */
  readonly listed: ReadonlyMap<string, SiteEvent>;
  readonly lists: Lists;
  /** Where the ledger is empty: all events of the source's keys, and those that none of our sources has written. */
  readonly unlisted?: FromLists;
}

/** Reads what a whole comparison needs whatever the feed says, while that is being parsed. */
export async function readAhead(
  context: RunContext,
  setup: SourceSetup,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
): Promise<ReadAhead> {
  const { client } = setup.site;
  const [listed, lists, unlisted] = await Promise.all([
    listedEvents(client, ledger, from),
    loadLists(client),
    ledger.size === 0 ? unlistedAhead(context, setup) : undefined,
    // A first run will most likely write. The client remembers that it may.
    ledger.size === 0 ? client.rights() : undefined,
  ]);
  return { listed, lists, ...(unlisted ? { unlisted } : {}) };
}

async function unlistedAhead(context: RunContext, setup: SourceSetup): Promise<FromLists> {
  const keys = sourceKeys(setup.policy(context.now(), false));
  const isOwn = (key: string | null): boolean => key !== null && keys.some((own) => key.startsWith(own));
  return readWholeLists(setup.site.client, isOwn, await strangersOn(context, setup));
}

/** Tells whether an event of the site was written by none of our sources. */
export async function strangersOn(
  { database, sources, now }: RunContext,
  { site }: SourceSetup,
): Promise<(event: Pick<Event, 'id' | 'slug'>) => boolean> {
  const { rows } = await sql<{
    slug: string;
    id: number | null;
  }>`select slug, id from calsync.ledger where site = ${site.key}`.execute(database.query<unknown>());
  const [slugs, ids] = [new Set(rows.map(({ slug }) => slug)), new Set(rows.map(({ id }) => id))];
  const ours = new Set([...sources.values()].flatMap((setup) => sourceKeys(setup.policy(now(), false))));
  return ({ id, slug }) => !slugs.has(slug) && !ids.has(id) && !ours.has(sourceKeyIn(slug) ?? '');
}

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
 * `slugs`, the lists that names are looked up in, and, if given, those of `unlisted`. `ahead` is what
 * `readAhead` has read for the same ledger.
 */
export async function loadSnapshot(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
  slugs: readonly string[],
  unlisted: Unlisted | undefined,
  ahead?: ReadAhead,
): Promise<Snapshot> {
  const entries = entriesFrom(ledger, from);
  const events = new Map(ahead?.listed ?? (await listedEvents(client, ledger, from)));
  // Events in the trash appear only in lists that ask for it, never by id.
  const hidden = (): LedgerEntry[] => entries.filter(({ slug, state }) => state !== 'ignored' && !events.has(slug));
  await addListed(client, client.list, hidden(), { status: 'trash' }, events);
  // The source may once have had another language.
  for (const filter of [{}, { status: 'trash' }])
    await addListed(client, client.listElsewhere, hidden(), filter, events);
  const unread = new Map<string, string>();
  // Events that a person removed are looked for in the lists only, which is where a restored one shows up.
  const asked = hidden();
  await addHidden(client, asked, events, unread);
  const fresh = slugs.filter((slug) => !ledger.has(slug));
  const strangers = await addNew(client, fresh, unlisted, events, unread, ahead?.unlisted);
  assertSomeRead(unread, asked.length + fresh.length - unread.size);
  const lists = ahead?.lists ?? (await loadLists(client));
  return { events, unread, ...lists, ...(strangers ? { strangers } : {}) };
}

type Lists = Pick<Snapshot, keyof typeof LISTS>;

async function loadLists(client: SiteClient): Promise<Lists> {
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

/** The ledger's events from an instant (epoch milliseconds) on that the site lists, by their slugs in the ledger. */
async function listedEvents(
  client: SiteClient,
  ledger: ReadonlyMap<string, LedgerEntry>,
  from: number,
): Promise<ReadonlyMap<string, SiteEvent>> {
  const events = new Map<string, SiteEvent>();
  await addListed(client, client.list, entriesFrom(ledger, from), {}, events);
  return events;
}

/** So many pages are asked for together; the transport sends no more at once than the site is meant to get. */
const PAGES_AT_ONCE = 4;

/** Adds the events whose id the ledger knows, page by page, under the slug that the ledger has for them. */
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
  const pages = includeQueries(await client.abilities(), [...known.keys()]);
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE)
    await Promise.all(
      pages.slice(at, at + PAGES_AT_ONCE).map((page) => allOf(list('events', { ...filter, ...page }), found)),
    );
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
  unlisted: Unlisted | undefined,
  events: Map<string, SiteEvent>,
  ahead: FromLists | undefined,
): Promise<readonly SiteEvent[] | undefined> {
  // Without a ledger, drafts alone are not enough: an event may have moved, or left the feed, and still have a key of
  // this source.
  const isWanted = (key: string | null): boolean => wanted.has(key) || (key !== null && unlisted?.isOwn(key) === true);
  const { own, strangers } = ahead ?? (await readWholeLists(client, isWanted, unlisted?.isStranger));
  for (const event of own) if (isWanted(keyOfSlug(event.slug))) add(events, event);
  return unlisted && strangers;
}

/** Events from the lists of a whole site: those of some keys, and those that none of our sources has written. */
interface FromLists {
  readonly own: readonly SiteEvent[];
  readonly strangers: readonly SiteEvent[];
}

/** With `isStranger` the trash is read as well: what a person removed stays removed, even with the ledger lost. */
async function readWholeLists(
  client: SiteClient,
  isOwn: (key: string | null) => boolean,
  isStranger: Unlisted['isStranger'] | undefined,
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
