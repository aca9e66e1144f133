import type { Event, EventTerm, Organizer, Venue } from '../../contract/representation.ts';
import { decodeEntities, escapeHtml } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { beginningOf, textFromHtml } from '../../html/text.ts';
import { dayInWords } from './dates.ts';
import { eventJsonLd } from './event-json-ld.ts';
import { inline, langOf, pathOf, venueOf } from './event-list.ts';
import type { Frame, Page } from './layout.ts';
import { composeAddresses, mapAddress, webLink } from './links.ts';
import { gone, notFound, type Read } from './read.ts';

/** `/event/{slug}/`: when, where, by whom, what, and how to put it into one's own calendar. A protected event asks for its password. */
export async function eventPage(frame: Frame, read: Read, slug: string, password?: string): Promise<Page> {
  const found = await read<Event>(`/events/by-slug/${slug}`, password === undefined ? {} : { password });
  if (!found.ok && found.code === 'rest_too_many_attempts')
    return passwordPage(frame, 429, frame.words.tooManyPasswords);
  if (!found.ok && found.code === 'event-password-protected')
    return password === undefined ? passwordPage(frame, 200, '') : passwordPage(frame, 403, frame.words.wrongPassword);
  if (!found.ok) return (await isGone(read, slug, found.code)) ? gone(frame) : notFound(frame);
  return {
    title: found.value.title,
    main: main(frame, found.value),
    api: `events/${found.value.id}`,
    head: head(found.value, frame),
    isText: true,
  };
}

function passwordPage({ words }: Frame, status: number, problem: string): Page {
  return {
    status,
    title: words.protectedEvent,
    isText: true,
    head: '<meta name="robots" content="noindex">',
    main: `<h1>${words.protectedEvent}</h1>
<p>${words.protectedText}</p>
${problem === '' ? '' : `<p class="note bad" role="alert">${problem}</p>`}
<form class="stack" method="post"><label>${words.password}<input type="password" name="password" autocomplete="off" required></label><div><button class="main">${words.show}</button></div></form>`,
  };
}

/** What is in the trash has another slug there, and answers that it is no longer available. */
export async function isGone(read: Read, slug: string, code: string): Promise<boolean> {
  if (code === 'event-no-longer-available') return true;
  const trashed = await read(`/events/by-slug/${slug}__trashed`);
  return !trashed.ok && trashed.code === 'event-no-longer-available';
}

function main(frame: Frame, event: Event): string {
  const { words } = frame;
  const venue = venueOf(event);
  const facts = [
    [words.when, whenInWords(event, frame)],
    [words.where, venue ? place(frame, venue, event.show_map_link) : ''],
    [words.by, event.organizer.map(host).join(', ')],
    [words.cost, safeHtml(event.cost)],
    [words.category, terms(frame, event.categories, 'category')],
    [words.tags, terms(frame, event.tags, 'tag')],
    [
      words.website,
      event.website && decodeEntities(event.website) !== event.url ? webLink(decodeEntities(event.website)) : '',
    ],
  ].filter(([, fact]) => fact !== '');
  return `<article>
<h1${langOf(frame, event)}>${inline(event.title)}</h1>
<dl>${facts.map(([name, fact]) => `<dt>${name}</dt><dd>${fact}</dd>`).join('\n')}</dl>
${event.image ? image(event.image) : ''}
<div class="description"${langOf(frame, event)}>${safeHtml(event.description || event.excerpt)}</div>
<section aria-labelledby="add"><h2 id="add">${words.addToCalendar}</h2>
<div class="row"><a class="button main" href="${pathOf(event.url).replace(/\/$/, '')}.ics">${words.file} (.ics)</a>
${composeAddresses(event)
  .map(([name, address]) => `<a class="button" href="${escapeHtml(address)}" rel="noopener">${name}</a>`)
  .join('\n')}</div></section>
</article>`;
}

const ABOUT_MAX = 200;

/** `<head>` of an event's page: the address, what search engines read and where its data can be had. */
function head(event: Event, frame: Frame): string {
  // "<" is the one character that could end the script element.
  const jsonLd = JSON.stringify(eventJsonLd(event, frame)).replace(/</g, String.raw`\u003c`);
  const embed = `${frame.apiRoot}oembed/1.0/embed?url=${encodeURIComponent(event.url)}`;
  const about = beginningOf(event.excerpt || event.description)
    .replace(/\s+/g, ' ')
    .slice(0, ABOUT_MAX)
    .toWellFormed();
  return `<link rel="canonical" href="${escapeHtml(event.url)}">
${about === '' ? '' : `<meta name="description" content="${escapeHtml(about)}">\n`}<meta property="og:type" content="article">
<meta property="og:title" content="${escapeHtml(textFromHtml(event.title))}">
<meta property="og:url" content="${escapeHtml(event.url)}">
${event.image ? `<meta property="og:image" content="${escapeHtml(event.image.url)}">\n` : ''}<link rel="alternate" type="text/calendar" href="${escapeHtml(event.url.replace(/\/$/, ''))}.ics">
<link rel="alternate" title="oEmbed (JSON)" type="application/json+oembed" href="${escapeHtml(embed)}">
<link rel="alternate" title="oEmbed (XML)" type="text/xml+oembed" href="${escapeHtml(`${embed}&format=xml`)}">
<script type="application/ld+json">${jsonLd}</script>`;
}

/** "Saturday, 10 January 2027, 18:00 to 20:00 CET" */
export function whenInWords(
  { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone_abbr }: Event,
  { language, words }: Frame,
): string {
  const [startDay, endDay] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const day = (text: string): string => dayInWords(text, language);
  if (all_day)
    return startDay === endDay ? `${day(startDay)}, ${words.allDay}` : `${day(startDay)} ${words.to} ${day(endDay)}`;
  const start = time(utc_start_date, `${day(startDay)}, ${start_date.slice(11, 16)}`);
  if (start_date === end_date) return `${start} ${escapeHtml(timezone_abbr)}`;
  const end = time(
    utc_end_date,
    startDay === endDay ? end_date.slice(11, 16) : `${day(endDay)}, ${end_date.slice(11, 16)}`,
  );
  return `${start} ${words.to} ${end} ${escapeHtml(timezone_abbr)}`;
}

const time = (utc: string, text: string): string => `<time datetime="${utc.replace(' ', 'T')}Z">${text}</time>`;

function place({ words }: Frame, venue: Venue, showMapLink: boolean): string {
  const parts = [`<a href="${pathOf(venue.url)}">${inline(venue.venue)}</a>`, ...addressParts(venue)];
  const map = showMapLink ? mapAddress(venue) : undefined;
  return `${parts.join(', ')}${map === undefined ? '' : `<br><a href="${escapeHtml(map)}" rel="noopener">${words.map}</a>`}`;
}

/** Street, town and country, as safe HTML. */
export const addressParts = ({ address, zip, city, country }: Venue): readonly string[] =>
  [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).map((part) => safeHtml(String(part)));

const host = ({ organizer, url }: Organizer): string => `<a href="${pathOf(url)}">${inline(organizer)}</a>`;

const terms = ({ base }: Frame, all: readonly EventTerm[], kind: 'category' | 'tag'): string =>
  all.map(({ slug, name }) => `<a href="${base}/${kind}/${escapeHtml(slug)}/">${inline(name)}</a>`).join(', ');

const image = ({ url, width, height }: Exclude<Event['image'], false>): string =>
  `<img class="image" src="${escapeHtml(url)}" alt=""${width && height ? ` width="${width}" height="${height}"` : ''}>`;
