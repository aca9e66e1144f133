import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { icon } from '../../../look/icons.ts';
import { dayAfter, isDay } from '../../../time.ts';
import type { ChosenCategories, DayEvents, Span } from '../../store/event-days.ts';
import { categoryTag } from '../frame/category-mark.ts';
import { daysInWords, mondayOf, weekdayAndDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound } from '../frame/read.ts';
import { inline, langOf, pathOf, venueOf } from '../list/event-list.ts';
import {
  choiceOf,
  chosenCategories,
  chosenInWords,
  colourOf,
  eventLink,
  legend,
  markedTitle,
  NOINDEX,
  stepLinks,
  toldOn,
  untilInWords,
  type CalendarParts,
} from './calendar-page.ts';
import { isNear, listFrom, viewsOf, withCategories } from './carried.ts';
import { isCancelled } from './group-found.ts';
import { neighboursOf, type Neighbours } from './neighbours.ts';
import { shownById } from './shown-by-id.ts';

const PER_DAY = 16;
export const SPANS_MAX = 12;

/** What a week shows. */
export interface ShownWeek {
  readonly frame: Frame;
  readonly monday: Day;
  readonly sunday: Day;
  readonly today: Day;
  readonly chosen: ChosenCategories | undefined;
  readonly events: ReadonlyMap<number, Event>;
  readonly days: ReadonlyMap<Day, DayEvents>;
  readonly spans: readonly Span[];
  readonly neighbours: Neighbours;
}

/** `/week/2027-01-04/`: seven days side by side, and above them what is on for several; one below the other on a phone. */
export async function weekPage(parts: CalendarParts, asked: string | undefined): Promise<Page> {
  const shown = await shownWeek(parts, asked, '');
  return 'main' in shown ? shown : weekDocument(shown);
}

/** The week of a day, or the page that there is instead. `rest`: what comes in the path behind its Monday. */
export async function shownWeek(
  parts: CalendarParts,
  asked: string | undefined,
  rest: string,
): Promise<ShownWeek | Page> {
  const { frame, read, tables, today } = parts;
  const chosen = await chosenCategories(parts);
  if (chosen === null || (asked !== undefined && !isDay(asked))) return notFound(frame);
  const monday = mondayOf(asked ?? today);
  if (asked !== undefined && asked !== monday)
    return {
      ...notFound(frame),
      status: 302,
      location: withCategories(`${frame.base}/week/${monday}/${rest}`, choiceOf(chosen)),
    };
  const sunday = dayAfter(monday, 6);
  const [days, spans, around] = await Promise.all([
    tables.daysBetween(monday, sunday, PER_DAY, chosen?.ids),
    tables.spansBetween(monday, sunday, SPANS_MAX + 1, chosen?.ids),
    tables.daysAround(monday, sunday, chosen?.ids),
  ]);
  if (days.length + spans.length === 0 && !isNear(monday, today)) return notFound(frame);
  const ids = [...spans.slice(0, SPANS_MAX).map(({ id }) => id), ...days.flatMap((day) => day.ids)];
  const events = new Map((await shownById(read, ids)).map((event) => [event.id, event]));
  const stretch = { from: monday, to: sunday, previous: dayAfter(monday, -7), next: dayAfter(monday, 7) };
  return {
    frame,
    monday,
    sunday,
    today,
    chosen,
    events,
    days: new Map(days.map((day) => [day.day, day])),
    spans,
    neighbours: neighboursOf(stretch, around, spans, today, mondayOf),
  };
}

function weekDocument(shown: ShownWeek): Page {
  const { frame, monday, sunday, today, chosen, events, spans } = shown;
  const isIndexed = events.size + spans.length > 0 && !chosen && sunday >= today;
  const { base, language, settings } = frame;
  const isThisYear = sunday.slice(0, 4) === today.slice(0, 4) && monday.slice(0, 4) === today.slice(0, 4);
  const title = (form: 'longDay' | 'longDayOfYear'): string =>
    `${daysInWords(monday, sunday, language, form)}${chosenInWords(chosen)}`;
  const choice = choiceOf(chosen);
  const sheet = withCategories(`${base}/week/${monday}/sheet/`, choice);
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
  return {
    title: title('longDayOfYear'),
    view: 'week',
    ways: viewsOf(choice, monday <= today && today <= sunday ? today : monday, today),
    api: '',
    head: html`<link rel="canonical" href="${settings.publicUrl}/week/${monday}/">${!isIndexed && NOINDEX}`,
    main: html`<div class="bar-nav"><h1>${title(isThisYear ? 'longDay' : 'longDayOfYear')}</h1>${steps(shown)}</div>
${lasting(shown)}
<div class="week">
${joinHtml(
  days.map((day) => daySection(shown, day)),
  '\n',
)}
</div>
${legend(frame, `${base}/week/${monday}/`, [...events.values()], chosen)}
<p class="row">${safeLink({ class: 'btn', rel: 'nofollow', href: sheet }, html`${icon('print')}${frame.words.sheet.print}`)}</p>`,
  };
}

/** The weeks before and after, and this one. */
function steps({ frame, monday, today, chosen, neighbours }: ShownWeek): Html {
  const current = mondayOf(today);
  return stepLinks(frame, neighbours, {
    current: monday === current ? undefined : current,
    address: (day) => withCategories(`${frame.base}/week/${day}/`, choiceOf(chosen)),
    name: (day) => daysInWords(day, dayAfter(day, 6), frame.language, 'shortDay'),
  });
}

/** What is on for several days of the week. */
function lasting({ frame, monday, chosen, spans, events }: ShownWeek): Html | undefined {
  if (spans.length === 0) return undefined;
  const { words } = frame;
  const bars = spans.slice(0, SPANS_MAX).flatMap((span) => {
    const event = events.get(span.id);
    return event ? [bar(frame, span, event)] : [];
  });
  const more =
    spans.length > SPANS_MAX &&
    safeLink({ class: 'rest', href: frame.base + listFrom(monday, choiceOf(chosen)), rel: 'nofollow' }, words.more);
  return html`<nav class="spans" aria-label="${words.lasting}">${joinHtml(bars, '\n')}${more}</nav>`;
}

const WEEK = 7;

/** "Thu–Sat: Three days of bookbinding", or until when it is on where that is longer. */
function bar(frame: Frame, { first, last }: Span, event: Event): Html {
  const { language } = frame;
  const isShort = last < dayAfter(first, WEEK);
  const days = isShort && `${weekdayInWords(first, language, 'short')}–${weekdayInWords(last, language, 'short')}: `;
  return eventLink(
    frame,
    event,
    'bar',
    html`${days}${markedTitle(frame, event)}${!isShort && untilInWords(frame, event)}`,
  );
}

function daySection({ frame, today, chosen, days, events }: ShownWeek, day: Day): Html {
  const { language, words } = frame;
  const { told, left } = toldOn(day, days, events);
  const href = frame.base + listFrom(day, choiceOf(chosen));
  const full = weekdayAndDayInWords(day, language);
  const weekday = day === today ? words.goToday : weekdayInWords(day, language, 'short');
  return html`<section${day === today && html` class="today"`} aria-labelledby="w-${day}"><h2 class="date" id="w-${day}">
<span class="vh">${full}</span><b aria-hidden="true">${Number(day.slice(8))}</b> <small aria-hidden="true">${weekday}</small></h2>
${told.length === 0 && html`<p class="dim small none">${words.nothingThatDay}</p>`}
${joinHtml(
  told.map((event) => card(frame, event)),
  '\n',
)}
${left > 0 && html`<p>${safeLink({ class: 'rest', href, rel: 'nofollow' }, words.moreOn(left, full))}</p>`}</section>`;
}

function card(frame: Frame, event: Event): Html {
  const venue = venueOf(event);
  const [category] = event.categories;
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event) }, inline(event.title));
  return html`<article class="wk ${colourOf(frame, event)}${isCancelled(event) && ' off'}"><p>${times(frame, event)}</p><h3>${link}</h3>
${venue && html`<p class="dim">${sanitized(venue.venue)}</p>`}
${category && html`<p>${categoryTag(frame.mark, category)}</p>`}</article>`;
}

function times({ words }: Frame, { all_day, start_date: start, end_date: end }: Event): string {
  if (all_day) return words.allDay;
  return start === end ? start.slice(11, 16) : `${start.slice(11, 16)} – ${end.slice(11, 16)}`;
}
