import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { shortDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { pattern, picture } from '../frame/picture.ts';
import { inline, langOf, pathOf, venueOf } from '../list/event-list.ts';

/** What is on next at the same place or from the same organizer. */
export interface RelatedEvents {
  /** HTML of the site. */
  readonly name: string;
  readonly kind: 'venue' | 'organizer';
  readonly events: readonly Event[];
}

/** The `events` that come next around an event, if there are any. */
export const relatedEvents = (
  event: Event,
  kind: RelatedEvents['kind'],
  events: readonly Event[],
): RelatedEvents | undefined => {
  const name = kind === 'venue' ? venueOf(event)?.venue : event.organizer[0]?.organizer;
  return events.length === 0 ? undefined : { kind, name: name ?? '', events };
};

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
