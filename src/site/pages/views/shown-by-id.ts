import type { Event, EventPage } from '../../../contract/representation.ts';
import type { Read } from '../frame/read.ts';

// As many as pages may ask for in one go.
const PER_PAGE = 200;

/** Events by their ids, in this order, as strangers may see them. */
export async function shownById(read: Read, ids: readonly number[]): Promise<readonly Event[]> {
  const found = new Map<number, Event>();
  for (let start = 0; start < ids.length; start += PER_PAGE) {
    const include = ids.slice(start, start + PER_PAGE).join();
    const list = await read<EventPage>('/events', { include, per_page: String(PER_PAGE) });
    for (const event of list.ok ? list.value.events : []) found.set(event.id, event);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
