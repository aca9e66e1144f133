import type { Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { html, scriptJson, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound, type Read } from '../frame/read.ts';
import { cardMeta } from '../card/card-picture.ts';
import type { AroundEvent } from '../../store/around-event.ts';
import type { AskedEvent } from './asked-event.ts';
import { inline, pathOf, venueOf } from '../list/event-list.ts';
import { datesSection } from '../views/date-tiles.ts';
import { eventJsonLd } from './event-json-ld.ts';
import { eventMain } from './event-main.ts';
import { formerStart, stateOf } from './event-state.ts';
import { gonePage } from './gone-page.ts';
import { relatedEvents, type RelatedEvents } from './related-events.ts';
import { textOf } from '../../store/json-ld.ts';

/**
 * `/event/{slug}/`: when, where, by whom, what, and how to put it into one's own calendar. A protected event asks for
 * its password.
 */
export async function eventPage(asked: AskedEvent, password?: string): Promise<Page> {
  const { frame, read, listed, slug, today } = asked;
  const around = await asked.around(slug, today);
  const beside = around ? await listed([...new Set([...around.dates, ...around.next])]) : [];
  const found = await read<Event>(`/events/by-slug/${slug}`, password === undefined ? {} : { password });
  if (found.ok) return shownEvent(asked, found.value, around, beside);
  const { words } = frame;
  if (found.code === 'rest_too_many_attempts') return passwordPage(frame, 429, words.tooManyPasswords);
  if (found.code === 'event-password-protected')
    return password === undefined ? passwordPage(frame, 200) : passwordPage(frame, 403, words.wrongPassword);
  return (await gonePage(asked, found.code)) ?? notFound(frame);
}

/** `beside`: the events that are around it. */
async function shownEvent(
  asked: AskedEvent,
  event: Event,
  around: AroundEvent | undefined,
  beside: readonly Event[],
): Promise<Page> {
  const { frame, read, beyond, today } = asked;
  const [origin, place, related] = await Promise.all([
    beyond.originOf(event.slug),
    formerPlaceOf(read, around?.formerVenue, event),
    relatedTo(asked, event, around, beside),
  ]);
  const dates = around?.series && datesSection(frame, event, around.series, withIds(beside, around.dates), today);
  const former = { place, start: formerStart(event, origin?.usualStart) };
  const state = stateOf(event, today, former);
  return {
    title: textFromHtml(event.title),
    main: eventMain(frame, event, { today, state, former, dates, related, origin }),
    api: `events/${event.id}`,
    head: head(event, frame, { formerStart: former.start, series: dates && `${event.url}dates/` }),
  };
}

const withIds = (events: readonly Event[], ids: readonly number[]): readonly Event[] =>
  ids.flatMap((id) => events.find((event) => event.id === id) ?? []);

/** What comes next at its venue, or from its organizer, as far as these are shown. */
async function relatedTo(
  { tables, listed, today }: AskedEvent,
  event: Event,
  around: AroundEvent | undefined,
  beside: readonly Event[],
): Promise<RelatedEvents | undefined> {
  const [venue, organizer] = [venueOf(event)?.id, event.organizer[0]?.id];
  const isOf = around && around.row.venue_ids[0] === venue && around.row.organizer_ids[0] === organizer;
  if (isOf) return relatedEvents(event, around.kind, withIds(beside, around.next));
  const { next, kind } = await tables.next({ event: event.id, venue, organizer }, today);
  return relatedEvents(event, kind, await listed(next));
}

/** Where it was announced, unless that is the same place by another name, or is not to be seen. */
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
${problem !== undefined && html`<p class="note bad" role="alert">${problem}</p>`}
<form class="form" method="post">
<label>${words.password}<input type="password" name="password" autocomplete="off" required></label>
<button class="btn main">${words.show}</button>
</form></div>`,
});

const ABOUT_MAX = 200;

/** `<head>` of an event's page: the address, what search engines read and where its data can be had. */
function head(event: Event, frame: Frame, around: Parameters<typeof eventJsonLd>[2]): Html {
  const embed = `${frame.apiRoot}oembed/1.0/embed?url=${encodeURIComponent(event.url)}`;
  const about = textOf(event.excerpt || event.description)
    .replace(/\s+/g, ' ')
    .slice(0, ABOUT_MAX)
    .toWellFormed();
  const description = about !== '' && html`<meta name="description" content="${about}">\n`;
  const image = event.image
    ? safeElement('meta', { property: 'og:image', content: event.image.url })
    : cardMeta(frame, event);
  const calendar = `${event.url.replace(/\/$/, '')}.ics`;
  return html`${safeElement('link', { rel: 'canonical', href: event.url })}
${description}<meta property="og:type" content="article">
<meta property="og:title" content="${textFromHtml(event.title)}">
${safeElement('meta', { property: 'og:url', content: event.url })}
${image && html`${image}\n`}${safeElement('link', { rel: 'alternate', type: 'text/calendar', href: calendar })}
${embedLink('oEmbed (JSON)', 'application/json+oembed', embed)}
${embedLink('oEmbed (XML)', 'text/xml+oembed', `${embed}&format=xml`)}
<script type="application/ld+json">${scriptJson(eventJsonLd(event, frame, around))}</script>`;
}

const embedLink = (title: string, type: string, href: string): Html | undefined =>
  safeElement('link', { rel: 'alternate', title, type, href });
