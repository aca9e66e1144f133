import type { Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { linkQuery, safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { dayAfter } from '../../../time.ts';
import { venueOf } from '../list/event-list.ts';

/** A place on OpenStreetMap: its coordinates, else a search for its address; undefined for a place that has neither. */
export function mapAddress({
  address,
  zip,
  city,
  country,
  geo_lat: latitude,
  geo_lng: longitude,
}: Venue): string | undefined {
  if (latitude !== undefined && longitude !== undefined)
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  const words = [address, [zip, city].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .map((part) => textFromHtml(String(part)));
  return address || city ? `https://www.openstreetmap.org/search?${linkQuery({ query: words.join(', ') })}` : undefined;
}

/** Where an event can be put into one's own calendar: pages of calendars in the web, filled in. */
export function composeAddresses(event: Event): readonly (readonly [name: string, address: string])[] {
  const title = textFromHtml(event.title);
  const venue = venueOf(event);
  const location = venue
    ? [venue.venue, venue.address, venue.city, venue.country]
        .filter(Boolean)
        .map((part) => textFromHtml(String(part)))
        .join(', ')
    : '';
  const [start, end] = event.all_day
    ? [event.start_date.slice(0, 10), dayAfter(event.end_date.slice(0, 10))]
    : [`${event.utc_start_date.replace(' ', 'T')}Z`, `${event.utc_end_date.replace(' ', 'T')}Z`];
  const google = linkQuery({
    action: 'TEMPLATE',
    text: title,
    dates: `${start}/${end}`.replace(/[-:]/g, ''),
    details: event.url,
    location,
  });
  const outlook = linkQuery({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start,
    enddt: end,
    allday: String(event.all_day),
    body: event.url,
    location,
  });
  return [
    ['Google Calendar', `https://calendar.google.com/calendar/render?${google}`],
    ['Outlook.com', `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`],
    // Work and school accounts get no further than the greeting where an account is numbered (`/0/`).
    ['Microsoft 365', `https://outlook.office.com/calendar/deeplink/compose?${outlook}`],
  ];
}

/** A web address of somebody's as a link; what is no web address is only text. */
export const webLink = (address: string): Html =>
  /^https?:\/\//i.test(address)
    ? safeLink({ href: address, rel: 'noopener' }, address.replace(/^https?:\/\/(?:www\.)?|\/$/gi, ''))
    : html`${address}`;
