import type { Organizer, Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import type { Read } from '../frame/read.ts';

/**
 * The address of the page for a post's id (`/?p=12`, as posts without a public page are addressed); undefined for other
 * addresses.
 */
export async function addressOfPost(read: Read, query: URLSearchParams, pathname: string): Promise<string | undefined> {
  const id = query.get('p') ?? '';
  if (pathname !== '/' || !/^\d{1,9}$/.test(id)) return undefined;
  for (const collection of ['events', 'venues', 'organizers']) {
    const found = await read<Event | Venue | Organizer>(`/${collection}/${id}`);
    if (found.ok) return found.value.url;
  }
  return undefined;
}

/**
 * The calendar's address if a page is requested as on real sites (`/event/jazz/?ical=1`); undefined for other
 * addresses.
 */
export function calendarOf({ pathname, searchParams }: URL): string | undefined {
  if (!['ical', 'outlook-ical'].some((name) => searchParams.get(name) === '1')) return undefined;
  if (pathname === '/') return '/feeds/events.ics';
  const path = /^(\/event|\/(?:category|tag|venue|organizer))(\/[^/]+)\/?$/.exec(pathname);
  return path ? `${path[1] === '/event' ? '' : '/feeds'}${path[1]}${path[2]}.ics` : undefined;
}
