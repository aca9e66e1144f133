import type { Organizer, Venue } from '../../contract/event-parts.ts';
import type { Event } from '../../contract/representation.ts';
import { beginningOf } from '../../html/text.ts';
import { eventZone } from '../../contract/event-zone.ts';
import { instantFromWall, offsetAt } from '../../time.ts';
import { remembered } from '../../remembered.ts';
import { madeOnce } from '../made-once.ts';
import { shortenedToWords } from '../../html/shortened.ts';

const DESCRIPTION_MAX = 300;

/**
 * Adds schema.org data to an event and what is nested in it, as a single read returns them. Does not depend on the
 * request.
 */
export function withEventJsonLd(event: Event, more: Partial<Event> = {}): Event {
  const venues = (Array.isArray(event.venue) ? (event.venue as readonly Venue[]) : [event.venue as Venue]).map(
    withPlace,
  );
  const organizer = event.organizer.map(withPerson);
  return {
    ...event,
    venue: venues.length === 1 && venues[0] ? venues[0] : venues,
    organizer,
    json_ld: eventJsonLd(event, venues[0], organizer[0]),
    ...more,
  };
}

const eventJsonLd = (event: Event, place: Venue | undefined, person: Organizer | undefined): object => ({
  '@context': 'http://schema.org',
  '@type': 'Event',
  name: event.title,
  description: shortText(event.excerpt || event.description),
  ...(event.image && { image: event.image.url }),
  url: event.url,
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  eventStatus: `https://schema.org/${event.tags.some(({ slug }) => slug === 'cancelled') ? 'EventCancelled' : 'EventScheduled'}`,
  startDate: dateWithOffset(event.start_date, event.utc_start_date, event.timezone),
  endDate: dateWithOffset(event.end_date, event.utc_end_date, event.timezone),
  ...(place && { location: place.json_ld }),
  ...(person && { organizer: person.json_ld }),
  ...(event.cost !== '' && { offers: offers(event) }),
  performer: 'Organization',
});

/** Adds its schema.org Place to a venue. */
export const withPlace = madeOnce((venue: Venue): Venue => ({ ...venue, json_ld: placeJsonLd(venue) }));

function placeJsonLd(venue: Venue): object {
  const address = filled({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateprovince || venue.province || venue.state,
    postalCode: venue.zip,
    addressCountry: venue.country,
  });
  const geo =
    venue.geo_lat === undefined
      ? {}
      : { geo: { '@type': 'GeoCoordinates', latitude: venue.geo_lat, longitude: venue.geo_lng } };
  return {
    '@type': 'Place',
    name: venue.venue,
    description: shortText(venue.description ?? ''),
    url: venue.url,
    ...(Object.keys(address).length > 0 && { address: { '@type': 'PostalAddress', ...address } }),
    ...geo,
    ...filled({ telephone: venue.phone, sameAs: venue.website }),
  };
}

/** Adds its schema.org Person to an organizer. */
export const withPerson = madeOnce((organizer: Organizer): Organizer => ({
  ...organizer,
  json_ld: personJsonLd(organizer),
}));

const personJsonLd = (organizer: Organizer): object => ({
  '@type': 'Person',
  name: organizer.organizer,
  description: shortText(organizer.description ?? ''),
  url: organizer.url,
  ...filled({ telephone: organizer.phone, email: organizer.email, sameAs: organizer.website }),
});

const offers = ({ cost, cost_details: { values, currency_code }, url, date }: Event) => ({
  '@type': 'Offer',
  price: values.map((value) => (value === 'free' ? '0' : value)).join(' – ') || cost,
  ...(currency_code !== '' && { priceCurrency: currency_code }),
  url,
  category: 'primary',
  availability: 'https://schema.org/InStock',
  validFrom: date.slice(0, 10),
});

/** An ISO 8601 time with its offset, such as `2027-03-05T20:00:00+01:00`. */
export function dateWithOffset(wall: string, utc: string, timezone: string): string {
  const zone = eventZone(timezone) ?? 'UTC';
  const at = Date.parse(`${utc.replace(' ', 'T')}Z`);
  // West of Greenwich, the last evening of 9999 falls into a five-digit year in UTC, which does not parse.
  const minutes = Math.round(offsetAt(Number.isNaN(at) ? instantFromWall(wall, zone) : at, zone));
  const digits = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    .map((number) => String(number).padStart(2, '0'))
    .join(':');
  return `${wall.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${digits}`;
}

/**
 * The beginning of a description as plain text. Remembered because several parts of an answer or page need it, and
 * again after each write.
 */
export const textOf = remembered(beginningOf);

/** The same, cut to at most 300 characters. */
export const shortText = (html: string): string => shortenedToWords(textOf(html), DESCRIPTION_MAX);

/** Returns the fields that are not empty. */
function filled(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== '') all[name] = value;
  return all;
}
