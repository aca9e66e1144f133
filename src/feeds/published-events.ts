import type { Event } from '../contract/representation.ts';
import type { CalendarContent, PublishedEvent } from '../ical/write-event.ts';
import type { Problem } from '../problem.ts';
import { calendarContentOf, modifiedAtOf } from './calendar-content.ts';
import { exportedEvent, sequenceOf } from './export-state.ts';
import type { FeedSite } from './feed-site.ts';

/** An event of the site, and what it says to subscribers. */
export interface Readable { readonly event: Event; readonly content: CalendarContent }

/** The events whose dates can be read; the others are told in `problems`. */
export function readableOf(events: readonly Event[], problems: Problem[]): readonly Readable[] {
  return events.flatMap((event) => {
    const content = calendarContentOf(event);
    if (content) return [{ event, content }];
    problems.push({ code: 'event-dates', message: `The event has no dates that can be read (start ${event.start_date}); it is left out. Correct it on the site.`, where: { slug: event.slug } });
    return [];
  });
}

/** Gives the events their UIDs, and the modification since when subscribers see what they see. `uids` grows. */
export async function publishedEvents(site: Pick<FeedSite, 'ourKeys' | 'state' | 'host'>, readable: readonly Readable[], uids: Set<string>): Promise<readonly PublishedEvent[]> {
  const keys = await site.ourKeys(readable.map(({ event }) => event));
  const named = readable.map(({ event, content }) => ({ event, content, uid: newUid(event, keys.get(event.id), site.host, uids) }));
  const known = await site.state.known(named.map(({ uid }) => uid));
  const told = named.map(({ event, content, uid }) => ({ event, content, ...exportedEvent(uid, content, modifiedAtOf(event), known.get(uid)) }));
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
