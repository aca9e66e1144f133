import type { Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { describedByNote } from '../../../html/invalid-fields.ts';
import { html, scriptJson, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { addressHead } from '../frame/address-head.ts';
import { notFound, type Read } from '../frame/read.ts';
import { venueOf } from '../frame/places.ts';
import { cardMeta } from '../card/card-picture.ts';
import type { AroundEvent } from '../../store/around-event.ts';
import type { AskedEvent } from './asked-event.ts';
import { inline, pathOf } from '../list/event-list.ts';
import { datesSection } from '../views/date-tiles.ts';
import { eventJsonLd } from './event-json-ld.ts';
import { eventMain } from './event-main.ts';
import { formerStart, stateOf } from './event-state.ts';
import { gonePage } from './gone-page.ts';
import { relatedEvents } from './related-events.ts';
import { textOf } from '../../store/json-ld.ts';
import { shortenedToWords } from '../../../html/shortened.ts';

/**
 * `/event/{slug}/`: when, where, by whom and what, and how to add it to one's own calendar. A protected event asks for
 * its password.
 */
export async function eventPage(asked: AskedEvent, password?: string): Promise<Page> {
  const { frame, read, slug, today } = asked;
  const around = await asked.around(slug, today);
  const found = await read<Event>(`/events/by-slug/${slug}`, password === undefined ? {} : { password });
  if (found.ok) return shownEvent(asked, found.value, around);
  const { words } = frame;
  if (found.code === 'rest_too_many_attempts') {
    const { waitMs } = found;
    return { ...passwordPage(frame, 429, words.tooManyPasswords), ...(waitMs !== undefined && { waitMs }) };
  }
  if (found.code === 'event-password-protected')
    return password === undefined ? passwordPage(frame, 200) : passwordPage(frame, 403, words.wrongPassword);
  return (await gonePage(asked, found.code)) ?? notFound(frame);
}

async function shownEvent(asked: AskedEvent, event: Event, around: AroundEvent | undefined): Promise<Page> {
  const { frame, read, listed, beyond, today } = asked;
  const [origin, place, first, related] = await Promise.all([
    beyond.originOf(event.slug),
    formerPlaceOf(read, around?.formerVenue, event),
    listed(around?.dates ?? []),
    relatedEvents(asked, event),
  ]);
  const dates = around?.series && datesSection(frame, event, around.series, first, today);
  const former = { place, start: formerStart(event, origin?.usualStart) };
  const state = stateOf(event, today, former);
  const isForAll = !around?.row.password;
  return {
    title: textFromHtml(event.title),
    main: eventMain(frame, event, { today, state, isForAll, former, dates, related, origin }),
    api: `events/${event.id}`,
    head: isForAll && head(event, frame, { formerStart: former.start, series: dates && `${event.url}dates/` }),
  };
}

/** The place first announced, unless that is the same place by another name, or must not be seen. */
async function formerPlaceOf(read: Read, id: number | undefined, event: Event): Promise<Html | undefined> {
  const former = id === undefined ? undefined : await read<Venue>(`/venues/${id}`);
  if (!former?.ok) return undefined;
  const [name, now] = [former.value.venue, venueOf(event)?.venue ?? ''].map((text) => textFromHtml(text).toLowerCase());
  if (name === undefined || now === undefined || name.includes(now) || now.includes(name)) return undefined;
  return safeLink({ href: pathOf(former.value.url) }, inline(former.value.venue));
}

const passwordPage = ({ words }: Frame, status: number, problem?: string): Page => ({
  status,
  title: words.protectedEvent,
  head: html`<meta name="robots" content="noindex">`,
  main: html`<div class="sign stack"><h1>${words.protectedEvent}</h1>
<p>${words.protectedText}</p>
${problem !== undefined && html`<p class="note bad" role="alert" id="problem">${problem}</p>`}
<form class="form" method="post">
<label>${words.password}<input type="password" name="password" autocomplete="off" required${
    problem !== undefined && describedByNote('problem', problem === words.wrongPassword)
  }></label>
<button class="btn main">${words.show}</button>
</form></div>`,
});

const ABOUT_MAX = 200;

/** The `<head>` of an event's page: its address, the data for search engines, and links to its other formats. */
function head(event: Event, frame: Frame, around: Parameters<typeof eventJsonLd>[2]): Html {
  const embed = `${frame.apiRoot}oembed/1.0/embed?url=${encodeURIComponent(event.url)}`;
  const about = shortenedToWords(textOf(event.excerpt || event.description).replace(/\s+/g, ' '), ABOUT_MAX);
  const description = about !== '' && html`<meta name="description" content="${about}">\n`;
  const image = event.image
    ? safeElement('meta', { property: 'og:image', content: event.image.url })
    : cardMeta(frame, event);
  const calendar = `${event.url.replace(/\/$/, '')}.ics`;
  return html`${addressHead(frame, { type: 'article', title: textFromHtml(event.title), url: event.url })}
${description}${image && html`${image}\n`}${safeElement('link', { rel: 'alternate', type: 'text/calendar', href: calendar })}
${embedLink('oEmbed (JSON)', 'application/json+oembed', embed)}
${embedLink('oEmbed (XML)', 'text/xml+oembed', `${embed}&format=xml`)}
<script type="application/ld+json">${scriptJson(eventJsonLd(event, frame, around))}</script>`;
}

const embedLink = (title: string, type: string, href: string): Html | undefined =>
  safeElement('link', { rel: 'alternate', title, type, href });
