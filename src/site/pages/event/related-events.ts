import type { Event, EventPage } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { shortDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { pattern, picture } from '../frame/picture.ts';
import type { Read } from '../frame/read.ts';
import { inline, langOf, pathOf, venueOf } from '../list/event-list.ts';
import { comingFrom } from '../list/list-page.ts';
import { isCancelled } from '../views/group-found.ts';

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
  const events = list.ok ? list.value.events.filter(isShown) : [];
  const titles = [butNot, ...events.map(({ title }) => title)];
  // The first of each title that stands nowhere before.
  return events.filter(({ title }, index) => titles.indexOf(title) === index + 1).slice(0, SHOWN_MAX);
}

// A protected event says nothing of itself; lists show its flags as null.
const isShown = (event: Event): boolean => typeof event.featured === 'boolean' && !isCancelled(event);

/** A strip of cards. */
export const eventCards = (frame: Frame, events: readonly Event[], today: Day): Html =>
  html`<div class="strip">
${joinHtml(
  events.map((event) => card(frame, event, today)),
  '\n',
)}
</div>`;

function card(frame: Frame, event: Event, today: Day): Html {
  const { image, slug, categories } = event;
  const shown = image ? picture(frame, image, 'card') : undefined;
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event), dir: 'auto' }, inline(event.title));
  return html`<article class="pic">${shown ?? pattern(slug, categories[0], 'card')}
<h3>${link}</h3>
<p>${nextTime(frame, event, today)}</p></article>`;
}

/** When it begins; of what goes on, until when. */
function nextTime({ language, words }: Frame, { start_date, end_date, all_day }: Event, today: Day): string {
  const [day, last] = [start_date.slice(0, 10), end_date.slice(0, 10)];
  if (day < today) return `${words.until} ${shortDayInWords(last, language)}`;
  const date = `${weekdayInWords(day, language, 'short')}, ${shortDayInWords(day, language)}`;
  return all_day ? date : `${date}, ${start_date.slice(11, 16)}`;
}
