import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { isPublic } from './calendar-content.ts';
import { FEED_WINDOW, type FeedDefinition } from '../definition/definition.ts';
import { factsOf, type ExportedContents, type Gone, type Scope } from './exported-contents.ts';

/** How many missing events one build looks for. */
const LOOKED_FOR_MAX = 200;
const AT_ONCE = 50;

/**
 * The events that a feed can contain; undefined for feeds on demand with filters that only the site's list can apply.
 */
export function scopeOf(definition: FeedDefinition, resolved: FeedDefinition, now: number): Scope | undefined {
  const { past, future } = definition.window ?? FEED_WINDOW;
  const window = { from: now - past, to: now + future };
  if (!definition.onDemand) return { window, groups: [[`feed:${definition.id}`]] };
  const { categories, tags, venue, organizer, featured, more, search, language, free, time } = resolved;
  if (more || free || time || search !== undefined || language !== undefined || featured === false) return undefined;
  const lists = Object.entries({ categories, tags, venue, organizer }).flatMap(([name, refs]) =>
    refs?.length ? [refs.map((ref) => `${name}:${ref}`)] : [],
  );
  return { window, groups: [...lists, ...(featured ? [['featured']] : [])] };
}

/**
 * Finds and marks events that were in a feed and are no longer public on the site; returns whether all were looked for.
 */
export async function markVanished(
  client: SiteClient,
  contents: ExportedContents,
  scope: Scope,
  uids: ReadonlySet<string>,
  now: number,
): Promise<boolean> {
  const missing = await contents.missing(scope, uids, now, LOOKED_FOR_MAX + 1);
  const looked = missing.slice(0, LOOKED_FOR_MAX);
  const there = await stillPublic(client, looked);
  await contents.vanish(
    looked.filter(({ eventId }) => !there.has(eventId)).map(({ uid }) => uid),
    now,
  );
  // They are still on the site, but in another category, or outside the window.
  await contents.move(
    looked.flatMap(({ uid, eventId }) => {
      const event = there.get(eventId);
      return event ? [{ uid, facts: factsOf(event) }] : [];
    }),
  );
  return missing.length <= LOOKED_FOR_MAX;
}

async function stillPublic(client: SiteClient, missing: readonly Gone[]): Promise<ReadonlyMap<number, Event>> {
  const found = new Map<number, Event>();
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const ids = missing.slice(start, start + AT_ONCE).map(({ eventId }) => eventId);
    for await (const event of client.list('events', { status: 'publish', include: ids.join(',') }))
      found.set(event.id, event);
  }
  // Lists may hide a published event; that does not mean that it is gone.
  for (const { eventId } of missing.filter((gone) => !found.has(gone.eventId))) {
    const event = await readIfAllowed(client, { id: eventId });
    if (event) found.set(eventId, event);
  }
  return new Map([...found].filter(([, event]) => isPublic(event)));
}

/** An event, or null: one that we may not read is not public. */
export async function readIfAllowed(
  client: SiteClient,
  key: { readonly id: number } | { readonly slug: string },
): Promise<Event | null> {
  try {
    return await client.read('events', key);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'site-unauthorized' || error.code === 'site-forbidden'))
      return null;
    throw error;
  }
}
