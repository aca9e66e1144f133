import type { Resource, SiteClient } from '../../src/client/site-client.ts';
import type { EventTerm, Organizer, Venue } from '../../src/contract/event-parts.ts';
import type { Event } from '../../src/contract/representation.ts';
import { instantFromWall, wallFromInstant } from '../../src/time.ts';

/**
 * An event as the list endpoint shows it: a plain event, changed by what the test gives. Dates are local times in
 * `timezone`.
 */
export function siteEvent(id: number, said: Partial<Event> = {}): Event {
  const timezone = said.timezone ?? 'Europe/Warsaw';
  const [start, end] = [said.start_date ?? '2027-01-10 18:00:00', said.end_date ?? '2027-01-10 20:00:00'];
  const utc = (wall: string): string => {
    try {
      return wallFromInstant(instantFromWall(wall, timezone), 'UTC');
    } catch {
      return '';
    }
  };
  const [year, month, day, hour, minutes, seconds] = ['2027', '01', '10', '18', '00', '00'];
  const details = { year, month, day, hour, minutes, seconds };
  return {
    ...post(id, 'event'),
    slug: `event-${id}`,
    rest_url: `https://site.example/api/calendar/events/v1/events/${id}`,
    title: `Event ${id}`,
    description: '',
    excerpt: '',
    image: false,
    all_day: false,
    timezone,
    timezone_abbr: 'CET',
    start_date: start,
    end_date: end,
    utc_start_date: utc(start),
    utc_end_date: utc(end),
    start_date_details: details,
    end_date_details: details,
    utc_start_date_details: details,
    utc_end_date_details: details,
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: '',
    show_map: true,
    show_map_link: true,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    ...said,
  };
}

const post = (id: number, kind: string) => ({
  id,
  global_id: `site.example?id=${id}`,
  global_id_lineage: [`site.example?id=${id}`],
  author: '1',
  status: 'publish',
  date: '2026-11-01 10:00:00',
  date_utc: '2026-11-01 09:00:00',
  modified: '2026-11-02 10:00:00',
  modified_utc: '2026-11-02 09:00:00',
  url: `https://site.example/${kind}/${kind}-${id}/`,
  slug: `${kind}-${id}`,
});

export const siteVenue = (id: number, said: Partial<Venue> = {}): Venue => ({
  ...post(id, 'venue'),
  venue: `Venue ${id}`,
  show_map: true,
  show_map_link: true,
  ...said,
});

export const siteOrganizer = (id: number, said: Partial<Organizer> = {}): Organizer => ({
  ...post(id, 'organizer'),
  organizer: `Organizer ${id}`,
  ...said,
});

export const siteTerm = (id: number, name: string, taxonomy = 'category'): EventTerm => ({
  id,
  name,
  slug: name.toLowerCase(),
  taxonomy,
  description: '',
  parent: 0,
  count: 1,
  term_group: 0,
  term_taxonomy_id: id,
  filter: 'raw',
  urls: {},
});

/** A site in memory for code that only reads lists. Tests may change `events`; requests fail while `failure` is set. */
export interface MemorySite extends SiteClient {
  events: readonly Event[];
  failure: Error | undefined;
  /** Lists wait for this promise. */ pause: Promise<void> | undefined;
  readonly queries: readonly Readonly<Record<string, string>>[];
  reads: number;
}

export function memorySite(events: readonly Event[], timezone = 'Europe/Warsaw'): MemorySite {
  const queries: Readonly<Record<string, string>>[] = [];
  const list = async function* list(
    resource: Resource,
    query: Readonly<Record<string, string>>,
  ): AsyncGenerator<unknown> {
    if (resource !== 'events')
      return yield* new Map(thingsOf(site.events)[resource].map((thing) => [thing.id, thing])).values();
    queries.push(query);
    await site.pause;
    if (site.failure) throw site.failure;
    for (const event of site.events) if (isListed(event, query)) yield event;
  };
  const site: MemorySite = {
    events,
    queries,
    failure: undefined,
    pause: undefined,
    reads: 0,
    abilities: async () => ({
      root: 'https://site.example/api/',
      namespace: 'calendar/events/v1',
      batch: true,
      timezone,
      venueCoordinates: true,
      perPageMax: 50,
      title: 'Town calendar',
      languages: [],
    }),
    rights: async () => 'publish',
    // Lists contain only the requested resource.
    list: list as unknown as SiteClient['list'],
    count: async (resource) => new Map(thingsOf(site.events)[resource].map((thing) => [thing.id, thing])).size,
    listElsewhere: async function* () {} as unknown as SiteClient['list'],
    // Finds only what has the requested key.
    read: (async (resource: Resource, key: { id: number } | { slug: string }) => {
      site.reads += 1;
      return (
        thingsOf(site.events)[resource].find((thing) =>
          'id' in key ? thing.id === key.id : thing.slug === key.slug,
        ) ?? null
      );
    }) as unknown as SiteClient['read'],
    writesMax: 25,
    write: none,
    requests: () => queries.length,
    statuses: () => (queries.length === 0 ? {} : { 200: queries.length }),
    close: async () => undefined,
  };
  return site;
}

const thingsOf = (
  events: readonly Event[],
): Record<Resource, readonly { readonly id: number; readonly slug: string }[]> => ({
  events,
  venues: events.flatMap(({ venue }) => venue),
  organizers: events.flatMap(({ organizer }) => organizer),
  categories: events.flatMap(({ categories }) => categories),
  tags: events.flatMap(({ tags }) => tags),
});

const none = (): never => {
  throw new Error('this site in memory only lists');
};

/** The filters of the list endpoint, on the event's local time. */
function isListed(event: Event, query: Readonly<Record<string, string>>): boolean {
  if (query['include'] !== undefined)
    return (
      query['include'].split(',').includes(String(event.id)) &&
      (query['status'] !== 'publish' || event.status === 'publish')
    );
  return (
    event.start_date <= `${query['starts_before'] ?? '9999-12-31'} 23:59:59` &&
    event.end_date > `${query['ends_after'] ?? '0000-00-00'} 23:59:59` &&
    isNamed(event.categories, query['categories']) &&
    isNamed(event.tags, query['tags']) &&
    isLinked(event.venue, query['venue']) &&
    isLinked(event.organizer, query['organizer']) &&
    event.title.toLowerCase().includes((query['search'] ?? '').toLowerCase()) &&
    (query['featured'] === undefined || String(event.featured) === query['featured'])
  );
}

const isLinked = (
  posts: readonly { readonly id: number }[] | { readonly id: number },
  wanted: string | undefined,
): boolean => wanted === undefined || [posts].flat().some(({ id }) => wanted.split(',').includes(String(id)));

const isNamed = (terms: readonly EventTerm[], wanted: string | undefined): boolean =>
  wanted === undefined ||
  wanted.split(',').some((name) => terms.some((term) => term.slug === name || String(term.id) === name));
