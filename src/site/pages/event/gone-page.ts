import type { Organizer } from '../../../contract/event-parts.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { blank } from '../../../look/document.ts';
import { wallFromInstant } from '../../../time.ts';
import type { GoneEvent } from '../../store/former-events.ts';
import { renderTitle } from '../../store/render.ts';
import { dayInWords } from '../frame/dates.ts';
import type { Frame, Page } from '../frame/layout.ts';
import type { Read } from '../frame/read.ts';
import { inline, pathOf } from '../list/event-list.ts';
import type { AskedEvent } from './asked-event.ts';
import { CARDS_MAX, eventCards } from './related-events.ts';

/**
 * The page of a trashed event: for 90 days it says what the event was, and what there is instead. Undefined if `code`
 * shows that it was refused for another reason.
 */
export async function gonePage(asked: AskedEvent, code: string): Promise<Page | undefined> {
  const { frame, read, beyond, slug, today } = asked;
  // There is an event with this slug, but it is not public.
  const event = code === 'event-not-accessible' ? undefined : await beyond.goneEvent(slug.toLowerCase());
  if (!event) return (await isGone(read, slug, code)) ? page(frame, frame.words.goneText) : undefined;
  const organizer = await firstOf(read, event.organizers);
  const events = await insteadOf(asked, event);
  return page(
    frame,
    html`${whatItWas(frame, event)}${
      organizer &&
      html`<br>${frame.words.askOrganizer} ${safeLink({ href: pathOf(organizer.url) }, inline(organizer.organizer))}`
    }`,
    events.length > 0 &&
      html`<section aria-labelledby="instead"><h2 id="instead">${frame.words.instead}</h2>
${eventCards(frame, events, today)}</section>`,
  );
}

/** Trashed events have another slug, at which they answer that they are no longer available. */
export async function isGone(read: Read, slug: string, code: string): Promise<boolean> {
  if (code === 'event-no-longer-available') return true;
  const trashed = await read(`/events/by-slug/${slug}__trashed`);
  return !trashed.ok && trashed.code === 'event-no-longer-available';
}

const page = ({ base, words }: Frame, told: HtmlPart, rest: Html | false = false): Page => ({
  status: 410,
  title: words.gone,
  head: html`<meta name="robots" content="noindex">`,
  main: html`${blank('✕', words.gone, told, html`<a class="btn main" href="${base}/">${words.seeWhatsOn}</a>`)}
${rest}`,
});

function whatItWas({ words, language, settings }: Frame, { title, start, goneAt }: GoneEvent): string {
  const gone = wallFromInstant(goneAt, settings.timezone).slice(0, 10);
  return words.wasTakenOff(
    textFromHtml(renderTitle(title)),
    dayInWords(start.slice(0, 10), language),
    dayInWords(gone, language),
  );
}

async function firstOf(read: Read, organizers: readonly number[]): Promise<Organizer | undefined> {
  const [id] = organizers;
  const found = id === undefined ? undefined : await read<Organizer>(`/organizers/${id}`);
  return found?.ok ? found.value : undefined;
}

/** What its organizer has next, else what is on next at its venue. */
async function insteadOf(
  { next, listed, today }: AskedEvent,
  { organizers: [organizer], venues: [venue] }: GoneEvent,
): Promise<readonly Event[]> {
  const ids = organizer === undefined ? [] : await next(organizer, today);
  return listed((ids.length > 0 || venue === undefined ? ids : await next(venue, today)).slice(0, CARDS_MAX));
}
