import type { Event, Organizer, Venue } from '../../contract/representation.ts';
import { escapeHtml, safeHtml } from '../../html.ts';
import { dayInWords, venueOf } from './calendar-page.ts';

/** One event: when, where, by whom, what, and how to put it into one's own calendar. */
export function eventMain(event: Event): string {
  const venue = venueOf(event);
  const facts = [
    ['When', whenInWords(event)],
    ['Where', venue ? venueInWords(venue) : ''],
    ['By', event.organizer.map(organizerInWords).join(', ')],
    ['Cost', safeHtml(event.cost)],
    ['Category', event.categories.map(({ name }) => safeHtml(name)).join(', ')],
    ['More', event.website && event.website !== event.url ? `<a href="${attribute(event.website)}">${safeHtml(event.website)}</a>` : ''],
  ].filter(([, fact]) => fact !== '');
  const image = event.image ? `<img class="image" src="${escapeHtml(event.image.url)}" alt="">` : '';
  return `<article>
<h1>${safeHtml(event.title)}</h1>
<dl>${facts.map(([name, fact]) => `<dt>${name}</dt><dd>${fact}</dd>`).join('\n')}</dl>
${image}
<div class="description">${safeHtml(event.description)}</div>
</article>`;
}

/** `<head>` of an event's page: the address, the JSON-LD of its representation and where its data can be had. */
export function eventHead(event: Event, apiRoot: string): string {
  // "<" is the one character that could end the script element.
  const jsonLd = JSON.stringify(event.json_ld ?? {}).replace(/</g, '\\u003c');
  const embed = `${apiRoot}oembed/1.0/embed?url=${encodeURIComponent(event.url)}`;
  return `<link rel="canonical" href="${escapeHtml(event.url)}">
<link rel="alternate" type="application/json" href="${escapeHtml(event.rest_url)}">
<link rel="alternate" title="oEmbed (JSON)" type="application/json+oembed" href="${escapeHtml(embed)}">
<link rel="alternate" title="oEmbed (XML)" type="text/xml+oembed" href="${escapeHtml(`${embed}&format=xml`)}">
<script type="application/ld+json">${jsonLd}</script>`;
}

function whenInWords({ all_day, start_date, end_date, utc_start_date, timezone_abbr }: Event): string {
  const [startDay, endDay] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  if (all_day) return startDay === endDay ? dayInWords(startDay) : `${dayInWords(startDay)} to ${dayInWords(endDay)}`;
  const end = startDay === endDay ? end_date.slice(11, 16) : `${dayInWords(endDay)}, ${end_date.slice(11, 16)}`;
  const start = `<time datetime="${utc_start_date.replace(' ', 'T')}Z">${dayInWords(startDay)}, ${start_date.slice(11, 16)}</time>`;
  return start_date === end_date ? `${start} ${safeHtml(timezone_abbr)}` : `${start} to ${end} ${safeHtml(timezone_abbr)}`;
}

const venueInWords = ({ venue, address, zip, city, country }: Venue): string =>
  [venue, address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).map((part) => safeHtml(String(part))).join(', ');

const organizerInWords = ({ organizer, website }: Organizer): string =>
  (website && /^https?:/.test(website) ? `<a href="${escapeHtml(website)}">${safeHtml(organizer)}</a>` : safeHtml(organizer));

// Websites of events are escaped in the representation already.
const attribute = (escaped: string): string => (/^https?:/.test(escaped) ? escaped.replace(/"/g, '&quot;') : '#');
