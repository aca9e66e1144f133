import type { Event } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../../html/template.ts';
import type { Undated } from '../../../selection/selection.ts';
import { dayAfter, isMonth, monthAfter, weeksOf } from '../../../time.ts';
import type { Span } from '../../store/event-days.ts';
import { addressHead } from '../frame/address-head.ts';
import {
  initialsOfWeekday,
  longDayInWords,
  monthInWords,
  shortMonthInWords,
  weekdayAndDayInWords,
  weekdayInWords,
  type Day,
  type Month,
} from '../frame/dates.ts';
import { startTime } from '../frame/clock.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound } from '../frame/read.ts';
import {
  chosenInWords,
  chosenLine,
  eventLink,
  legend,
  markedTitle,
  moreLink,
  NOINDEX,
  stepLinks,
  eventsOn,
  inBar,
  untilInWords,
  viewChoice,
  type CalendarParts,
  type ShownDays,
} from './calendar-page.ts';
import { isNear, listFrom, viewsOf, withChoice } from './carried.ts';
import { lanesOf, type Bar, type WeekLanes } from './lanes.ts';
import { neighboursOf, type Neighbours } from './neighbours.ts';

const PER_DAY = 4;
const SPANS_MAX = 300;
const PHONE_BARS_MAX = 5;

/** What a month shows. */
interface Shown extends ShownDays {
  readonly month: Month;
}

/**
 * `/month/2027-01/`: the weeks of a month as a table, in which longer events are bars; on a phone the same table reads
 * as a list of days from today.
 */
export async function monthPage(parts: CalendarParts, asked: string | undefined): Promise<Page> {
  const { frame, listed, today } = parts;
  const month = asked ?? today.slice(0, 7);
  if (!isMonth(month)) return notFound(frame);
  const choice = await viewChoice(parts);
  if ('main' in choice) return choice;
  const { chosen } = choice;
  const found = await foundIn(parts, month, chosen);
  const { first, days, spans, weeks, around } = found;
  const isEmpty = days.length === 0 && !spans.some((span) => touches(span, first, found.last));
  if (isEmpty && !isNear(first, today)) return notFound(frame);
  const lanes = weeks.map((week) => lanesOf(week, spans.slice(0, SPANS_MAX)));
  const isOn = spans.filter((span) => isOnAlready(span, month, today));
  const phone = isOn.slice(0, PHONE_BARS_MAX);
  const ids = [
    ...days.flatMap((day) => day.ids),
    ...lanes.flatMap(({ bars }) => bars.map(({ id }) => id)),
    ...phone.map(({ id }) => id),
  ];
  const events = await listed([...new Set(ids)]);
  const shown: Shown = {
    frame,
    month,
    today,
    choice,
    events: new Map(events.map((event) => [event.id, event])),
    days: new Map(days.map((day) => [day.day, day])),
  };
  const stretch = {
    from: first,
    to: found.last,
    previous: `${monthAfter(month, -1)}-01`,
    next: `${monthAfter(month, 1)}-01`,
  };
  return monthDocument(shown, weeks, lanes, {
    neighbours: neighboursOf(stretch, around, spans, today, (day) => `${day.slice(0, 7)}-01`),
    isIndexed: !isEmpty && !chosen && month >= today.slice(0, 7),
    isEmpty,
    isCut: spans.length > SPANS_MAX,
    phoneLeft: isOn.length - phone.length,
    phone: events.filter(({ id }) => phone.some((span) => span.id === id)),
  });
}

/** Reads what there is in a month: ids and days only. */
async function foundIn({ tables }: CalendarParts, month: Month, chosen: Undated | undefined) {
  const weeks = weeksOf(month);
  const [first, last] = [`${month}-01`, dayAfter(`${monthAfter(month, 1)}-01`, -1)];
  const [days, spans, around] = await Promise.all([
    tables.daysBetween(first, last, PER_DAY, chosen),
    tables.spansBetween(weeks[0][0], dayAfter(weeks[0][0], weeks.length * 7 - 1), SPANS_MAX + 1, chosen),
    tables.daysAround(first, last, chosen),
  ]);
  return { weeks, first, last, days, spans, around };
}

const touches = (span: Span, first: Day, last: Day): boolean => span.first <= last && span.last >= first;

/** Whether an event began before the first day that a phone shows, and is not over then. */
function isOnAlready(span: Span, month: Month, today: Day): boolean {
  const start = today.startsWith(month) ? today : `${month}-01`;
  return span.first < start && span.last >= start;
}

interface Around {
  readonly neighbours: Neighbours;
  readonly isIndexed: boolean;
  readonly isEmpty: boolean;
  readonly isCut: boolean;
  readonly phone: readonly Event[];
  /** The number of further events that have already begun. */
  readonly phoneLeft: number;
}

function monthDocument(
  shown: Shown,
  weeks: ReturnType<typeof weeksOf>,
  lanes: readonly WeekLanes[],
  { neighbours, isIndexed, isEmpty, isCut, phone, phoneLeft }: Around,
): Page {
  const { frame, month, today, choice } = shown;
  const { base, language, words } = frame;
  const name = monthInWords(month, language);
  const path = `/month/${month}/`;
  const url = frame.settings.publicUrl + path;
  const rows = weeks.map((week, index) => row(shown, week, lanes[index] ?? lanesOf(week, [])));
  return {
    title: `${name}${chosenInWords(frame, choice, today)}`,
    view: 'month',
    ways: viewsOf(choice.selection, month === today.slice(0, 7) ? today : `${month}-01`, today),
    api: '',
    // A choice among the events of a month is shared by its own address.
    head: isIndexed
      ? addressHead(frame, { type: 'website', title: name, url })
      : html`${safeElement('link', { rel: 'canonical', href: url })}${NOINDEX}`,
    main: html`<div class="bar-nav"><h1>${name}</h1>${steps(shown, neighbours)}</div>
${chosenLine(frame, choice, path, today)}
${isCut && html`<p class="note">${words.tooMany} ${safeLink({ href: base + listFrom(`${month}-01`, choice.selection) }, words.list)}</p>`}
<div class="phone">${strip(shown, weeks, lanes)}${phone.map((event) => phoneBar(shown, event))}${phoneLeft > 0 && phoneRest(shown, phoneLeft)}</div>
<table class="month"><caption class="vh">${name}</caption>
<thead><tr>${weeks[0].map((day) => heading(day, language))}</tr></thead>
<tbody>
${joinHtml(rows, '\n')}
</tbody></table>
${isEmpty && html`<p class="dim">${choice.chosen ? words.finding.nothing.any : words.nothing}</p>`}
${legend(frame, path, [...shown.events.values()], choice)}`,
  };
}

function heading(day: Day, language: string): Html {
  const [long, short] = [weekdayInWords(day, language, 'long'), weekdayInWords(day, language, 'short')];
  return html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`;
}

/** Links to the months before and after, and to the current one. */
function steps({ frame, month, today, choice }: Shown, neighbours: Neighbours): Html {
  const { base, language } = frame;
  return stepLinks(frame, neighbours, {
    current: today.startsWith(month) ? undefined : today,
    address: (day) => withChoice(`${base}/month/${day.slice(0, 7)}/`, choice.selection),
    name: (day) => {
      const to = day.slice(0, 7);
      return html`${shortMonthInWords(to, language)}<span class="vh"> (${monthInWords(to, language)})</span>`;
    },
  });
}

/** The days of the month for phones; each with events links to its entry in the list below. */
function strip(shown: Shown, weeks: ReturnType<typeof weeksOf>, lanes: readonly WeekLanes[]): Html {
  const { frame, month, today } = shown;
  const { language, words } = frame;
  const names = weeks[0].map(
    (day) => html`<abbr title="${weekdayInWords(day, language, 'long')}">${initialsOfWeekday(day, language)}</abbr>`,
  );
  const cells = weeks.flatMap((week, index) =>
    week.map((day) => {
      if (!day.startsWith(month)) return html`<span></span>`;
      const number = Number(day.slice(8));
      const current = day === today && html` aria-current="date"`;
      return beginsOn(shown, day, week, lanes[index])
        ? html`<a href="#m-${number}"${current}>${number}</a>`
        : html`<span${current}>${number}</span>`;
    }),
  );
  return html`<nav aria-label="${words.daysOf(monthInWords(month, language))}"><div class="mini">${names}${cells}</div></nav>`;
}

/** Whether anything begins on a day's cell. */
const beginsOn = ({ days }: Shown, day: Day, week: readonly Day[], lanes: WeekLanes | undefined): boolean =>
  days.has(day) ||
  (lanes?.left.get(day) ?? 0) > 0 ||
  (lanes?.bars.some((bar) => week[bar.at] === day && !bar.isFromBefore) ?? false);

const row = (shown: Shown, week: readonly Day[], lanes: WeekLanes): Html =>
  html`<tr${lanes.lanes > 0 && html` class="l${lanes.lanes}"`}>${joinHtml(
    week.map((day, at) => cell(shown, day, at, week, lanes)),
    '\n',
  )}</tr>`;

/** The cell of a day. Events that begin on adjacent months' days are shown in those months. */
function cell(shown: Shown, day: Day, at: number, week: readonly Day[], lanes: WeekLanes): Html {
  const { frame, month, today, events } = shown;
  const number = Number(day.slice(8));
  const bars = lanes.bars.filter((bar) => bar.at === at).map((bar) => barLink(shown, bar, events.get(bar.id)));
  if (!day.startsWith(month))
    return html`<td class="out"><span class="n"><span class="vh">${longDayInWords(day, frame.language)}</span>
<span class="num" aria-hidden="true">${number}</span></span>${bars}</td>`;
  const kinds = [
    ...(day < today && today.startsWith(month) ? ['past'] : []),
    ...(day === today ? ['today'] : []),
    ...(beginsOn(shown, day, week, lanes) ? [] : ['empty']),
  ];
  const kind = kinds.length > 0 && html` class="${kinds.join(' ')}"`;
  return html`<td id="m-${number}"${kind}${day === today && html` aria-current="date"`}>${ownOf(shown, day, bars, lanes)}</td>`;
}

/** The day, its bars, the events that begin on it, and the number left out. */
function ownOf(shown: Shown, day: Day, bars: HtmlPart, lanes: WeekLanes): Html {
  const { frame, choice } = shown;
  const own = eventsOn(day, shown);
  const left = own.left + (lanes.left.get(day) ?? 0);
  const href = frame.base + listFrom(day, choice.selection);
  const number = html`<span class="num">${Number(day.slice(8))}</span><span class="vh full">${weekdayAndDayInWords(day, frame.language)}</span>`;
  return html`${safeLink({ class: 'n', href, rel: 'nofollow' }, number)}${bars}${own.told.map((event) => one(frame, event))}
${moreLink(shown, day, left)}`;
}

const one = (frame: Frame, event: Event): Html =>
  eventLink(frame, event, 'one', markedTitle(frame, event, event.all_day ? undefined : startTime(frame, event)));

function barLink(shown: Shown, bar: Bar, event: Event | undefined): Html | undefined {
  const kind = `bar s${bar.days} b${bar.lane}${bar.isFromBefore ? ' from' : ''}${bar.goesOn ? ' on' : ''}`;
  return event && barOf(shown, event, kind);
}

const phoneBar = (shown: Shown, event: Event): Html => barOf(shown, event, 'bar s1 b1');

const barOf = ({ frame, month }: Shown, event: Event, kind: string): Html =>
  eventLink(frame, event, kind, html`${markedTitle(frame, event)}${inBar(untilInWords(frame, event, `${month}-01`))}`);

/** Links the other events that have already begun to the list of the first day that a phone shows. */
function phoneRest({ frame, month, today, choice }: Shown, left: number): Html {
  const day = today.startsWith(month) ? today : `${month}-01`;
  const href = frame.base + listFrom(day, choice.selection);
  return safeLink(
    { class: 'rest', href, rel: 'nofollow' },
    frame.words.moreOn(left, longDayInWords(day, frame.language)),
  );
}
