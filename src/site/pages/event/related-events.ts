import type { Event, EventPage } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { shortDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { cardPicture, pattern } from '../frame/picture.ts';
import type { Read } from '../frame/read.ts';
import { inline, langOf, pathOf, venueOf } from '../list/event-list.ts';
import { comingFrom } from '../list/list-page.ts';

const SHOWN_MAX = 3;
// Dates of one series follow each other: among so many there are usually some others.
const READ_MAX = 12;

/** What is on next at the same place or from the same organizer. */
export interface RelatedEvents {
  /** HTML of the site. */
  readonly name: string;
  readonly kind: 'venue' | 'organizer';
  readonly events: readonly Event[];
}

/** Some of what comes next at the place of an event; where there is nothing, from its organizer. */
export async function relatedEvents(read: Read, event: Event, today: Day): Promise<RelatedEvents | undefined> {
  const venue = venueOf(event);
  const [organizer] = event.organizer;
  for (const [kind, id, name] of [
    ['venue', venue?.id, venue?.venue ?? ''],
    ['organizer', organizer?.id, organizer?.organizer ?? ''],
  ] as const) {
    const events = id === undefined ? [] : await comingOf(read, kind, id, today, event.title);
    if (events.length > 0) return { kind, name, events };
  }
  return undefined;
}

/** The next events of a venue or organizer, one of each title. */
export async function comingOf(
  read: Read,
  kind: RelatedEvents['kind'],
  id: number,
  today: Day,
  butNot = '',
): Promise<readonly Event[]> {
  const list = await read<EventPage>('/events', {
    [kind]: String(id),
    ...comingFrom(today),
    per_page: String(READ_MAX),
  });
  // A protected event says nothing of itself; lists show its flags as null.
  const events = list.ok ? list.value.events.filter(({ featured }) => typeof featured === 'boolean') : [];
  const byTitle = new Map(events.toReversed().map((event) => [event.title, event]));
  byTitle.delete(butNot);
  return [...byTitle.values()].toReversed().slice(0, SHOWN_MAX);
}

/** A strip of cards. */
export const eventCards = (frame: Frame, events: readonly Event[]): Html =>
  html`<div class="strip">
${joinHtml(
  events.map((event) => card(frame, event)),
  '\n',
)}
</div>`;

function card(frame: Frame, event: Event): Html {
  const { language } = frame;
  const { image, slug, categories, start_date, all_day } = event;
  const shown = image ? cardPicture(image) : undefined;
  const day = start_date.slice(0, 10);
  const when = [
    `${weekdayInWords(day, language, 'short')}, ${shortDayInWords(day, language)}`,
    ...(all_day ? [] : [start_date.slice(11, 16)]),
  ];
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event), dir: 'auto' }, inline(event.title));
  return html`<article class="pic">${shown ?? pattern(slug, categories[0], 'card')}
<h3>${link}</h3>
<p>${when.join(', ')}</p></article>`;
}
