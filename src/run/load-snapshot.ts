import type { SiteClient } from '../client/site-client.ts';
import type { LedgerEntry, SiteEvent, Snapshot } from '../sync/plan.ts';
import { keyOfSlug } from '../sync/slug.ts';
import { siteEventOf, siteOrganizerOf, siteTermOf, siteVenueOf } from '../sync/site-values.ts';

const INCLUDE_MAX = 50;
/** Up to so many unknown slugs are asked for one by one; for more, the whole list is read. */
const SINGLE_READS_MAX = 25;
/** Lifts the default date window of a list on every site. */
const EVER = { starts_after: '1971-01-01', per_page: '50' };

/** What the plan has to know of the site: the events of `entries` and of `slugs`, and the lists that names are looked up in. */
export async function loadSnapshot(client: SiteClient, entries: readonly LedgerEntry[], slugs: readonly string[]): Promise<Snapshot> {
  const events = new Map<string, SiteEvent>();
  await addKnown(client, entries, events);
  await addUnknown(client, slugs.filter((slug) => !events.has(slug)), events);
  const categories = await allOf(client.list('categories', { hide_empty: 'false', per_page: '50' }), siteTermOf);
  const tags = await allOf(client.list('tags', { hide_empty: 'false', per_page: '50' }), siteTermOf);
  const venues = await allOf(client.list('venues', { per_page: '50' }), siteVenueOf);
  const organizers = await allOf(client.list('organizers', { per_page: '50' }), siteOrganizerOf);
  return { events, categories, tags, venues, organizers };
}

/** Events whose id the ledger knows: fifty a request; one that no list shows is read by id, then by slug. */
async function addKnown(client: SiteClient, entries: readonly LedgerEntry[], events: Map<string, SiteEvent>): Promise<void> {
  const known = entries.filter((entry) => entry.id !== null);
  for (let at = 0; at < known.length; at += INCLUDE_MAX) {
    const include = known.slice(at, at + INCLUDE_MAX).map(({ id }) => id).join(',');
    for await (const event of client.list('events', { ...EVER, include })) add(events, siteEventOf(event));
  }
  for (const entry of entries) {
    if (events.has(entry.slug)) continue;
    const byId = entry.id === null ? null : await client.read('events', { id: entry.id });
    // An id is a hint: what it shows must bear our key.
    const found = byId && keyOfSlug(byId.slug) === entry.key ? byId : await client.read('events', { slug: entry.slug });
    if (found) events.set(entry.slug, siteEventOf(found));
  }
}

async function addUnknown(client: SiteClient, slugs: readonly string[], events: Map<string, SiteEvent>): Promise<void> {
  if (slugs.length > SINGLE_READS_MAX) {
    const wanted = new Set(slugs);
    for await (const event of client.list('events', EVER)) if (wanted.has(event.slug)) add(events, siteEventOf(event));
    return;
  }
  for (const slug of slugs) {
    const found = await client.read('events', { slug });
    if (found) add(events, siteEventOf(found));
  }
}

const add = (events: Map<string, SiteEvent>, event: SiteEvent): void => { events.set(event.slug, event); };

async function allOf<T, U>(items: AsyncIterable<T>, convert: (item: T) => U): Promise<U[]> {
  const all: U[] = [];
  for await (const item of items) all.push(convert(item));
  return all;
}
