import ical, {
  ICalEvent,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalDateTimeValue,
  type ICalEventData,
} from 'ical-generator';
import type { Wall } from '../../time.ts';
import { EXTRA_TEXT_NAMES, propertyOf, type ExtraTextName } from '../read/extra-texts.ts';
import { cleanText, escapeText, oneLine, parameterText, textOfLines, uriValue } from './write-lines.ts';

/** A start or end: a day, a wall time in an IANA zone, or an instant in epoch milliseconds. */
export type CalendarTime =
  | { readonly kind: 'date'; readonly day: string }
  | { readonly kind: 'zoned'; readonly wall: Wall; readonly zone: string; readonly at: number }
  | { readonly kind: 'utc'; readonly at: number };

/**
 * What subscribers are told about an event. Texts are plain and may contain anything; the writer cleans and escapes
 * them.
 */
export interface CalendarContent extends Readonly<Partial<Record<ExtraTextName, string>>> {
  /** '' for an event of which only the times are published. */
  readonly title: string;
  readonly start: CalendarTime;
  /** Exclusive and later than the start; absent if the event has no duration. */
  readonly end?: CalendarTime;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  readonly created?: number;
  readonly description?: string;
  readonly descriptionHtml?: string;
  readonly location?: string;
  readonly place?: {
    readonly title: string;
    readonly address: string;
    readonly latitude: number;
    readonly longitude: number;
  };
  readonly organizer?: { readonly name: string; readonly email: string };
  readonly contacts: readonly string[];
  readonly categories: readonly string[];
  readonly url?: string;
  readonly image?: { readonly url: string; readonly mediaType?: string };
  /** An online meeting; the label says which service it uses. */
  readonly conference?: { readonly url: string; readonly label: string };
}

/** A VEVENT: its identity, its content, and when that content last changed (epoch milliseconds). */
export interface PublishedEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly modifiedAt: number;
  readonly content: CalendarContent;
}

/** One event as folded content lines from BEGIN:VEVENT to END:VEVENT (RFC 5545, 3.6.1). */
export function eventText(event: PublishedEvent): string {
  // The calendar must not have a zone: with one, ical-generator writes DTSTAMP without its Z.
  const lines = new ICalEvent(generatorData(event), ical()).toString().trimEnd().split('\r\n');
  lines.splice(-1, 0, ...moreLines(event.content));
  // An event of which only the times are published has no title; ical-generator writes an empty one.
  return textOfLines(event.content.title === '' ? lines.filter((line) => line !== 'SUMMARY:') : lines);
}

function generatorData({ uid, sequence, modifiedAt, content }: PublishedEvent): ICalEventData {
  const { start, end, organizer } = content;
  return {
    id: escapeText(oneLine(uid)),
    sequence,
    stamp: new Date(modifiedAt),
    lastModified: new Date(modifiedAt),
    ...(content.created === undefined ? {} : { created: new Date(content.created) }),
    start: timeValue(start),
    end: end ? timeValue(end) : null,
    allDay: start.kind === 'date',
    timezone: start.kind === 'zoned' ? start.zone : null,
    summary: oneLine(content.title),
    location: content.location ? oneLine(content.location) : null,
    description: descriptionOf(content),
    organizer:
      organizer && isMailbox(organizer.email)
        ? { name: parameterText(organizer.name) || organizer.email.trim(), email: mailbox(organizer.email) }
        : null,
    categories: content.categories.map((name) => ({ name: oneLine(name) })).filter(({ name }) => name !== ''),
    status: ICalEventStatus[content.status],
    transparency: ICalEventTransparency.TRANSPARENT,
    class: ICalEventClass.PUBLIC,
  };
}

function descriptionOf(content: CalendarContent): { plain: string; html?: string } | null {
  const plain = cleanText(content.description ?? '').trim();
  return plain === ''
    ? null
    : { plain, ...(content.descriptionHtml ? { html: cleanText(content.descriptionHtml) } : {}) };
}

function timeValue(time: CalendarTime): ICalDateTimeValue {
  if (time.kind === 'date') return new Date(`${time.day}T00:00:00Z`);
  if (time.kind === 'utc') return new Date(time.at);
  const digits = time.wall.replace(/[-:]/g, '').split(' ');
  // The part of a luxon value that ical-generator uses. The digits are written as given; a Date would be converted to
  // the machine's zone.
  const value = {
    isValid: true,
    zone: { type: 'iana' },
    setZone: () => value,
    toJSDate: () => new Date(time.at),
    toJSON: () => time.wall,
    toFormat: (format: string) => (format === 'HHmmss' ? digits[1] : digits[0]) ?? '',
  };
  return value;
}

/**
 * Lines that ical-generator cannot write, drops (a GEO that contains a zero) or writes contrary to the RFC (addresses
 * with escaped commas).
 */
function moreLines(content: CalendarContent): readonly string[] {
  const url = uriValue(content.url ?? '');
  return [
    ...placeLines(content),
    ...content.contacts.flatMap((contact) => textLine('CONTACT', contact)),
    ...(url ? [`URL:${url}`] : []),
    ...conferenceLines(content),
    ...EXTRA_TEXT_NAMES.flatMap((name) => textLine(propertyOf(name), content[name] ?? '')),
    ...imageLines(content),
  ];
}

function textLine(name: string, text: string): readonly string[] {
  const value = oneLine(text);
  return value === '' ? [] : [`${name}:${escapeText(value)}`];
}

/** RFC 7986, 5.11. */
function conferenceLines({ conference }: CalendarContent): readonly string[] {
  const url = uriValue(conference?.url ?? '');
  if (!conference || !url) return [];
  return [`CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL="${parameterText(conference.label)}":${url}`];
}

function imageLines({ image }: CalendarContent): readonly string[] {
  const url = uriValue(image?.url ?? '');
  if (!url) return [];
  const mediaType = image?.mediaType ?? '';
  const type = /^[a-z]+\/[a-z0-9.+-]+$/i.test(mediaType) ? `;FMTTYPE=${mediaType}` : '';
  return [`IMAGE;VALUE=URI;DISPLAY=FULLSIZE${type}:${url}`, `ATTACH${type}:${url}`];
}

function placeLines({ place }: CalendarContent): readonly string[] {
  if (!place || Math.abs(place.latitude) > 90 || Math.abs(place.longitude) > 180) return [];
  const [latitude, longitude] = [degrees(place.latitude), degrees(place.longitude)];
  const address = oneLine(place.address) === '' ? '' : `;X-ADDRESS="${parameterText(place.address)}"`;
  return [
    `GEO:${latitude};${longitude}`,
    `X-APPLE-STRUCTURED-LOCATION;VALUE=URI${address};X-APPLE-RADIUS=100;X-TITLE="${parameterText(place.title)}":geo:${latitude},${longitude}`,
  ];
}

// RFC 5545, 3.8.1.6: six decimal places, no exponents.
const degrees = (value: number): string => String(Number(value.toFixed(6)));

/** Whether an address can be written as a CAL-ADDRESS. */
export const isMailbox = (email: string): boolean =>
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(email.trim());

// RFC 6068 allows these characters unescaped, and readers compare addresses literally.
const mailbox = (email: string): string =>
  email
    .trim()
    .split('@')
    .map((part) => encodeURIComponent(part).replaceAll('%2B', '+').replaceAll('%24', '$'))
    .join('@');
