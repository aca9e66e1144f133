import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { addZones, CALENDAR_END, calendarStart, type CalendarHeader } from '../../ical/write/write-calendar.ts';
import { eventText, type PublishedEvent } from '../../ical/write/write-event.ts';
import type { Problem } from '../../problem.ts';
import { daysOf, isOn, type Days } from '../../selection/days.ts';
import { isFree } from '../../selection/free.ts';
import { quotedIn } from '../../look/words/quoted.ts';
import { wallFromInstant } from '../../time.ts';
import { isPublic } from './calendar-content.ts';
import { tzidOf } from './calendar-times.ts';
import { addComing, type ComingEvent } from './coming-events.ts';
import { listQueryOf, pathOf, type FeedDefinition, type Moment } from '../definition/definition.ts';
import type { Scope } from './exported-contents.ts';
import { bodyWriter, type FeedBody } from './feed-body.ts';
import type { ExportedSite } from './exported-site.ts';
import { variedEvent } from './feed-variants.ts';
import { pageWordsIn, timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';
import { cancelledEvents, publishedEvents, readableOf } from './published-events.ts';
import { missingInWords, resolveFilters, type ResolvedFilters } from '../definition/resolve-filters.ts';
import { markVanished, scopeOf } from './vanished-events.ts';

export interface BuiltFeed {
  readonly body: FeedBody;
  readonly title: string;
  readonly events: number;
  /** How many of them are not over before today begins in the site's zone, as its lists count them. */
  readonly stillToCome: number;
  /** The first of its future events. */
  readonly coming: readonly ComingEvent[];
  readonly problems: readonly Problem[];
  /** False if more events have left the feed than one build looks for; the next build looks for the rest. */
  readonly isComplete: boolean;
}

const EVENTS_AT_ONCE = 250;

/**
 * Builds a feed from the site's current state. Events are written as they are read, and only their text is kept. Throws
 * AppError when the site fails and, for a feed on demand, `feed-unknown` if the site does not have what the feed is
 * about, `feed-refused` if it refuses the filters.
 */
export async function buildFeed(site: ExportedSite, definition: FeedDefinition, now: number): Promise<BuiltFeed> {
  const client =
    definition.language === undefined ? site.client : (site.clientIn?.(definition.language) ?? site.client);
  const { title: siteTitle, timezone } = await client.abilities();
  const spans = new Map<string, { from: number; to: number }>();
  const [uids, writer, problems] = [new Set<string>(), bodyWriter(), [] as Problem[]];
  const wanted = await wantedOf(client, definition, site.client);
  const language = definition.language ?? site.language ?? 'en';
  const varied = variedEvent(definition, language);
  const today = wallFromInstant(now, timezone).slice(0, 10);
  let [count, stillToCome, coming]: [number, number, readonly ComingEvent[]] = [0, 0, []];
  const write = async (events: readonly PublishedEvent[]): Promise<readonly PublishedEvent[]> => {
    const written = events.flatMap(varied);
    for (const event of written) addZones(spans, event);
    count += written.length;
    await writer.add(written.map(eventText).join(''));
    return written;
  };
  const keeping = { facts: definition.onDemand ? [] : [`feed:${definition.id}`], now };
  for await (const events of inGroups(eventsOfFeed(client, wanted, now, problems))) {
    stillToCome += events.filter((event) => isOn(event, { first: today })).length;
    const written = await write(await publishedEvents(site, await readableOf(events, problems), uids, keeping));
    coming = addComing(coming, written, now, timezone);
  }
  // Only their times are known, so pages have nothing to show of them.
  const left = await vanishedOf(site, client, scopeOf(definition, wanted.definition, now), uids, now);
  for (let start = 0; start < left.events.length; start += EVENTS_AT_ONCE)
    await write(left.events.slice(start, start + EVENTS_AT_ONCE));
  if (spans.size === 0) addSiteZone(spans, timezone, now, count === 0);
  const title = feedTitle(siteTitle, wanted, pageWordsIn(language));
  const body = writer.end(calendarStart(headerOf(site, definition, title, siteTitle, timezone), spans), CALENDAR_END);
  return { body, title, events: count, stillToCome, coming, problems, isComplete: left.isComplete };
}

/**
 * Adds the site's zone to a feed without zoned events, because RFC 5545, 3.6, requires at least one component. A site
 * may have an offset instead of a zone.
 */
function addSiteZone(
  spans: Map<string, { from: number; to: number }>,
  timezone: string,
  now: number,
  isEmpty: boolean,
): void {
  if (timezone.includes('/')) spans.set(tzidOf(timezone), { from: now, to: now });
  else if (isEmpty) spans.set('Etc/UTC', { from: now, to: now });
}

/** Events that were in a feed and have been removed from the site, as cancelled ones. */
async function vanishedOf(
  site: ExportedSite,
  client: SiteClient,
  scope: Scope | undefined,
  uids: ReadonlySet<string>,
  now: number,
): Promise<{ readonly events: readonly PublishedEvent[]; readonly isComplete: boolean }> {
  const { contents, cancelLost = false } = site;
  if (!contents || !scope) return { events: [], isComplete: true };
  const isComplete = await markVanished(client, contents, scope, uids, { now, cancelLost });
  const vanished = await contents.vanished(scope, now);
  return {
    events: await cancelledEvents(
      site,
      vanished.filter(({ uid }) => !uids.has(uid)),
    ),
    isComplete,
  };
}

/** Resolves a feed's filters: always for feeds on demand; for configured ones only if the list needs ids. */
export async function wantedOf(
  client: SiteClient,
  definition: FeedDefinition,
  otherwise = client,
): Promise<ResolvedFilters> {
  const needsIds = [...(definition.venue ?? []), ...(definition.organizer ?? [])].some((ref) => !/^\d+$/.test(ref));
  if (!definition.onDemand && !needsIds) return { definition, names: [], missing: [], isEmpty: false };
  const resolved = await resolveFilters(client, definition, otherwise);
  if (definition.onDemand && resolved.missing.length > 0)
    throw new AppError('feed-unknown', `The calendar has no ${resolved.missing.map(missingInWords).join(', no ')}.`, {
      cause: { missing: resolved.missing },
    });
  return resolved;
}

/**
 * The public events of a feed, in the site's order. Drops duplicates, because a list that changes while it is paged may
 * show an event twice. If a configured feed names something that the site does not have, that is reported and matches
 * nothing.
 */
export async function* eventsOfFeed(
  client: SiteClient,
  wanted: ResolvedFilters,
  now: number,
  problems: Problem[],
): AsyncGenerator<Event> {
  tellMissing(wanted, problems);
  if (wanted.isEmpty) return;
  const { timezone } = await client.abilities();
  const { days, isMeant } = ownFilter(wanted.definition, { now, timezone });
  const ids = new Set<number>();
  try {
    for await (const event of client.list('events', listQueryOf(wanted.definition, { now, timezone }, days))) {
      if (!isMeant(event) || ids.has(event.id)) continue;
      ids.add(event.id);
      yield event;
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'site-refused' || ids.size > 0) throw error;
    const resolved = await resolveFilters(client, wanted.definition);
    if (resolved.missing.length === 0)
      throw wanted.definition.onDemand
        ? new AppError('feed-refused', `The calendar refuses what is asked for: ${error.message}`, { cause: error })
        : error;
    yield* eventsOfFeed(client, resolved, now, problems);
  }
}

/** Filters that a site's list cannot apply: what is public, days of the site's own calendar, and what is free. */
function ownFilter(
  { time, free }: FeedDefinition,
  { now, timezone }: Moment,
): { readonly days: Days | undefined; readonly isMeant: (event: Event) => boolean } {
  const days = time && daysOf(time, wallFromInstant(now, timezone).slice(0, 10));
  return {
    days,
    isMeant: (event) =>
      isPublic(event) &&
      !event.hide_from_listings &&
      (!days || isOn(event, days)) &&
      (!free || isFree(event.cost_details.values)),
  };
}

function tellMissing({ missing, definition }: ResolvedFilters, problems: Problem[]): void {
  for (const thing of missing)
    problems.push({
      code: 'feed-filter',
      message:
        `The site has no ${missingInWords(thing)}; the feed "${definition.id}" is without its events. ` +
        'Correct it under feeds in the configuration, or make it on the site.',
      where: {},
    });
}

/** Groups events, so that what is known about them can be looked up together. */
export async function* inGroups(events: AsyncIterable<Event>): AsyncGenerator<readonly Event[]> {
  let group: Event[] = [];
  for await (const event of events) {
    group.push(event);
    if (group.length < EVENTS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * One public event as a calendar of its own, with the UID that it has in the feeds; undefined if its dates cannot be
 * read.
 */
export async function buildEventCalendar(site: ExportedSite, event: Event, now: number): Promise<Buffer | undefined> {
  const { title, timezone } = await site.client.abilities();
  const [written] = await publishedEvents(site, await readableOf([event], []), new Set(), { facts: [], now });
  if (!written) return undefined;
  const spans = new Map<string, { from: number; to: number }>();
  addZones(spans, written);
  if (spans.size === 0 && timezone.includes('/')) spans.set(tzidOf(timezone), { from: now, to: now });
  const header: CalendarHeader = {
    name: title,
    description: title,
    timezone: tzidOf(timezone),
    source: `${event.url.replace(/\/$/, '')}.ics`,
    url: event.url,
  };
  return Buffer.from(`${calendarStart(header, spans)}${eventText(written)}${CALENDAR_END}`);
}

/** The title of a feed or, if it has none, a description of its contents. */
export const feedTitle = (siteTitle: string, wanted: ResolvedFilters, words: PageWords): string =>
  wanted.definition.title || [siteTitle, wordsOf(wanted, words)].filter((part) => part !== '').join(': ');

/** A title for a feed that has none, from its filters. */
function wordsOf({ names, definition: { search, featured, free, time } }: ResolvedFilters, words: PageWords): string {
  return [
    ...names,
    ...(search === undefined ? [] : [quotedIn(words.language)(search)]),
    ...(featured === true ? [words.featured] : []),
    ...(free ? [words.free] : []),
    ...(time ? [timeInWords(words, time)] : []),
  ].join(', ');
}

const headerOf = (
  site: ExportedSite,
  definition: FeedDefinition,
  title: string,
  siteTitle: string,
  timezone: string,
): CalendarHeader => ({
  name: title,
  description: definition.description ?? siteTitle,
  timezone: tzidOf(timezone),
  url: site.home,
  // Anyone who gets the file must not learn a secret address from it.
  ...(definition.access?.secret ? {} : { source: site.publicUrl + pathOf(definition) }),
  ...(definition.color === undefined ? {} : { color: definition.color }),
});
