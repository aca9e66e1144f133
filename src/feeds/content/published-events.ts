import type { Event } from '../../contract/representation.ts';
import type { CalendarContent, PublishedEvent } from '../../ical/write/write-event.ts';
import { mapWithPauses } from '../../pauses.ts';
import type { Problem } from '../../problem.ts';
import { calendarContentOf, modifiedAtOf, tidyDescription } from './calendar-content.ts';
import { exportedEvent, sequenceOf } from './export-state.ts';
import { factsOf } from './exported-contents.ts';
import type { ExportedSite } from './exported-site.ts';

/** An event of the site, and its content for subscribers. */
export interface Readable {
  readonly event: Event;
  readonly content: CalendarContent;
}

/** The events whose dates can be read; the others are reported in `problems`. */
export async function readableOf(events: readonly Event[], problems: Problem[]): Promise<readonly Readable[]> {
  const tidied = await mapWithPauses(events, (event) => ({ event, html: tidyDescription(event) }));
  const read = await mapWithPauses(tidied, ({ event, html }) => ({ event, content: calendarContentOf(event, html) }));
  return read.flatMap(({ event, content }) => {
    if (content) return [{ event, content }];
    problems.push({
      code: 'event-dates',
      message: `The event has no dates that can be read (start ${event.start_date}); it is left out. Correct it on the site.`,
      where: { slug: event.slug },
    });
    return [];
  });
}

/**
 * Assigns UIDs to the events, determines since which modification subscribers have seen their present state, and stores
 * what subscribers are told. Adds to `uids`.
 */
export async function publishedEvents(
  site: PublishingSite,
  readable: readonly Readable[],
  uids: Set<string>,
  inFeed: Keeping | undefined,
): Promise<readonly PublishedEvent[]> {
  const keys = await site.ourKeys(readable.map(({ event }) => event));
  const named = readable.map(({ event, content }) => ({
    event,
    content,
    uid: newUid(event, keys.get(event.id), site.host, uids),
    modifiedAt: modifiedAtOf(event),
  }));
  const recorded = await withSequences(site, named);
  if (inFeed)
    await site.contents?.keep(
      recorded.map(({ uid, event, hash, content }) => ({
        uid,
        eventId: event.id,
        slug: event.slug,
        hash,
        content,
        facts: [...factsOf(event), ...inFeed.facts],
      })),
      inFeed.now,
    );
  return recorded.map(({ uid, modifiedAt, sequence, content }) => ({ uid, modifiedAt, sequence, content }));
}

type PublishingSite = Pick<ExportedSite, 'ourKeys' | 'state' | 'host' | 'contents' | 'publicUrl'>;
/** What is stored besides the event's own facts, and the current time. */
export interface Keeping {
  readonly facts: readonly string[];
  readonly now: number;
}

/** Converts vanished events to ones cancelled at that time. */
export async function cancelledEvents(
  site: Pick<ExportedSite, 'state' | 'publicUrl'>,
  vanished: readonly { readonly uid: string; readonly content: CalendarContent; readonly vanishedAt: number }[],
): Promise<readonly PublishedEvent[]> {
  const recorded = await withSequences(
    site,
    vanished.map(({ uid, content, vanishedAt }) => ({ uid, content, modifiedAt: vanishedAt })),
  );
  return recorded.map(({ uid, modifiedAt, sequence, content }) => ({ uid, modifiedAt, sequence, content }));
}

interface Unrecorded {
  readonly uid: string;
  readonly content: CalendarContent;
  readonly modifiedAt: number;
}

async function withSequences<T extends Unrecorded>(
  { state, publicUrl }: Pick<ExportedSite, 'state' | 'publicUrl'>,
  events: readonly T[],
): Promise<readonly (T & { readonly hash: string; readonly sequence: number })[]> {
  const known = await state.known(events.map(({ uid }) => uid));
  const recorded = events.map((event) => ({
    ...event,
    ...exportedEvent(event.uid, addressedFrom(event.content, publicUrl), event.modifiedAt, known.get(event.uid)),
  }));
  await state.keep(
    recorded
      .filter(({ uid, hash }) => known.get(uid)?.hash !== hash)
      .map(({ uid, hash, modifiedAt }) => ({ uid, hash, modifiedAt })),
  );
  return recorded.map((event) => ({ ...event, sequence: sequenceOf(event.modifiedAt) }));
}

/**
 * The content as compared for changes, without our own public address, which may differ between a command and the
 * daemon.
 */
function addressedFrom(content: CalendarContent, publicUrl: string): CalendarContent {
  const relative = (url: string): string => (url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url);
  return {
    ...content,
    ...(content.url === undefined ? {} : { url: relative(content.url) }),
    ...(content.image ? { image: { ...content.image, url: relative(content.image.url) } } : {}),
  };
}

/** A copy of one of our events, made on the site, must not take its UID. */
function newUid(event: Event, key: string | undefined, host: string, uids: Set<string>): string {
  const ours = `${key}@calsyncd`;
  const uid = key === undefined || uids.has(ours) ? `${event.id}@${host}` : ours;
  uids.add(uid);
  return uid;
}
