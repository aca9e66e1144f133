import type { Venue } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeElement } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { beginningOf, textFromHtml } from '../../../html/text.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { sheetFoot, sheetTools } from '../frame/paper.ts';
import { pattern } from '../frame/picture.ts';
import { notFound, type Read } from '../frame/read.ts';
import { addressParts, venuesOf } from '../frame/places.ts';
import { langAttribute, pathOf, titleWithState } from '../list/event-list.ts';
import { NOINDEX } from '../views/calendar-page.ts';
import { isCancelled } from '../views/group-found.ts';
import { dayAndHours } from './event-times.ts';
import { priceOf } from './price.ts';
import { shortenedToWords } from '../../../html/shortened.ts';

/** The length of a poster's text; the page behind its code has the rest. */
const TEXT_MAX = 600;
/** Longer titles are set in smaller type, so that the poster fits on one sheet. */
const LARGE_TITLE_MAX = 120;

/** `/event/{slug}/sheet/`: an event on paper, for the noticeboard. */
export async function eventSheet(frame: Frame, read: Read, slug: string): Promise<Page> {
  const found = await read<Event>(`/events/by-slug/${slug}`);
  if (!found.ok) return notFound(frame);
  const event = found.value;
  const { settings, words } = frame;
  const page = pathOf(event.url);
  const [day, hours] = dayAndHours(event, frame);
  const lang = langAttribute(frame, event);
  const { image } = event;
  const picture = image
    ? safeElement('img', { class: 'hd', src: image.url, alt: '', width: image.width, height: image.height })
    : pattern(event.slug, event.categories[0], 'head');
  const title = titleWithState(frame, event);
  const name = textFromHtml(event.title);
  return {
    title: name,
    isPaper: true,
    head: NOINDEX,
    main: html`${sheetTools(words.sheet, page)}
<article class="sheet poster${name.length > LARGE_TITLE_MAX && ' dense'}"><header><p><strong>${settings.title}</strong></p></header>
${picture}
<h1${lang} dir="auto">${isCancelled(event) ? html`<s>${title}</s>` : title}</h1>
<p class="lead"><b>${day}</b>${!event.all_day && html`<br>${hours}`}</p>
<p class="lead">${joinHtml(venuesOf(event).map(placeLine), html`<br>`)}</p>
<p class="lead">${priceOf(frame, event)}</p>
<p${lang} dir="auto">${shortAbout(event)}</p>
${await sheetFoot(frame, page.slice(frame.base.length), words.sheet.event)}</article>`,
  };
}

const placeLine = (venue: Venue): Html =>
  joinHtml([html`<b>${sanitized(venue.venue)}</b>`, ...addressParts(venue)], ', ');

const shortAbout = ({ description, excerpt }: Event): string =>
  shortenedToWords(
    beginningOf(description || excerpt)
      .replace(/\s+/g, ' ')
      .trim(),
    TEXT_MAX,
  );
