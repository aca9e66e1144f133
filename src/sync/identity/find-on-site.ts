import type { SiteEvent, Snapshot } from '../model/plan.ts';
import { keyOfSlug } from '../model/slug.ts';

/** Finds events in a snapshot: by slug, else by key, which survives whatever servers append. */
export function finder({
  events,
}: Snapshot): (known: { readonly slug: string; readonly key: string }) => SiteEvent | undefined {
  let byKey: ReadonlyMap<string, SiteEvent> | undefined;
  // Most events are found by slug, so the index by key is built only when needed.
  return ({ slug, key }) => events.get(slug) ?? (byKey ??= eventsByKey(events)).get(key);
}

function eventsByKey(events: Snapshot['events']): ReadonlyMap<string, SiteEvent> {
  const byKey = new Map<string, SiteEvent>();
  for (const event of [...events.values()].sort(byRank)) {
    const key = keyOfSlug(event.slug);
    if (key !== null && !byKey.has(key)) byKey.set(key, event);
  }
  return byKey;
}

/** Orders events that share a key (a server appended `-2`): those outside the trash first, then the older ones. */
export const byRank = (one: SiteEvent, other: SiteEvent): number =>
  Number(one.status === 'trash') - Number(other.status === 'trash') || one.id - other.id;
