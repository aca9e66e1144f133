import type { Venue } from '../../../contract/event-parts.ts';
import { eventZone } from '../../../contract/event-zone.ts';
import type { Event } from '../../../contract/representation.ts';
import { linkQuery, safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { dayAfter } from '../../../time.ts';
import { madeOnce } from '../../made-once.ts';
import { isoUtc } from '../frame/clock.ts';
import { addressParts, placesLine } from '../frame/places.ts';
import { textOf } from '../../store/json-ld.ts';
import { startOf } from '../../../html/shortened.ts';

/**
 * The address of a place on OpenStreetMap: its coordinates, else a search for its address; undefined if it has neither.
 */
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

/** Calendar servers refuse longer addresses, and sign-in pages embed the whole of it in another one. */
const ADDRESS_MAX = 2_000;
const QUERY_MAX = ADDRESS_MAX - 60;
/** The limits for title, place and other facts; the description gets the rest. */
const [TITLE_MAX, PLACE_MAX, FACTS_MAX] = [600, 400, 400];
/** More of its markup would not fit anyway. */
const DESCRIPTION_MAX = 6_000;

/** What web calendars accept of an event. */
interface Composed {
  readonly title: string;
  readonly location: string;
  readonly about: string;
  /** Cost and the like, one line each with its name. */
  readonly facts: string;
  readonly page: string;
  /** A date, with exclusive end, or a UTC instant: `2027-01-10`, `2027-01-10T17:00:00Z`. */
  readonly start: string;
  readonly end: string;
  readonly isAllDay: boolean;
  /** An IANA zone. */
  readonly zone: string | undefined;
}

/**
 * The addresses of web calendars that add an event, with its fields filled in. None of them is specified; what they
 * accept was found out by others (add-event-to-calendar-docs).
 */
export const composeAddresses = madeOnce((event: Event, facts: readonly string[]): Addresses =>
  addressesOf(composedOf(event, facts)),
);

type Addresses = readonly (readonly [name: string, address: string])[];

const addressesOf = (composed: Composed): Addresses =>
  PROVIDERS.flatMap(([query, addresses]) => {
    const asked = filled(composed, query);
    return addresses.map(([name, address]) => [name, `${address}?${asked}`] as const);
  });

function composedOf(event: Event, facts: readonly string[]): Composed {
  const [start, end] = event.all_day
    ? [event.start_date.slice(0, 10), dayAfter(event.end_date.slice(0, 10))]
    : [isoUtc(event.utc_start_date), isoUtc(event.utc_end_date)];
  const zone = eventZone(event.timezone ?? '');
  return {
    title: fitting(textFromHtml(event.title), TITLE_MAX),
    location: fitting(textFromHtml(placesLine(event, addressParts)?.markup ?? ''), PLACE_MAX),
    about: textOf(startOf(event.description || event.excerpt || '', DESCRIPTION_MAX)),
    facts: fitting(facts.join('\n'), FACTS_MAX),
    page: event.url,
    start,
    end,
    isAllDay: event.all_day,
    zone: zone?.includes('/') ? zone : undefined,
  };
}

type Query = (composed: Composed) => Readonly<Record<string, string>>;

// Google shows times in the zone `ctz`, and does not interpret HTML.
const google: Query = ({ title, location, start, end, zone, ...told }) => ({
  action: 'TEMPLATE',
  text: title,
  dates: `${start}/${end}`.replace(/[-:]/g, ''),
  ...(zone !== undefined && { ctz: zone }),
  location,
  details: toldOf(told),
});

// Outlook interprets HTML, which ignores line ends.
const outlook: Query = ({ title, location, about, facts, page, start, end, isAllDay }) => ({
  path: '/calendar/action/compose',
  rru: 'addevent',
  subject: title,
  startdt: start,
  enddt: end,
  allday: String(isAllDay),
  location,
  body: joinHtml([...`${about}\n${facts}`.split('\n').filter(Boolean), safeLink({ href: page }, page)], html`<br>`)
    .markup,
});

// Its end date is inclusive.
const yahoo: Query = ({ title, location, start, end, isAllDay, ...told }) => ({
  v: '60',
  title,
  st: start.replace(/[-:]/g, ''),
  et: (isAllDay ? dayAfter(end, -1) : end).replace(/[-:]/g, ''),
  ...(isAllDay && { dur: 'allday' }),
  in_loc: location,
  desc: toldOf(told),
});

const PROVIDERS: readonly (readonly [
  query: Query,
  addresses: readonly (readonly [name: string, address: string])[],
])[] = [
  [google, [['Google', 'https://calendar.google.com/calendar/render']]],
  [
    outlook,
    [
      ['Outlook', 'https://outlook.live.com/calendar/0/deeplink/compose'],
      // With a numbered account (`/0/`), work and school accounts get no further than the greeting.
      ['Microsoft 365', 'https://outlook.office.com/calendar/deeplink/compose'],
    ],
  ],
  [yahoo, [['Yahoo', 'https://calendar.yahoo.com/']]],
];

const toldOf = ({ about, facts, page }: Pick<Composed, 'about' | 'facts' | 'page'>): string =>
  [about, facts, page].filter(Boolean).join('\n\n');

/** The query with as much of the description as fits. */
function filled(composed: Composed, query: Query): string {
  const withAbout = (about: string): string => linkQuery(query({ ...composed, about }));
  const whole = withAbout(composed.about);
  if (whole.length <= QUERY_MAX) return whole;
  const bare = withAbout('');
  const costOf = (about: string): number => withAbout(about).length - bare.length;
  return withAbout(longest(composed.about, QUERY_MAX - bare.length, costOf));
}

/** Cuts a text to at most `most` characters, as encoded in an address. */
const fitting = (text: string, most: number): string =>
  longest(text, most, (part) => encodeURIComponent(part.toWellFormed()).length);

/**
 * Cuts a text to a cost of at most `most`, adding "…"; the result is about the longest possible. Within one script, all
 * parts of a text cost about the same.
 */
function longest(text: string, most: number, costOf: (part: string) => number): string {
  // Every character costs at least one.
  const whole = startOf(text, most);
  const cost = costOf(whole);
  if (whole.length === text.length && cost <= most) return text;
  const cut = (length: number): string => `${startOf(whole, length).trimEnd()}…`;
  let length = Math.floor((whole.length * most) / Math.max(cost, most)) - 1;
  while (length > 0 && costOf(cut(length)) > most) length = Math.floor(length * SHORTER);
  return length > 0 ? cut(length) : '';
}

const SHORTER = 0.92;

/** Links an address that people have entered; anything but a web address stays plain text. */
export const webLink = (address: string): Html =>
  /^https?:\/\//i.test(address)
    ? safeLink({ href: address, rel: 'noopener' }, address.replace(/^https?:\/\/(?:www\.)?|\/$/gi, ''))
    : html`${address}`;
