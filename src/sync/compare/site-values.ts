import type { EventTerm, Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event, TermRecord } from '../../contract/representation.ts';
import { decodeEntities } from '../../html/references.ts';
import { textFromHtml } from '../../html/text.ts';
import { FIELD_NAMES, isShownProtected, type FieldName } from '../model/fields.ts';
import type { Json, SiteEvent, SiteOrganizer, SiteTerm, SiteVenue } from '../model/plan.ts';

/**
 * A representation in the form that the merge compares: names decoded, terms and linked posts as sorted ids. Fields
 * that the representation lacks are left out.
 */
export const siteEventOf = (event: Event): SiteEvent => ({
  ...writtenEventOf(event),
  terms: { categories: (event.categories ?? []).map(siteTermOf), tags: (event.tags ?? []).map(siteTermOf) },
  names: {
    venue: namesOf(event.venue, ({ venue }) => venue),
    organizer: namesOf(event.organizer, ({ organizer }) => organizer),
  },
});

/** The same without the names, which only plans look up. */
export function writtenEventOf(event: Event): Omit<SiteEvent, 'terms' | 'names'> {
  const isProtected = typeof event.featured !== 'boolean' && event.featured !== undefined;
  const values: { [Name in FieldName]?: Json } = {};
  for (const field of FIELD_NAMES) {
    const value = isProtected && !isShownProtected(field) ? undefined : valueOf(event, field);
    if (value !== undefined) values[field] = value;
  }
  return {
    id: event.id,
    slug: event.slug,
    status: event.status,
    ...(event.modified_utc === undefined ? {} : { modified: event.modified_utc }),
    ...utcOf(event),
    values,
  };
}

type ValueReader = (event: Event) => Json | undefined;
/** Fields whose form in a representation differs from the one that the merge compares. */
type TranslatedField = { [Name in FieldName]: Exclude<Event[Name], undefined> extends Json ? never : Name }[FieldName];

/** How to read the values that need translation. */
const READERS: Readonly<Record<TranslatedField, ValueReader> & Partial<Record<FieldName, ValueReader>>> = {
  title: (event) => text(event.title),
  // Events' addresses are escaped, and some sites give an event without a website its own page.
  website: (event) => (event.website === undefined ? undefined : websiteOf(event)),
  image: (event) => (event.image === undefined ? undefined : imageOf(event.image)),
  categories: (event) => idsOf(event.categories),
  tags: (event) => idsOf(event.tags),
  venue: (event) => idsOf(event.venue),
  organizer: (event) => idsOf(event.organizer),
};

function valueOf(event: Event, field: FieldName): Json | undefined {
  const read = READERS[field];
  // The table's type guarantees a reader for every value that is not plain JSON.
  return read ? read(event) : (event[field] as Json | undefined);
}

// Broken events have no UTC times.
const utcOf = ({ utc_start_date: start, utc_end_date: end }: Event): Pick<SiteEvent, 'utc'> =>
  typeof start === 'string' && typeof end === 'string' && start !== '' && end !== ''
    ? { utc: { start_date: start, end_date: end } }
    : {};

/** A venue in the form that plans compare. */
export function siteVenueOf(venue: Venue): SiteVenue {
  const { id, slug, address, city, country, province, state, zip, phone, website, description, geo_lat, geo_lng } =
    venue;
  return {
    id,
    slug,
    venue: text(venue.venue),
    ...present({ address, city, country, province, state, zip, phone, website, description, geo_lat, geo_lng }),
  };
}

/** An organizer in the form that plans compare. */
export function siteOrganizerOf(organizer: Organizer): SiteOrganizer {
  const { id, slug, email, phone, website, description } = organizer;
  return { id, slug, organizer: text(organizer.organizer), ...present({ email, phone, website, description }) };
}

/** A category or tag in the form that plans compare. */
export const siteTermOf = ({ id, slug, name }: TermRecord | EventTerm): SiteTerm => ({ id, slug, name: text(name) });

// Names are rendered HTML; a password-protected post has none.
const text = (name: string): string => (typeof name === 'string' ? textFromHtml(name) : '');

const websiteOf = ({ website, url }: Event): string =>
  decodeEntities(website) === decodeEntities(url) ? '' : decodeEntities(website);
const imageOf = (image: Event['image']): string => (image === false || image === null ? '' : image.url);

type Linked<T> = T | readonly T[];

/** Linked posts as a list; a representation gives `[]`, an object, or a list. */
const listOf = <T>(linked: Linked<T>): readonly T[] =>
  Array.isArray(linked) ? (linked as readonly T[]) : [linked as T];

const idsOf = (linked: Linked<{ readonly id: number }> | undefined): readonly number[] | undefined =>
  linked === undefined
    ? undefined
    : listOf(linked)
        .map(({ id }) => id)
        .sort((one, other) => one - other);

const namesOf = <T extends { readonly id: number }>(
  linked: Linked<T> | undefined,
  nameOf: (one: T) => string | undefined,
): Readonly<Record<number, string>> =>
  Object.fromEntries(listOf(linked ?? []).map((one) => [one.id, text(String(nameOf(one) ?? ''))]));

// Drops undefined and empty values, so that keys that the representation lacks stay absent.
const present = <T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
