import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import type { SeriesDates } from '../../store/series-dates.ts';
import { briefDayInWords, dayFrom, type Day } from '../frame/dates.ts';
import { startTime } from '../frame/clock.ts';
import type { Frame } from '../frame/layout.ts';
import { inline, langAttribute, pathOf, titleWithoutMark } from '../list/event-list.ts';
import { isCancelled } from './group-found.ts';
import { seriesInWords } from './series-in-words.ts';
import { datesPath } from './series-line.ts';

export const dayOf = ({ start_date: start }: Event): Day => start.slice(0, 10);

/** The label of a day on a tile. */
type NameOf = (day: Day) => string;

/** The dates of a series in one month as links to their events; that of `shown` is marked. */
export const monthTiles = (frame: Frame, dates: readonly Event[], shown: Event): Html =>
  tiles(frame, dates, shown, (day) => briefDayInWords(day, frame.language));

const tiles = (frame: Frame, dates: readonly Event[], shown: Event, nameOf: NameOf): Html => html`<div class="dates">
${joinHtml(
  dates.map((date) => tile(frame, date, shown, nameOf)),
  '\n',
)}
</div>`;

function tile(frame: Frame, date: Event, shown: Event, nameOf: NameOf): Html {
  const { words } = frame;
  const isOff = isCancelled(date);
  const time = date.all_day ? words.allDay : startTime(frame, date);
  // The dates of a series may have different titles. Cancelled ones say so in theirs.
  const isOther = !isOff && inline(date.title).markup !== titleWithoutMark(shown).markup;
  return safeLink(
    {
      href: pathOf(date.url),
      class: isOff ? 'off' : undefined,
      'aria-current': date.id === shown.id ? 'page' : undefined,
    },
    html`<time datetime="${dayOf(date)}">${nameOf(dayOf(date))}</time><small>${isOff ? words.cancelled : time}</small>
${isOther && html`<small${langAttribute(frame, date)}>${inline(date.title)}</small>`}`,
  );
}

/** The section of an event's page about the upcoming dates of its series, the first of which are `events`. */
export function datesSection(
  frame: Frame,
  shown: Event,
  { starts, isCut }: SeriesDates,
  events: readonly Event[],
  today: Day,
): Html {
  const { words } = frame;
  const days = starts.map((start) => start.slice(0, 10));
  const rule = seriesInWords(frame, days, { today, isCut });
  const isMore = starts.length > events.length;
  return html`<section id="dates" class="stack" aria-labelledby="h-dates"><h2 id="h-dates">${words.allDates}</h2>
${rule !== undefined && html`<p class="dim">${rule}</p>`}
${tiles(frame, events, shown, (day) => dayFrom(today, day, frame.language, 'briefDay'))}
${isMore && html`<p>${safeLink({ href: datesPath(frame, shown) }, words.series.more(starts.length - events.length, isCut))}</p>`}
</section>`;
}
