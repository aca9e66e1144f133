import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { icon } from '../../../look/icons.ts';
import { dayAfter, isDay, mondayOf } from '../../../time.ts';
import type { Span } from '../../store/event-days.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import { addressHead } from '../frame/address-head.ts';
import { daysInWords, weekdayAndDayInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import { startTime, zoneMarks } from '../frame/clock.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound } from '../frame/read.ts';
import { placesLine } from '../frame/places.ts';
import { langOf, pathOf, titleWithState } from '../list/event-list.ts';
import {
  chosenInWords,
  chosenLine,
  colourOf,
  eventLink,
  legend,
  markedTitle,
  moreLink,
  NOINDEX,
  stepLinks,
  eventsOn,
  inBar,
  spanInWords,
  viewChoice,
  type CalendarParts,
  type ShownDays,
} from './calendar-page.ts';
import { isNear, listFrom, viewsOf, withChoice } from './carried.ts';
import { isCancelled } from './group-found.ts';
import { neighboursOf, type Neighbours } from './neighbours.ts';

const PER_DAY = 16;
const SPANS_MAX = 12;
// Beyond this many, events are not counted: nobody reads such a number.
const COUNTED_MAX = 300;

/** What a week shows. */
export interface ShownWeek extends ShownDays {
  readonly monday: Day;
  readonly sunday: Day;
  readonly spans: readonly Span[];
  /** The number of events left out; '0' if none. */
  readonly spansLeft: string;
  readonly neighbours: Neighbours;
}

/** `/week/2027-01-04/`: seven days side by side below the events of several days; on a phone, one below the other. */
export async function weekPage(parts: CalendarParts, asked: string | undefined): Promise<Page> {
  const shown = await shownWeek(parts, asked, '');
  return 'main' in shown ? shown : weekDocument(shown);
}

/** Returns the week of a day, or a redirect or error page. `rest` follows the Monday in the path. */
export async function shownWeek(
  parts: CalendarParts,
  asked: string | undefined,
  rest: string,
): Promise<ShownWeek | Page> {
  const { frame, listed, tables, today } = parts;
  if (asked !== undefined && !isDay(asked)) return notFound(frame);
  const choice = await viewChoice(parts);
  if ('main' in choice) return choice;
  const { selection, chosen } = choice;
  const monday = mondayOf(asked ?? today);
  if (asked !== undefined && asked !== monday)
    return {
      ...notFound(frame),
      status: 302,
      location: withChoice(`${frame.base}/week/${monday}/${rest}`, selection),
    };
  const sunday = dayAfter(monday, 6);
  const [days, spans, around] = await Promise.all([
    tables.daysBetween(monday, sunday, PER_DAY, chosen),
    tables.spansBetween(monday, sunday, COUNTED_MAX + 1, chosen),
    tables.daysAround(monday, sunday, chosen),
  ]);
  if (days.length + spans.length === 0 && !isNear(monday, today)) return notFound(frame);
  const told = spans.slice(0, SPANS_MAX);
  const left = spans.length - told.length;
  const ids = [...told.map(({ id }) => id), ...days.flatMap((day) => day.ids)];
  const events = new Map((await listed(ids)).map((event) => [event.id, event]));
  const stretch = { from: monday, to: sunday, previous: dayAfter(monday, -7), next: dayAfter(monday, 7) };
  return {
    frame,
    monday,
    sunday,
    today,
    choice,
    events,
    days: new Map(days.map((day) => [day.day, day])),
    spans: told,
    spansLeft: spans.length > COUNTED_MAX ? `${left}+` : String(left),
    neighbours: neighboursOf(stretch, around, spans, today, mondayOf),
  };
}

function weekDocument(shown: ShownWeek): Page {
  const { frame, monday, sunday, today, choice, events, spans } = shown;
  const isIndexed = events.size + spans.length > 0 && !choice.chosen && sunday >= today;
  const { base, language, settings } = frame;
  const isThisYear = sunday.slice(0, 4) === today.slice(0, 4) && monday.slice(0, 4) === today.slice(0, 4);
  const name = (form: 'longDay' | 'longDayOfYear'): string => daysInWords(monday, sunday, language, form);
  const path = `/week/${monday}/`;
  const url = settings.publicUrl + path;
  const sheet = withChoice(`${base}${path}sheet/`, choice.selection);
  const print = safeLink(
    { class: 'btn', rel: 'nofollow', href: sheet },
    html`${icon('print')}${frame.words.sheet.print}`,
  );
  const days = Array.from({ length: 7 }, (_, index) => dayAfter(monday, index));
  return {
    title: `${name('longDayOfYear')}${chosenInWords(frame, choice, today)}`,
    view: 'week',
    ways: viewsOf(choice.selection, monday <= today && today <= sunday ? today : monday, today),
    api: '',
    // A choice among the events of a week is shared by its own address.
    head: isIndexed
      ? addressHead(frame, { type: 'website', title: name('longDayOfYear'), url })
      : html`${safeElement('link', { rel: 'canonical', href: url })}${NOINDEX}`,
    main: html`<div class="bar-nav"><h1>${name(isThisYear ? 'longDay' : 'longDayOfYear')}</h1>${steps(shown)}${print}</div>
${chosenLine(frame, choice, path, today)}
${lasting(shown)}
<div class="week">
${joinHtml(
  days.map((day) => daySection(shown, day)),
  '\n',
)}
</div>
${legend(frame, path, [...events.values()], choice)}`,
  };
}

/** Links to the weeks before and after, and to the current one. */
function steps({ frame, monday, today, choice, neighbours }: ShownWeek): Html {
  const current = mondayOf(today);
  return stepLinks(frame, neighbours, {
    current: monday === current ? undefined : current,
    address: (day) => withChoice(`${frame.base}/week/${day}/`, choice.selection),
    name: (day) => daysInWords(day, dayAfter(day, 6), frame.language, 'shortDay'),
  });
}

/** The events of several days in the week. */
function lasting({ frame, monday, choice, spans, spansLeft, events }: ShownWeek): Html | undefined {
  if (spans.length === 0) return undefined;
  const { words } = frame;
  const bars = spans.flatMap((span) => {
    const event = events.get(span.id);
    return event ? [bar(frame, monday, span, event)] : [];
  });
  const more =
    spansLeft !== '0' &&
    safeLink(
      { class: 'rest', href: frame.base + listFrom(monday, choice.selection), rel: 'nofollow' },
      `+ ${spansLeft} ${words.more}`,
    );
  return html`<nav class="spans" aria-label="${words.lasting}">${joinHtml(bars, '\n')}${more}</nav>`;
}

const WEEK = 7;

/** "Thu–Sat: Three days of bookbinding"; events that extend beyond this week say when they are on. */
function bar(frame: Frame, monday: Day, span: Span, event: Event): Html {
  const { language } = frame;
  const { first, last } = span;
  const isShort = first >= monday && last < dayAfter(first, WEEK);
  const days = isShort && `${weekdayInWords(first, language, 'short')}–${weekdayInWords(last, language, 'short')}: `;
  return eventLink(
    frame,
    event,
    'bar',
    html`${days}${markedTitle(frame, event)}${!isShort && inBar(spanInWords(frame, event, span, monday))}`,
  );
}

function daySection(shown: ShownWeek, day: Day): Html {
  const { frame, today } = shown;
  const { language, words } = frame;
  const { told, left } = eventsOn(day, shown);
  const full = weekdayAndDayInWords(day, language);
  const weekday = day === today ? words.goToday : weekdayInWords(day, language, 'short');
  return html`<section${day === today && html` class="today"`} aria-labelledby="w-${day}"><h2 class="date" id="w-${day}">
<span class="vh">${full}</span><b aria-hidden="true">${Number(day.slice(8))}</b> <small aria-hidden="true">${weekday}</small></h2>
${told.length === 0 && html`<p class="dim small none">${words.nothingThatDay}</p>`}
${joinHtml(
  told.map((event) => card(frame, event)),
  '\n',
)}
${moreLink(shown, day, left)}</section>`;
}

function card(frame: Frame, event: Event): Html {
  const place = placesLine(event);
  const [category] = event.categories;
  const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event) }, titleWithState(frame, event));
  return html`<article class="wk ${colourOf(frame, event)}${isCancelled(event) && ' off'}"><p>${times(frame, event)}</p><h3>${link}</h3>
${place && html`<p class="dim">${place}</p>`}
${category && html`<p>${categoryTag(frame.mark, category)}</p>`}</article>`;
}

function times(frame: Frame, event: Event): string {
  const { all_day, start_date: start, end_date: end } = event;
  if (all_day) return frame.words.allDay;
  if (start === end) return startTime(frame, event);
  const [atStart, atEnd] = zoneMarks(frame, event);
  return `${start.slice(11, 16)}${atStart} – ${end.slice(11, 16)}${atEnd}`;
}
