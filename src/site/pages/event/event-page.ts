import type { EventTerm, Organizer, Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { decodeEntities } from '../../../html/references.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, scriptJson, type Html } from '../../../html/template.ts';
import { beginningOf, textFromHtml } from '../../../html/text.ts';
import { dayInWords } from '../frame/dates.ts';
import { eventJsonLd } from './event-json-ld.ts';
import { inline, isoUtc, langAttribute, pathOf, venueOf } from '../list/event-list.ts';
import { addressParts, factList } from './facts.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { composeAddresses, mapAddress, webLink } from './links.ts';
import { gone, notFound, type Read } from '../frame/read.ts';
import { SHOWN_TEXTS } from '../words/words.ts';

/**
 * `/event/{slug}/`: when, where, by whom, what, and how to put it into one's own calendar. A protected event asks for
 * its password.
 */
export async function eventPage(frame: Frame, read: Read, slug: string, password?: string): Promise<Page> {
  const found = await read<Event>(`/events/by-slug/${slug}`, password === undefined ? {} : { password });
  if (found.ok)
    return {
      title: textFromHtml(found.value.title),
      main: main(frame, found.value),
      api: `events/${found.value.id}`,
      head: head(found.value, frame),
      isText: true,
    };
  const { words } = frame;
  if (found.code === 'rest_too_many_attempts') return passwordPage(frame, 429, words.tooManyPasswords);
  if (found.code === 'event-password-protected')
    return password === undefined ? passwordPage(frame, 200) : passwordPage(frame, 403, words.wrongPassword);
  return (await isGone(read, slug, found.code)) ? gone(frame) : notFound(frame);
}

const passwordPage = ({ words }: Frame, status: number, problem?: string): Page => ({
  status,
  title: words.protectedEvent,
  isText: true,
  head: html`<meta name="robots" content="noindex">`,
  main: html`<h1>${words.protectedEvent}</h1>
<p>${words.protectedText}</p>
${problem !== undefined && html`<p class="note bad" role="alert">${problem}</p>`}
<form class="stack" method="post">
<label>${words.password}<input type="password" name="password" autocomplete="off" required></label>
<div><button class="main">${words.show}</button></div>
</form>`,
});

/** What is in the trash has another slug there, and answers that it is no longer available. */
export async function isGone(read: Read, slug: string, code: string): Promise<boolean> {
  if (code === 'event-no-longer-available') return true;
  const trashed = await read(`/events/by-slug/${slug}__trashed`);
  return !trashed.ok && trashed.code === 'event-no-longer-available';
}

function main(frame: Frame, event: Event): Html {
  const { words } = frame;
  const venue = venueOf(event);
  const website = decodeEntities(event.website);
  const lang = langAttribute(frame, event);
  const facts = factList([
    [words.when, whenInWords(event, frame)],
    [words.where, venue && place(frame, venue, event.show_map_link)],
    [words.by, joinHtml(event.organizer.map(host), ', ')],
    ...SHOWN_TEXTS.map((field) => [words[field], sanitized(event[field] ?? '')] as const),
    [words.category, terms(frame, event.categories, 'category')],
    [words.tags, terms(frame, event.tags, 'tag')],
    [words.website, website !== event.url && webLink(website)],
  ]);
  const calendars = composeAddresses(event).map(([name, address]) =>
    safeLink({ class: 'button', href: address, rel: 'noopener' }, name),
  );
  return html`<article>
<h1${lang}>${inline(event.title)}</h1>
${facts}
${event.image && image(event.image)}
<div class="description"${lang}>${sanitized(event.description || event.excerpt)}</div>
<section aria-labelledby="add"><h2 id="add">${words.addToCalendar}</h2>
<div class="row">${safeLink({ class: 'button main', href: `${pathOf(event.url).replace(/\/$/, '')}.ics` }, `${words.file} (.ics)`)}
${joinHtml(calendars, '\n')}</div></section>
</article>`;
}

const ABOUT_MAX = 200;

/** `<head>` of an event's page: the address, what search engines read and where its data can be had. */
function head(event: Event, frame: Frame): Html {
  const embed = `${frame.apiRoot}oembed/1.0/embed?url=${encodeURIComponent(event.url)}`;
  const about = beginningOf(event.excerpt || event.description)
    .replace(/\s+/g, ' ')
    .slice(0, ABOUT_MAX)
    .toWellFormed();
  const description = about !== '' && html`<meta name="description" content="${about}">\n`;
  const image = event.image && safeElement('meta', { property: 'og:image', content: event.image.url });
  const calendar = `${event.url.replace(/\/$/, '')}.ics`;
  return html`${safeElement('link', { rel: 'canonical', href: event.url })}
${description}<meta property="og:type" content="article">
<meta property="og:title" content="${textFromHtml(event.title)}">
${safeElement('meta', { property: 'og:url', content: event.url })}
${image && html`${image}\n`}${safeElement('link', { rel: 'alternate', type: 'text/calendar', href: calendar })}
${embedLink('oEmbed (JSON)', 'application/json+oembed', embed)}
${embedLink('oEmbed (XML)', 'text/xml+oembed', `${embed}&format=xml`)}
<script type="application/ld+json">${scriptJson(eventJsonLd(event, frame))}</script>`;
}

const embedLink = (title: string, type: string, href: string): Html | undefined =>
  safeElement('link', { rel: 'alternate', title, type, href });

/** "Saturday, 10 January 2027, 18:00 to 20:00 CET" */
export function whenInWords(
  { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone_abbr }: Event,
  { language, words }: Frame,
): Html {
  const [startDay, endDay] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  const isOneDay = startDay === endDay;
  const day = (text: string): string => dayInWords(text, language);
  if (all_day)
    return isOneDay ? html`${day(startDay)}, ${words.allDay}` : html`${day(startDay)} ${words.to} ${day(endDay)}`;
  const start = time(utc_start_date, `${day(startDay)}, ${start_date.slice(11, 16)}`);
  if (start_date === end_date) return html`${start} ${timezone_abbr}`;
  const end = time(utc_end_date, `${isOneDay ? '' : `${day(endDay)}, `}${end_date.slice(11, 16)}`);
  return html`${start} ${words.to} ${end} ${timezone_abbr}`;
}

const time = (utc: string, text: string): Html => html`<time datetime="${isoUtc(utc)}">${text}</time>`;

function place({ words }: Frame, venue: Venue, showMapLink: boolean): Html {
  const name = safeLink({ href: pathOf(venue.url) }, inline(venue.venue));
  const map = showMapLink ? mapAddress(venue) : undefined;
  return html`${joinHtml([name, ...addressParts(venue)], ', ')}${map !== undefined && html`<br>${safeLink({ href: map, rel: 'noopener' }, words.map)}`}`;
}

const host = ({ organizer, url }: Organizer): Html => safeLink({ href: pathOf(url) }, inline(organizer));

const terms = ({ base }: Frame, all: readonly EventTerm[], kind: 'category' | 'tag'): Html =>
  joinHtml(
    all.map(({ slug, name }) => safeLink({ href: `${base}/${kind}/${slug}/` }, inline(name))),
    ', ',
  );

const image = ({ url, width, height }: Exclude<Event['image'], false>): Html | undefined =>
  safeElement('img', { class: 'image', src: url, alt: '', ...(width && height ? { width, height } : {}) });
