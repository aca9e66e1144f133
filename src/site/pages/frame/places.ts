import type { Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { joinHtml, type Html } from '../../../html/template.ts';

/** The venues of an event; on a real site at most one, unless an extension allows more. */
export const venuesOf = ({ venue }: Event): readonly Venue[] => [venue].flat() as readonly Venue[];

/** The first venue of an event. */
export const venueOf = (event: Event): Venue | undefined => venuesOf(event)[0];

/** An event's places in one line, with parts of each address: "Hall A, Town / Hall B"; undefined if it has none. */
export function placesLine(event: Event, addressOf: (venue: Venue) => readonly Html[] = nothing): Html | undefined {
  const places = venuesOf(event).map((venue) => joinHtml([sanitized(venue.venue), ...addressOf(venue)], ', '));
  return places.length === 0 ? undefined : joinHtml(places, ' / ');
}

const nothing = (): readonly Html[] => [];

/** The town of a venue, if known. */
export const townOf = ({ city }: Venue): readonly Html[] => (city ? [sanitized(city)] : []);

/** Street, town and country. */
export const addressParts = ({ address, zip, city, country }: Venue): readonly Html[] =>
  [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).map((part) => sanitized(String(part)));
