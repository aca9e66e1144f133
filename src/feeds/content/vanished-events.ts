import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { isMass } from '../../sync/plan/guards.ts';
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
 * Throws AppError `events-lost` if the site has lost too many for people to have removed them, unless `cancelLost`.
 */
export async function markVanished(
  client: SiteClient,
  contents: ExportedContents,
  scope: Scope,
  uids: ReadonlySet<string>,
  { now, cancelLost }: { readonly now: number; readonly cancelLost: boolean },
): Promise<boolean> {
  const missing = await contents.missing(scope, uids, now, LOOKED_FOR_MAX + 1);
  const looked = missing.slice(0, LOOKED_FOR_MAX);
  const there = await stillPublic(client, looked);
  const gone = looked.filter(({ eventId }) => !there.has(eventId));
  if (!cancelLost && gone.length > HOLD.moreThan) {
    const all = missing.length > LOOKED_FOR_MAX ? looked.length : await contents.upcoming(scope, now);
    assertNotLost(await lostOf(client, gone), all);
  }
  await contents.vanish(
    gone.map(({ uid }) => uid),
    now,
  );
  // They are still on the site, but in another category or outside the window.
  await contents.move(
    looked.flatMap(({ uid, eventId }) => {
      const event = there.get(eventId);
      return event ? [{ uid, facts: factsOf(event) }] : [];
    }),
  );
  return missing.length <= LOOKED_FOR_MAX;
}

/**
 * A source's default limits. Without them, events missing after a restore of the site would be cancelled for all
 * subscribers.
 */
const HOLD = { share: 0.2, moreThan: 3 };

function assertNotLost(lost: number, all: number): void {
  if (!isMass(lost, all, { hold: HOLD })) return;
  throw new AppError(
    'events-lost',
    `Site lost or restored: ${grouped(lost)} of ${countInWords(all, 'coming event')} of this feed are not found on the ` +
      'site any more, not even in its trash. Subscribers are not told that they are cancelled. If they were deleted on ' +
      'purpose, "calsyncd export FEED --cancel-lost" tells them so.',
  );
}

/** How many of the events are not on the site at all. People move events to the trash; nothing else deletes them. */
async function lostOf(client: SiteClient, gone: readonly Gone[]): Promise<number> {
  const found = new Set<number>();
  try {
    for (const filter of [{}, { status: 'trash' }])
      for await (const { id } of listOf(client, gone, filter)) found.add(id);
  } catch (error) {
    // Without the right to see the trash, this cannot be determined.
    if (error instanceof AppError && CANNOT_SEE.has(error.code)) return 0;
    throw error;
  }
  return gone.filter(({ eventId }) => !found.has(eventId)).length;
}
const CANNOT_SEE: ReadonlySet<string> = new Set([
  'site-refused',
  'site-no-rights',
  'site-unauthorized',
  'site-forbidden',
]);

async function* listOf(
  client: SiteClient,
  events: readonly Gone[],
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<Event> {
  for (let start = 0; start < events.length; start += AT_ONCE) {
    const ids = events.slice(start, start + AT_ONCE).map(({ eventId }) => eventId);
    yield* client.list('events', { ...filter, include: ids.join(',') });
  }
}

async function stillPublic(client: SiteClient, missing: readonly Gone[]): Promise<ReadonlyMap<number, Event>> {
  const found = new Map<number, Event>();
  for await (const event of listOf(client, missing, { status: 'publish' })) found.set(event.id, event);
  // Lists may hide a published event, which does not mean that it is gone.
  for (const { eventId } of missing.filter((gone) => !found.has(gone.eventId))) {
    const event = await readIfAllowed(client, { id: eventId });
    if (event) found.set(eventId, event);
  }
  return new Map([...found].filter(([, event]) => isPublic(event)));
}

/** Reads an event; null if there is none, or none that we may read, as that is not public. */
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
