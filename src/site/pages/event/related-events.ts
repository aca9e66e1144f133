import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayFrom, weekdayInWords, type Day } from '../frame/dates.ts';
import { startTime } from '../frame/clock.ts';
import type { Frame } from '../frame/layout.ts';
import { pattern, picture } from '../frame/picture.ts';
import { venueOf } from '../frame/places.ts';
import { inline, langOf, pathOf } from '../list/event-list.ts';
import { madeOnce } from '../../made-once.ts';
import type { AskedEvent } from './asked-event.ts';

/** What is on next at the same place or by the same organizer. */
export interface RelatedEvents {
  /** HTML from the site. */
  readonly name: string;
  readonly kind: 'venue' | 'organizer';
  readonly events: readonly Event[];
}

/** The maximum number of events in a strip. */
export const CARDS_MAX = 3;

/**
 * Finds the next events at an event's venue, else by its organizer, if these are public; leaves out events with the
 * same title.
 */
export async function relatedEvents(
  { next, listed, today }: Pick<AskedEvent, 'next' | 'listed' | 'today'>,
  event: Event,
): Promise<RelatedEvents | undefined> {
  const [venue, organizer] = [venueOf(event), event.organizer[0]];
  const others = async (id: number): Promise<readonly Event[]> =>
    (await listed(await next(id, today))).filter(({ title }) => title !== event.title).slice(0, CARDS_MAX);
  const atVenue = venue ? await others(venue.id) : [];
  if (venue && atVenue.length > 0) return { kind: 'venue', name: venue.venue, events: atVenue };
  const ofOrganizer = organizer ? await others(organizer.id) : [];
  return organizer && ofOrganizer.length > 0
    ? { kind: 'organizer', name: organizer.organizer, events: ofOrganizer }
    : undefined;
}

/** A strip of cards. */
export const eventCards = (frame: Frame, events: readonly Event[], today: Day): Html =>
  html`<div class="strip">
${joinHtml(
  events.map((event) => card(frame, event, today)),
  '\n',
)}
</div>`;

/** An event's card by day; remembered because most events at a place show the same others. */
const cardsOf = madeOnce((_event: Event) => new Map<Day, Html>());

function card(frame: Frame, event: Event, today: Day): Html {
  const cards = cardsOf(event);
  const known = cards.get(today);
  if (known) return known;
  const made = cardOn(today, frame, event);
  // Past days are not requested again.
  cards.clear();
  cards.set(today, made);
  return made;
}

function cardOn(today: Day, frame: Frame, event: Event): Html {
  const { image, slug, categories } = event;
  const shown = image ? picture(frame, image, 'card') : undefined;
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event), dir: 'auto' }, inline(event.title));
  return html`<article class="pic">${shown ?? pattern(slug, categories[0], 'card')}
<h3>${link}</h3>
<p>${nextTime(frame, event, today)}</p></article>`;
}

/** When an event begins or, if it has begun, until when it lasts. */
function nextTime(frame: Frame, event: Event, today: Day): string {
  const { language, words } = frame;
  const { start_date, end_date, all_day } = event;
  const [day, last] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  if (day < today) return `${words.until} ${dayFrom(today, last, language, 'shortDay')}`;
  const date = `${weekdayInWords(day, language, 'short')}, ${dayFrom(today, day, language, 'shortDay')}`;
  return all_day ? date : `${date}, ${startTime(frame, event)}`;
}
