import type { Event, EventPage, Venue } from '../../contract/representation.ts';
import { escapeHtml } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { dayInWords, shortDayInWords, type Day } from './dates.ts';
import type { Frame } from './layout.ts';

/** Events by day; what began before `from` stands under that day. `empty` is said where there are none. */
export function eventList(frame: Frame, events: readonly Event[], from: Day, empty: string): string {
  if (events.length === 0) return `<p class="none">${empty}</p>`;
  const days = Map.groupBy(events, ({ start_date }) => {
    const day = start_date.slice(0, 10);
    return day < from ? from : day;
  });
  return [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([day, group]) =>
        `<h2 class="day">${dayInWords(day, frame.language)}</h2>\n<ol class="events">\n${group.map((event) => line(frame, event, day)).join('\n')}\n</ol>`,
    )
    .join('\n');
}

function line(frame: Frame, event: Event, day: Day): string {
  const venue = venueOf(event);
  const place = venue
    ? `<span class="place">${safeHtml([venue.venue, venue.city].filter(Boolean).join(', '))}</span>`
    : '';
  return `<li><span class="time">${timeOf(frame, event, day)}</span><span><a href="${pathOf(event.url)}"${langOf(frame, event)}>${inline(event.title)}</a>${place}</span></li>`;
}

function timeOf(
  { language, words, settings }: Frame,
  { all_day, start_date, end_date, utc_start_date, timezone, timezone_abbr }: Event,
  day: Day,
): string {
  const endDay = end_date.slice(0, 10);
  const last = endDay > day ? `${words.until} ${shortDayInWords(endDay, language)}` : '';
  if (start_date.slice(0, 10) < day) return last || words.allDay;
  const zone = timezone === settings.timezone ? '' : ` ${escapeHtml(timezone_abbr)}`;
  const time = all_day
    ? last
      ? ''
      : words.allDay
    : `<time datetime="${utc_start_date.replace(' ', 'T')}Z">${start_date.slice(11, 16)}</time>${zone}`;
  // A night out that ends before morning needs no second date.
  const isNight =
    !all_day &&
    endDay > day &&
    Date.parse(`${end_date.replace(' ', 'T')}Z`) - Date.parse(`${start_date.replace(' ', 'T')}Z`) < 43_200_000;
  return [time, isNight ? '' : last].filter(Boolean).join('<br>');
}

/** "Earlier" and "Later", with everything that was asked for. */
export function pager(
  { words, base }: Frame,
  path: string,
  query: Readonly<Record<string, string>>,
  page: number,
  list: EventPage,
): string {
  const to = (number: number): string =>
    escapeHtml(
      `${base}${path}?${new URLSearchParams({ ...query, ...(number > 1 ? { page: String(number) } : {}) })}`.replace(
        /\?$/,
        '',
      ),
    );
  const links = [
    page > 1 ? `<a class="button" rel="prev" href="${to(page - 1)}">← ${words.earlier}</a>` : '',
    page < list.total_pages ? `<a class="button" rel="next" href="${to(page + 1)}">${words.later} →</a>` : '',
  ].filter((link) => link !== '');
  return links.length === 0
    ? ''
    : `<nav class="row" aria-label="${words.pages}">${links.join(' ')} <span class="none">${page} / ${list.total_pages}</span></nav>`;
}

/** The first venue of an event; a real one has at most one unless an extension allows more. */
export const venueOf = ({ venue }: Event): Venue | undefined =>
  Array.isArray(venue) ? (venue as readonly Venue[])[0] : (venue as Venue);

/** An address of the site as a link on it, so that one stays at the host name one came by. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return escapeHtml(`${pathname}${search}`);
}

/** The `lang` of an event's own words where they are not in the language of the page, so that they are read out rightly. */
export const langOf = ({ language }: Frame, { translation_language: own = language }: Event): string =>
  own === language ? '' : ` lang="${escapeHtml(own.replace('_', '-'))}"`;

/** HTML of a title within a link: links in it would end that. */
export const inline = (html: string): string =>
  safeHtml(html.replace(/<\/?(?:a|p|div|h\d|ul|ol|li|table|blockquote)\b[^<>]*>/gi, ' '));
