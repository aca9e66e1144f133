import type { Event, EventPage, Venue } from '../../contract/representation.ts';
import { escapeHtml, safeHtml } from '../../html.ts';

/** The list of coming events, grouped by day, with links to earlier and later pages. */
export function calendarMain(title: string, list: EventPage, page: number): string {
  const days = Map.groupBy(list.events, ({ start_date }) => start_date.slice(0, 10));
  const groups = [...days].map(([day, events]) => `<h2>${dayInWords(day)}</h2>\n<ol class="events">\n${events.map(eventLine).join('\n')}\n</ol>`);
  const body = groups.length > 0 ? groups.join('\n') : '<p class="none">Nothing is announced yet.</p>';
  return `<h1>${escapeHtml(title)}</h1>\n${body}\n${pageLinks(page, list.total_pages)}`;
}

function eventLine(event: Event): string {
  const time = event.all_day ? 'all day' : `<time datetime="${event.utc_start_date.replace(' ', 'T')}Z">${event.start_date.slice(11, 16)}</time>`;
  const venue = venueOf(event);
  const place = venue ? `<span class="place">${safeHtml([venue.venue, venue.city].filter(Boolean).join(', '))}</span>` : '';
  return `<li>${time}<span><a href="/event/${encodeURIComponent(event.slug)}">${safeHtml(event.title)}</a>${place}</span></li>`;
}

/** The first venue of an event; a real one has at most one unless an extension allows more. */
export const venueOf = ({ venue }: Event): Venue | undefined => (Array.isArray(venue) ? (venue as readonly Venue[])[0] : venue as Venue);

/** "Saturday, 10 January 2027". */
export const dayInWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

function pageLinks(page: number, pages: number): string {
  const links = [
    page > 1 ? `<a rel="prev" href="/?page=${page - 1}">Earlier</a>` : '',
    page < pages ? `<a rel="next" href="/?page=${page + 1}">Later</a>` : '',
  ].filter((link) => link !== '');
  return links.length > 0 ? `<nav class="pages" aria-label="Pages">${links.join(' ')}</nav>` : '';
}
