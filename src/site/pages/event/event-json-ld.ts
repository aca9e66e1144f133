import { conferenceOf } from '../../../contract/conference.ts';
import type { Image, Organizer, Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { decodeEntities } from '../../../html/references.ts';
import { textFromHtml } from '../../../html/text.ts';
import { CUTS, cutSizes } from '../../store/image-sizes.ts';
import { dateWithOffset, shortText } from '../../store/json-ld.ts';
import type { Frame } from '../frame/layout.ts';
import { isDay } from '../../../time.ts';
import { amountsOf } from './price.ts';

const SCHEMA = 'https://schema.org';

/** More about the event: the start first announced, by the event's clock, and the address of its other dates. */
interface Around {
  readonly formerStart?: string | undefined;
  readonly series?: string | undefined;
}

/**
 * Returns the data about an event for search engines (schema.org/Event, as Google reads it). The interface's `json_ld`
 * reproduces real sites with their faults: a performer that is a word, people instead of organizations, no place, price
 * ranges.
 */
export function eventJsonLd(event: Event, frame: Frame, { formerStart, series }: Around = {}): object {
  const isCancelled = event.tags.some(({ slug }) => slug === 'cancelled');
  const { mode, location } = whereOf(event, frame);
  const about = shortText(event.excerpt || event.description);
  const date = (wall: string, utc: string): string =>
    event.all_day ? wall.slice(0, 10) : dateWithOffset(wall, utc, event.timezone);
  return {
    '@context': SCHEMA,
    '@type': 'Event',
    name: textFromHtml(event.title),
    ...(about !== '' && { description: about }),
    url: event.url,
    ...(event.image && { image: picturesOf(event.image, frame) }),
    startDate: date(event.start_date, event.utc_start_date),
    // If an event ends when it begins, its end is unknown.
    ...(event.end_date !== event.start_date && { endDate: date(event.end_date, event.utc_end_date) }),
    ...statusOf(event, isCancelled, formerStart),
    eventAttendanceMode: `${SCHEMA}/${mode}EventAttendanceMode`,
    location: oneOrMany(location),
    ...(event.organizer.length > 0 && { organizer: oneOrMany(event.organizer.map(organization)) }),
    ...pricesOf(event, frame, isCancelled),
    ...(series && { superEvent: { '@type': 'EventSeries', name: textFromHtml(event.title), url: series } }),
    inLanguage: (event.translation_language ?? frame.settings.languages[0] ?? frame.language).replace('_', '-'),
  };
}

/** The image in each aspect ratio, and the original if one is missing. */
function picturesOf(image: Image, { hasSizes, settings }: Frame): readonly string[] {
  const cut = hasSizes ? cutSizes(settings.publicUrl, image) : [];
  return cut.length < CUTS.length ? [image.url, ...cut] : cut;
}

/** Cancelled, rescheduled, or as announced. */
function statusOf({ timezone }: Event, isCancelled: boolean, formerStart: string | undefined): object {
  if (isCancelled) return { eventStatus: `${SCHEMA}/EventCancelled` };
  if (formerStart === undefined) return { eventStatus: `${SCHEMA}/EventScheduled` };
  const previousStartDate = isDay(formerStart) ? formerStart : dateWithOffset(formerStart, '', timezone);
  return { eventStatus: `${SCHEMA}/EventRescheduled`, previousStartDate };
}

const oneOrMany = <T>(things: readonly T[]): T | readonly T[] =>
  things.length === 1 && things[0] !== undefined ? things[0] : things;

type Mode = 'Offline' | 'Online' | 'Mixed';
// How people write that there is no physical place.
const NOWHERE = new RegExp(
  [
    '^(?:online(?: event| meeting)?|virtual(?: event| meeting)?|webinar|internet|livestream|live stream|w sieci',
    'zoom(?: meeting)?|google meet|microsoft teams(?: meeting)?|webex)$',
  ].join('|'),
  'i',
);

/** Where an event is: at its venues, online, or both. Without either, only the site is known. */
function whereOf(event: Event, { settings }: Frame): { readonly mode: Mode; readonly location: readonly object[] } {
  const named = [event.venue].flat() as readonly Venue[];
  const venues = named.filter(({ venue, address, city }) => address || city || !NOWHERE.test(textFromHtml(venue)));
  const website = decodeEntities(event.website);
  const meeting = conferenceOf(event)?.url ?? (venues.length < named.length ? website || event.url : undefined);
  const places = venues.map(place);
  if (meeting !== undefined)
    return {
      mode: places.length === 0 ? 'Online' : 'Mixed',
      location: [...places, { '@type': 'VirtualLocation', url: meeting }],
    };
  const somewhere = {
    '@type': 'Place',
    name: settings.title,
    address: { '@type': 'PostalAddress', name: settings.title },
  };
  return { mode: 'Offline', location: places.length === 0 ? [somewhere] : places };
}

function place({
  venue,
  url,
  address,
  city,
  zip,
  country,
  phone,
  website,
  geo_lat: latitude,
  geo_lng: longitude,
  stateprovince,
  province,
  state,
}: Venue): object {
  const name = textFromHtml(venue);
  const parts = filled({
    streetAddress: address,
    addressLocality: city,
    addressRegion: stateprovince || province || state,
    postalCode: zip,
    addressCountry: country,
  });
  return {
    '@type': 'Place',
    name,
    url,
    address: { '@type': 'PostalAddress', ...(Object.keys(parts).length === 0 ? { name } : parts) },
    ...(latitude !== undefined &&
      longitude !== undefined && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
    ...filled({ telephone: phone, sameAs: website }),
  };
}

const organization = ({ organizer, url, phone, email, website }: Organizer): object => ({
  '@type': 'Organization',
  name: textFromHtml(organizer),
  url: website || url,
  ...filled({ telephone: phone, email }),
});

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

// Symbols that unambiguously mean one currency; kr, for one, does not.
const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  '€': 'EUR',
  Euro: 'EUR',
  EURO: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  zł: 'PLN',
  zl: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  lei: 'RON',
  '₴': 'UAH',
  '₺': 'TRY',
  '₹': 'INR',
  '₪': 'ILS',
  '₩': 'KRW',
  R$: 'BRL',
  'Fr.': 'CHF',
};

/** The lowest price, and whether it is free; nothing if the cost is not an amount. */
function pricesOf(event: Event, { settings }: Frame, isCancelled: boolean): object {
  const amounts = amountsOf(event);
  if (!amounts) return {};
  const { cost_details, url, date_utc: since } = event;
  const { currency_symbol: symbol, currency_code: code } = cost_details;
  const sign = (code || symbol || settings.currency?.symbol || '$').trim();
  const currency = CODES.has(sign) ? sign : CURRENCIES[sign];
  return {
    isAccessibleForFree: Math.max(...amounts) === 0,
    offers: {
      '@type': 'Offer',
      price: String(Math.min(...amounts)),
      ...(currency && { priceCurrency: currency }),
      url,
      ...(isCancelled ? {} : { availability: `${SCHEMA}/InStock` }),
      validFrom: `${since.replace(' ', 'T')}Z`,
    },
  };
}

/** The non-empty fields as plain text. */
const filled = (fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text ? [[name, textFromHtml(text)]] : [])));
