import { decodedPart } from '../../ascii.ts';
import { textOf, type CalendarEvent, type Place } from '../../ical/read/calendar.ts';
import type { TextValue } from '../../ical/read/values.ts';
import { decodeEntities } from '../../html/references.ts';
import { withoutMarkup } from './calendar-text.ts';
import { isNoPlace, meetingIn, namesMeeting, withoutMeeting } from './online-meeting.ts';
import { isWebAddress, webAddressFrom } from './web-address.ts';
import type { OrganizerDraft, VenueDraft } from '../model/draft.ts';
import { startOf } from '../../html/shortened.ts';

const NAME_MAX = 200;
/** Longer texts hold no name or address beyond this point, and regular expressions should not search that far. */
const TEXT_MAX = 2_000;

/** Whether LOCATION alone says where an event is. */
export const isNamedByLocation = ({ places, geo, texts }: CalendarEvent): boolean =>
  places.length === 0 &&
  geo === null &&
  !texts['X-APPLE-STRUCTURED-LOCATION'] &&
  !namesMeeting(textOf(texts, 'LOCATION'));

/** Whether the only place that LOCATION gives is an online meeting. */
export const isOnlyOnline = (event: CalendarEvent): boolean => locationOf(event) !== '' && placeIn(event) === '';

/**
 * The venue of an event: from a VVENUE or VLOCATION component, Apple's structured location, or LOCATION with GEO.
 * Undefined if there is none, or if LOCATION is a web address, an online meeting or no name at all. `apart` splits a
 * one-line LOCATION into name and address.
 */
export function venueFromEvent(event: CalendarEvent, apart?: RegExp): VenueDraft | undefined {
  const { texts: place, geo } = placeOf(event) ?? { texts: {}, geo: null };
  const apple = event.texts['X-APPLE-STRUCTURED-LOCATION']?.[0];
  const location = placeIn(event);
  const lines = linesOf(location, apart);
  const [title = '', ...belowTitle] = appleLines(apple, 'X-TITLE');
  const name = nameFrom(firstText(textOf(place, 'NAME'), asIn(location, title), ...lines));
  if (isNoPlace(name)) return undefined;
  const otherLines = lines.filter((line) => line !== name && !line.startsWith(`${name} @`));
  const parts = {
    address: firstText(
      streetOf(place),
      asIn(location, appleLines(apple, 'X-ADDRESS').join(', ')),
      otherLines.join(', '),
      belowTitle.join(', '),
    ),
    city: firstOf(place, 'LOCALITY', 'CITY'),
    province: textOf(place, 'REGION'),
    zip: firstOf(place, 'POSTAL-CODE', 'POSTALCODE'),
    country: textOf(place, 'COUNTRY'),
    phone: textOf(place, 'TEL').replace(/^tel:/i, ''),
    website: webAddressFrom(textOf(place, 'URL')) ?? '',
  };
  return {
    venue: name,
    ...Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== '')),
    ...coordinatesOf(geo ?? event.geo ?? spotOf(apple)),
  };
}

/**
 * The place of an event among its VLOCATIONs: the one that LOCATION names, else the first that is not merely on the
 * way.
 */
function placeOf({ places, texts }: CalendarEvent): Place | undefined {
  const location = textOf(texts, 'LOCATION');
  const isNamed = (name: string): boolean => name !== '' && location.startsWith(name);
  return (
    places.find(({ texts: place }) => isNamed(textOf(place, 'NAME'))) ??
    places.find(({ texts: place }) => !WAYS_THERE.test(textOf(place, 'LOCATION-TYPE'))) ??
    places[0]
  );
}

/** Types of places (RFC 4589, 5) that an invitation gives only as directions to another place. */
const WAYS_THERE = /^(?:parking|bus-station|train-station|airport|public-transport)$/i;

/** LOCATION as text. Some programs write what their pages show, with links and line breaks. */
function locationOf({ texts }: CalendarEvent): string {
  const written = textOf(texts, 'LOCATION').slice(0, TEXT_MAX);
  return withoutMarkup(written) ?? written;
}

const coordinatesOf = (spot: CalendarEvent['geo'] | undefined): Pick<VenueDraft, 'geo_lat' | 'geo_lng'> =>
  spot ? { geo_lat: spot.lat, geo_lng: spot.lon } : {};

const streetOf = (place: CalendarEvent['texts']): string =>
  [firstOf(place, 'STREET-ADDRESS', 'ADDRESS'), textOf(place, 'EXTENDED-ADDRESS')]
    .filter((part) => part !== '')
    .join(', ');

const firstOf = (texts: CalendarEvent['texts'], ...names: readonly string[]): string =>
  firstText(...names.map((name) => textOf(texts, name)));

const firstText = (...texts: readonly string[]): string => texts.find((text) => text !== '') ?? '';

const linesOf = (long: string, apart?: RegExp, text = long.slice(0, TEXT_MAX)): string[] =>
  (apart?.exec(text)?.slice(1) ?? text.split(/\n+/))
    .map((line) => nameFrom(line.replace(/\s*,\s*$/, '')))
    .filter((line) => line !== '');

const nameFrom = (text: string): string => shortLine(decodeEntities(text));
const shortLine = (text: string): string => startOf(text.replace(/\s+/g, ' ').trim(), NAME_MAX);

/** The lines of a parameter, in which Apple alone also escapes text. */
const appleLines = (apple: TextValue | undefined, name: string): string[] =>
  (apple?.parameters[name] ?? '')
    .slice(0, TEXT_MAX)
    .split(/\\+n|\n/)
    .map((line) => nameFrom(line.replace(/\\+([,;])/g, '$1')))
    .filter((line) => line !== '');

/**
 * A parameter's text as LOCATION spells it, because parameters cannot contain quotation marks (RFC 5545, 3.2), nor
 * backslashes that every reader understands.
 */
function asIn(location: string, text: string): string {
  const written = nameFrom(location);
  const at = text === '' ? -1 : written.replaceAll('"', "'").replaceAll('\\', '/').indexOf(text);
  return at < 0 ? text : written.slice(at, at + text.length);
}

/** Parses coordinates such as `geo:48.1371,11.5754`. */
function spotOf(apple: TextValue | undefined): { lat: number; lon: number } | undefined {
  const digits = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/i.exec(apple?.text ?? '');
  const [lat, lon] = [Number(digits?.[1]), Number(digits?.[2])];
  return digits && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0) ? { lat, lon } : undefined;
}

/** The organizers of an event, each once: from ORGANIZER (name and address) and CONTACT. */
export function organizersFromEvent(event: CalendarEvent): readonly OrganizerDraft[] {
  const found = [
    ...(event.texts['ORGANIZER'] ?? []).slice(0, 5).map(fromOrganizer),
    ...(event.texts['CONTACT'] ?? []).slice(0, 5).map(fromContact),
  ];
  const byName = new Map<string, OrganizerDraft>();
  for (const organizer of found)
    if (organizer) {
      const name = organizer.organizer.toLowerCase();
      byName.set(name, { ...organizer, ...byName.get(name) });
    }
  // An address is dropped if the same organizer is also known by name.
  const addresses = new Set([...byName.values()].flatMap(({ organizer, email }) => (email === organizer ? [] : email)));
  return [...byName.values()].filter(({ organizer }) => !addresses.has(organizer));
}

const EMAIL = /[^\s<>()[\]:,;"'@]{1,64}@[^\s<>()[\]:,;"'@]{1,253}\.[a-z]{2,}/i;
// Addresses of calendars and robots, not of people.
const TECHNICAL =
  /@(?:group|resource|import|unknownorganizer)\.calendar\.google\.com$|^unknownorganizer@|^noreply@|^no-reply@|@imip\.me\.com$/i;

const addressIn = (text: string): string => EMAIL.exec(text.slice(0, TEXT_MAX).replace(/^mailto:/i, ''))?.[0] ?? '';
const ofPerson = (address: string): string => (TECHNICAL.test(address) ? '' : address);

/** The e-mail address of a person in a text; '' if there is none. */
export const emailIn = (text: string): string => ofPerson(addressIn(text));

function fromOrganizer({ text, parameters }: TextValue): OrganizerDraft | undefined {
  const email = ofPerson(addressIn(text) || addressIn(parameters['EMAIL'] ?? ''));
  const name = nameFrom(writtenName(parameters['CN'] ?? '')) || email;
  return name === '' || TECHNICAL.test(name) ? undefined : { organizer: name, ...(email === '' ? {} : { email }) };
}

/** Decodes a name; The Events Calendar writes names as parts of addresses: `Jazz%20Club`. */
const writtenName = (name: string): string => (/\s/.test(name) ? name : decodedPart(name));

/**
 * Reads a contact, which is one text (RFC 5545, 3.8.4.2): `Jim Dolittle, +1-919-555-1234`, `Jim Dolittle
 * <jim@example.org>`. LibCal writes it like an ORGANIZER, with a CN.
 */
function fromContact({ text, parameters: { CN = '' } }: TextValue): OrganizerDraft | undefined {
  const written = decodeEntities((CN === '' ? text : `${CN}, ${text}`).slice(0, TEXT_MAX));
  const address = EMAIL.exec(written)?.[0] ?? '';
  const email = ofPerson(address);
  const rest = written.replace(/\b(?:mailto|tel):/i, '').replace(address, '');
  const plain = shortLine(rest.replace(/<[^>]{0,200}>|\(\s*\)|\[\s*\]/g, ' '));
  const phone = /\+?\d[\d ()/-]{6,}\d/.exec(plain)?.[0] ?? '';
  const name = withoutLabels(nameBeforeDetails(plain.replace(phone, ''))) || email;
  return name === ''
    ? undefined
    : { organizer: name, ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone }) };
}

/** Labels of telephone numbers and email addresses. Inside a name, such a word has no punctuation around it. */
const LABELS = 'tel(?:efon|efono|ephone|éfono|éphone)?|phone|ph|fon|mobile?|handy|fax|e-?mail|mail';
const LABEL = new RegExp(String.raw`(?:(?:^|[,;|(])\s*(?:${LABELS})|\s(?:tel|(?:${LABELS})(?=[.:])))[.:]*$`, 'iu');

/** Removes labels from the end of a text, one after another. */
function withoutLabels(text: string): string {
  const left = text.replace(LABEL, '').trimEnd();
  return left === text ? text : withoutLabels(left);
}

/**
 * The name in a contact: the first part with words, and the parts after it up to the removed telephone number or email
 * address, or up to a part with a number or web address. Names may contain commas and semicolons.
 */
function nameBeforeDetails(text: string): string {
  const [parts, marks] = [text.split(BETWEEN_PARTS), text.match(BETWEEN_PARTS) ?? []];
  const first = parts.findIndex(hasWords);
  const rest = parts.slice(first + 1);
  const details = rest.findIndex((part) => !hasWords(part) || /\d|:\/\/|^www\./.test(part));
  const more = details < 0 ? rest : rest.slice(0, details);
  return [parts[first] ?? '', ...more.flatMap((part, index) => [marks[first + index] ?? '', part])].join('').trim();
}
const BETWEEN_PARTS = /\s*[,;|]\s*/g;
const hasWords = (part: string): boolean => /\p{L}{2}/u.test(part);

/** The picture of an event: IMAGE (RFC 7986), or an ATTACH that is marked or named as an image. */
export function imageFromEvent({ texts }: CalendarEvent): string {
  const written = PICTURES.flatMap(([name, read]) => texts[name]?.toSorted(byDisplay).map(read) ?? []);
  return written.map(webAddressFrom).find((address) => address !== undefined) ?? '';
}

/** Properties that hold pictures, and how to read the address; the first usable one counts. */
const PICTURES: readonly (readonly [name: string, read: (value: TextValue) => string])[] = [
  // A URI is a single value, whatever it contains (RFC 5545, 3.3.13).
  ['IMAGE', ({ text }) => text],
  ['ATTACH', (value) => (isPicture(value) ? value.text : '')],
  // A WordPress plugin that lists addresses with sizes.
  ['X-WP-IMAGES-URL', ({ text }) => text.split(/[;,]/).findLast((part) => isWebAddress(part.trim())) ?? text],
  ['X-LIVEWHALE-IMAGE', ({ text }) => text],
  ['X-BEDEWORK-IMAGE', ({ text }) => text],
  // Trumba's custom fields of type image, which may be written as links.
  [
    'X-TRUMBA-CUSTOMFIELD',
    ({ text, parameters }) =>
      parameters['TYPE']?.toUpperCase() === 'IMAGE' ? (ADDRESS_IN.exec(text.slice(0, TEXT_MAX))?.[0] ?? '') : '',
  ],
];
const ADDRESS_IN = /https?:\/\/[^\s"'<>]+/i;

/** If an event has several pictures, the one meant to be shown large counts (DISPLAY; RFC 7986, 6.1). */
const DISPLAYS: readonly (string | undefined)[] = ['FULLSIZE', 'GRAPHIC', undefined, 'THUMBNAIL', 'BADGE'];
function rankOf({ parameters }: TextValue): number {
  const shown: readonly (string | undefined)[] = parameters['DISPLAY']?.toUpperCase().split(',') ?? [undefined];
  const rank = DISPLAYS.findIndex((display) => shown.includes(display));
  return rank < 0 ? DISPLAYS.length : rank;
}

const byDisplay = (one: TextValue, other: TextValue): number => rankOf(one) - rankOf(other);

/** Whether an ATTACH is marked or named as a picture. */
export const isPicture = ({ text, parameters }: Pick<TextValue, 'text' | 'parameters'>): boolean =>
  /^image\//i.test(parameters['FMTTYPE'] ?? '') ||
  (!parameters['FMTTYPE'] && /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(text));

const CONFERENCES = [
  'CONFERENCE',
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
];

/**
 * The address of an online meeting: CONFERENCE (RFC 7986) or its predecessors, a LOCATION that is an address, or a
 * meeting address within LOCATION or DESCRIPTION.
 */
export function conferenceFromEvent({ texts }: CalendarEvent): string {
  const written = [
    ...CONFERENCES.flatMap((name) => texts[name] ?? []).map(({ text }) => text),
    textOf(texts, 'LOCATION'),
  ];
  const inWords = [textOf(texts, 'LOCATION'), textOf(texts, 'DESCRIPTION')].map(meetingIn);
  return [...written, ...inWords].map(webAddressFrom).find((address) => address !== undefined) ?? '';
}

/** LOCATION without the online meeting in it. */
const placeIn = (event: CalendarEvent): string =>
  withoutMeeting(locationOf(event), () => conferenceFromEvent(event) !== '');
