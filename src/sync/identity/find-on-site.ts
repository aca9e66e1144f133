import type { SiteEvent, Snapshot } from '../model/plan.ts';
import { keyOfSlug } from '../model/slug.ts';

/** How an event is found in a snapshot: by its slug, else by its key, which outlives what servers append. */
export function finder({
  events,
}: Snapshot): (known: { readonly slug: string; readonly key: string }) => SiteEvent | undefined {
  const byKey = new Map<string, SiteEvent>();
  for (const event of [...events.values()].sort(byRank)) {
    const key = keyOfSlug(event.slug);
    if (key !== null && !byKey.has(key)) byKey.set(key, event);
  }
  return ({ slug, key }) => events.get(slug) ?? byKey.get(key);
}

/** Of two events with one key (a server appended `-2`), the one that is not in the trash counts, then the older one. */
export const byRank = (one: SiteEvent, other: SiteEvent): number =>
  Number(one.status === 'trash') - Number(other.status === 'trash') || one.id - other.id;
