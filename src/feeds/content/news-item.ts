import type { Event } from '../../contract/representation.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { decodeEntities } from '../../html/references.ts';
import { html, joinHtml } from '../../html/template.ts';
import type { CalendarTime, PublishedEvent } from '../../ical/write/write-event.ts';
import { titleInState } from '../../sync/model/state-tags.ts';
import { dayAfter, isoFromInstant, offsetAt, marksOfSpan } from '../../time.ts';
import { asRead, zoneMark } from './calendar-times.ts';

/** An event as news for feed readers and other programs. */
export interface NewsItem {
  /** Stays the same for as long as the event exists, whatever happens to its title, time or address. */
  readonly id: string;
  readonly url?: string;
  /** Its own page on another site. */
  readonly website?: string;
  readonly title: string;
  /** HTML with the time, the place and the description. */
  readonly content: string;
  readonly categories: readonly string[];
  readonly image?: { readonly url: string; readonly mediaType?: string };
  /** Epoch milliseconds. */
  readonly published: number;
  readonly updated: number;
  /** RFC 3339, or a date alone. */
  readonly starts: string;
  /** The last day of an all-day event. */
  readonly ends?: string;
  readonly zone?: string;
  readonly place?: string;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
}

/** The language of news, and the zone of the site, which is not stated in them. */
export interface NewsVoice {
  readonly language: string;
  readonly locale: string;
  readonly timezone: string;
}

/** `told` is what subscribers are told about the event. */
export function newsItem(event: Event, told: PublishedEvent, voice: NewsVoice): NewsItem {
  const { content } = told;
  const { start, end, location, image, url } = content;
  const [page, website] = [webAddress(decodeEntities(event.url)), webAddress(url)];
  const picture = image && webAddress(image.url);
  const status = ({ CONFIRMED: 'confirmed', TENTATIVE: 'tentative', CANCELLED: 'cancelled' } as const)[content.status];
  return {
    id: idOf(told.uid),
    ...(page !== undefined && { url: page }),
    ...(website !== undefined && website !== page && { website }),
    title: status === 'cancelled' ? titleInState(content.title, 'cancelled', voice.language) : content.title,
    content: contentOf(event, told, voice),
    categories: content.categories,
    ...(picture !== undefined && { image: { ...image, url: picture } }),
    published: content.created ?? told.modifiedAt,
    updated: told.modifiedAt,
    starts: momentOf(start),
    ...(end && { ends: end.kind === 'date' ? dayAfter(end.day, -1) : momentOf(end) }),
    ...(start.kind === 'zoned' && { zone: start.zone }),
    ...(location && { place: location }),
    status,
  };
}

const webAddress = (address: string | undefined): string | undefined =>
  address !== undefined && /^https?:\/\//i.test(address) ? address : undefined;

/** A tag URI (RFC 4151). Its date is when this form of ids was introduced, and never changes. */
function idOf(uid: string): string {
  const [, name = uid, host = 'calsyncd'] = /^(.*)@([^@]+)$/.exec(uid) ?? [];
  return `tag:${encodeURIComponent(host.toLowerCase())},2026-11-01:${encodeURIComponent(name)}`;
}

function contentOf(event: Event, { content }: PublishedEvent, voice: NewsVoice): string {
  const lines = [html`<strong>${spanInWords(content, voice)}</strong>`, content.location];
  const about = safeHtml(event.description || event.excerpt);
  return `${html`<p>${joinHtml(lines, html`<br>`)}</p>`.markup}${about === '' ? '' : `\n${about}`}`;
}

const TIMED: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
};
const { hour: _hour, minute: _minute, hourCycle: _cycle, ...DAYS } = TIMED;

/** "Sat, 5 Dec 2026, 20:00 – 23:00", with its marks; instants are shown in the site's zone. */
export function spanInWords(
  span: { readonly start: CalendarTime; readonly end?: CalendarTime },
  { locale, timezone }: NewsVoice,
): string {
  const start = asRead(span.start, timezone);
  const last = span.end === undefined ? start : lastOf(asRead(span.end, timezone));
  const format = new Intl.DateTimeFormat(locale, start.kind === 'date' ? DAYS : TIMED);
  const [from, to] = [digitsOf(start), digitsOf(last)];
  const mark = zoneMark(start, timezone);
  const [atStart, atEnd] = to > from ? marksOfSpan(mark, zoneMark(last, timezone)) : ['', mark];
  if (to <= from) return `${format.format(from)}${atEnd}`;
  const parts = format.formatRangeToParts(from, to);
  const first = parts.findLastIndex(({ source }) => source === 'startRange');
  return `${parts.map(({ value }, index) => `${value}${index === first ? atStart : ''}`).join('')}${atEnd}`;
}

/** The last day of whole days, whose end is exclusive; the end of anything else. */
const lastOf = (end: CalendarTime): CalendarTime =>
  end.kind === 'date' ? { kind: 'date', day: dayAfter(end.day, -1) } : end;

/** The wall-clock digits as if they were UTC. */
function digitsOf(time: CalendarTime): number {
  if (time.kind === 'date') return Date.parse(`${time.day}T00:00:00Z`);
  return time.kind === 'zoned' ? Date.parse(`${time.wall.replace(' ', 'T')}Z`) : time.at;
}

function momentOf(time: CalendarTime): string {
  if (time.kind === 'date') return time.day;
  if (time.kind === 'utc') return isoFromInstant(time.at);
  const offset = offsetAt(time.at, time.zone);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${time.wall.replace(' ', 'T')}${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
