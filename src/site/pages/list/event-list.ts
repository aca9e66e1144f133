import type { Venue } from '../../../contract/event-parts.ts';
import type { Event, EventPage } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayInWords, shortDayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';

/** Events by day; what began before `from` stands under that day. `empty` is said where there are none. */
export function eventList(frame: Frame, events: readonly Event[], from: Day, empty: string): Html {
  if (events.length === 0) return html`<p class="none">${empty}</p>`;
  const days = Map.groupBy(events, ({ start_date }) => {
    const day = start_date.slice(0, 10);
    return day < from ? from : day;
  });
  const lists = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([day, group]) => html`<h2 class="day">${dayInWords(day, frame.language)}</h2>
<ol class="events">
${joinHtml(
  group.map((event) => line(frame, event, day)),
  '\n',
)}
</ol>`,
    );
  return joinHtml(lists, '\n');
}

function line(frame: Frame, event: Event, day: Day): Html {
  const venue = venueOf(event);
  const place =
    venue && html`<span class="place">${sanitized([venue.venue, venue.city].filter(Boolean).join(', '))}</span>`;
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event) }, inline(event.title));
  return html`<li><span class="time">${timeOf(frame, event, day)}</span><span>${link}${place}</span></li>`;
}

const NIGHT_MS = 43_200_000;

function timeOf({ language, words, settings }: Frame, event: Event, day: Day): Html {
  const { all_day, start_date, end_date, utc_start_date, timezone, timezone_abbr } = event;
  const endDay = end_date.slice(0, 10);
  const last = endDay > day && `${words.until} ${shortDayInWords(endDay, language)}`;
  if (all_day || start_date.slice(0, 10) < day) return html`${last || words.allDay}`;
  const zone = timezone !== settings.timezone && ` ${timezone_abbr}`;
  const time = html`<time datetime="${isoUtc(utc_start_date)}">${start_date.slice(11, 16)}</time>${zone}`;
  // A night out that ends before morning needs no second date.
  const isNight = Date.parse(isoUtc(end_date)) - Date.parse(isoUtc(start_date)) < NIGHT_MS;
  return joinHtml([time, !isNight && last], html`<br>`);
}

/** `2027-01-10 18:00:00` → `2027-01-10T18:00:00Z` */
export const isoUtc = (date: string): string => `${date.replace(' ', 'T')}Z`;

/** "Earlier" and "Later", with everything that was asked for. */
export function pager(
  { words, base }: Frame,
  path: string,
  query: Readonly<Record<string, string>>,
  page: number,
  list: EventPage,
): Html | undefined {
  const link = (rel: 'prev' | 'next', number: number, text: string): Html => {
    const asked = new URLSearchParams({ ...query, ...(number > 1 ? { page: String(number) } : {}) });
    return safeLink({ class: 'button', rel, href: `${base}${path}?${asked}`.replace(/\?$/, '') }, text);
  };
  const links = [
    ...(page > 1 ? [link('prev', page - 1, `← ${words.earlier}`)] : []),
    ...(page < list.total_pages ? [link('next', page + 1, `${words.later} →`)] : []),
  ];
  return links.length === 0
    ? undefined
    : html`<nav class="row" aria-label="${words.pages}">${joinHtml(links, ' ')} <span class="none">${page} / ${list.total_pages}</span></nav>`;
}

/** The first venue of an event; a real one has at most one unless an extension allows more. */
export const venueOf = ({ venue }: Event): Venue | undefined =>
  Array.isArray(venue) ? (venue as readonly Venue[])[0] : (venue as Venue);

/** An address of the site as a path on it, so that one stays at the host name one came by. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/**
 * The `lang` of an event's own words where they are not in the language of the page, so that they are read out rightly.
 */
export const langOf = ({ language }: Frame, { translation_language: own = language }: Event): string | undefined =>
  own === language ? undefined : own.replace('_', '-');

/** The same as an attribute. */
export function langAttribute(frame: Frame, event: Event): Html | undefined {
  const lang = langOf(frame, event);
  return lang === undefined ? undefined : html` lang="${lang}"`;
}

/** A title as HTML within a link: links in it would end that. */
export const inline = (title: string): Html =>
  sanitized(title.replace(/<\/?(?:a|p|div|h\d|ul|ol|li|table|blockquote)\b[^<>]*>/gi, ' '));
