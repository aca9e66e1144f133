import { createHash } from 'node:crypto';
import type { SiteClient } from '../client/site-client.ts';
import type { Event } from '../contract/representation.ts';
import { addZones, CALENDAR_END, calendarStart, type CalendarHeader } from '../ical/write-calendar.ts';
import { eventText, type CalendarContent, type PublishedEvent } from '../ical/write-event.ts';
import type { Problem } from '../problem.ts';
import { calendarContentOf, isPublic, modifiedAtOf } from './calendar-content.ts';
import { listQueryOf, type FeedDefinition } from './definition.ts';
import { exportedEvent, sequenceOf, type ExportState } from './export-state.ts';
import type { OurKeys } from './our-keys.ts';

/** Where the events come from and what is known of them. */
export interface FeedSite {
  readonly client: SiteClient;
  readonly ourKeys: OurKeys;
  readonly state: ExportState;
  /** The host in the UIDs of events that are not ours: the site's, and never another one afterwards. */
  readonly host: string;
  /** Where calsyncd is reached, without a slash at its end. */
  readonly publicUrl: string;
}

export interface BuiltFeed { readonly body: Buffer; readonly hash: string; readonly events: number; readonly problems: readonly Problem[] }

const EVENTS_AT_ONCE = 250;

/** A feed's bytes as the site is now. The events are written as they are read; only their text is kept. Throws AppError when the site fails. */
export async function buildFeed(site: FeedSite, definition: FeedDefinition, now: number): Promise<BuiltFeed> {
  const { title, timezone } = await site.client.abilities();
  const spans = new Map<string, { from: number; to: number }>();
  const [uids, pieces, problems] = [new Set<string>(), [] as Buffer[], [] as Problem[]];
  for await (const events of inGroups(eventsOfFeed(site.client, definition, now))) {
    const written = await calendarEvents(site, readableOf(events, problems), uids);
    for (const event of written) addZones(spans, event);
    pieces.push(Buffer.from(written.map(eventText).join('')));
  }
  // RFC 5545, 3.4, wants at least one component: a feed without zoned events brings the site's zone.
  if (spans.size === 0 && timezone.includes('/')) spans.set(timezone, { from: now, to: now });
  const body = Buffer.concat([Buffer.from(calendarStart(headerOf(site, definition, title, timezone), spans)), ...pieces, Buffer.from(CALENDAR_END)]);
  return { body, hash: createHash('sha256').update(body).digest('base64url').slice(0, 27), events: uids.size, problems };
}

/** One public event as a calendar of its own, with the UID that it has in the feeds; undefined where it has no dates that can be read. */
export async function buildEventCalendar(site: FeedSite, event: Event, now: number): Promise<Buffer | undefined> {
  const { title, timezone } = await site.client.abilities();
  const [written] = await calendarEvents(site, readableOf([event], []), new Set());
  if (!written) return undefined;
  const spans = new Map<string, { from: number; to: number }>();
  addZones(spans, written);
  if (spans.size === 0 && timezone.includes('/')) spans.set(timezone, { from: now, to: now });
  const header: CalendarHeader = { name: title, description: title, timezone, source: `${event.url.replace(/\/$/, '')}.ics`, url: event.url };
  return Buffer.from(`${calendarStart(header, spans)}${eventText(written)}${CALENDAR_END}`);
}

/** The public events of a feed, in the site's order, each once: a list that changes while it is paged may show one twice. */
export async function* eventsOfFeed(client: SiteClient, definition: FeedDefinition, now: number): AsyncGenerator<Event> {
  const ids = new Set<number>();
  for await (const event of client.list('events', listQueryOf(definition, now))) {
    if (!isPublic(event) || ids.has(event.id)) continue;
    ids.add(event.id);
    yield event;
  }
}

async function* inGroups(events: AsyncIterable<Event>): AsyncGenerator<readonly Event[]> {
  let group: Event[] = [];
  for await (const event of events) {
    group.push(event);
    if (group.length < EVENTS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

interface Readable { readonly event: Event; readonly content: CalendarContent }

function readableOf(events: readonly Event[], problems: Problem[]): readonly Readable[] {
  return events.flatMap((event) => {
    const content = calendarContentOf(event);
    if (content) return [{ event, content }];
    problems.push({ code: 'event-dates', message: `The event has no dates that can be read (start ${event.start_date}); it is left out. Correct it on the site.`, where: { slug: event.slug } });
    return [];
  });
}

/** Gives the events their UIDs, and the modification since when subscribers see what they see. `uids` grows. */
async function calendarEvents(site: FeedSite, readable: readonly Readable[], uids: Set<string>): Promise<readonly PublishedEvent[]> {
  const keys = await site.ourKeys(readable.map(({ event }) => event));
  const named = readable.map(({ event, content }) => ({ event, content, uid: newUid(event, keys.get(event.id), site.host, uids) }));
  const known = await site.state.known(named.map(({ uid }) => uid));
  const told = named.map(({ event, content, uid }) => ({ content, ...exportedEvent(uid, content, modifiedAtOf(event), known.get(uid)) }));
  await site.state.keep(told.filter(({ uid, hash }) => known.get(uid)?.hash !== hash).map(({ uid, hash, modifiedAt }) => ({ uid, hash, modifiedAt })));
  return told.map(({ uid, modifiedAt, content }) => ({ uid, modifiedAt, sequence: sequenceOf(modifiedAt), content }));
}

/** A copy of one of our events, made on the site, must not take its UID. */
function newUid(event: Event, key: string | undefined, host: string, uids: Set<string>): string {
  const ours = `${key}@calsyncd`;
  const uid = key === undefined || uids.has(ours) ? `${event.id}@${host}` : ours;
  uids.add(uid);
  return uid;
}

const headerOf = (site: FeedSite, definition: FeedDefinition, siteTitle: string, timezone: string): CalendarHeader => ({
  name: definition.title, description: definition.description ?? siteTitle, timezone,
  source: `${site.publicUrl}/feeds/${encodeURIComponent(definition.id)}.ics`, url: `${site.publicUrl}/`,
  ...(definition.color === undefined ? {} : { color: definition.color }),
});
