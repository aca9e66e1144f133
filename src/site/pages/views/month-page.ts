import type { Event, EventPage } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import {
  dayInWords,
  isMonth,
  monthAfter,
  MONTHS,
  monthInWords,
  weekdayInWords,
  weeksOf,
  type Day,
  type Month,
} from '../frame/dates.ts';
import { inline, langOf, pathOf } from '../list/event-list.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound, type Read } from '../frame/read.ts';

const PER_PAGE = 50;
const EVENTS_MAX = 1_000;
const EVENTS_PER_DAY = 6;

/** `/month/2027-01/`: the weeks of a month as a table; on a phone the same table reads as a list of days. */
export async function monthPage(frame: Frame, read: Read, month: Month | undefined, today: Day): Promise<Page> {
  const shown = month ?? today.slice(0, 7);
  if (!isMonth(shown)) return notFound(frame);
  const { base, language, words } = frame;
  const weeks = weeksOf(shown);
  const [week] = weeks;
  const [first] = week;
  const last = dayAfter(first, weeks.length * 7 - 1);
  const { events, isCut } = await eventsBetween(read, first, last);
  const days = eventsByDay(events, first, last);
  const isEmpty = ![...days.keys()].some((day) => day.startsWith(shown));
  const title = monthInWords(shown, language);
  // People may look at any month; search engines have no use for what is over, or for thousands of empty ones.
  const robots = (isEmpty || shown < today.slice(0, 7)) && html`\n<meta name="robots" content="noindex">`;
  const row = (days7: readonly Day[]): Html =>
    html`<tr>${joinHtml(
      days7.map((day) => cell(frame, day, days.get(day) ?? [], { shown, today })),
      '\n',
    )}</tr>`;
  return {
    title,
    view: 'month',
    api: '',
    head: html`<link rel="canonical" href="${frame.settings.publicUrl}/month/${shown}/">${robots}`,
    main: html`<div class="month"><h1>${title}</h1>
${neighbours(frame, shown, await spanOfEvents(read, today.slice(0, 7)))}</div>
${isCut && html`<p class="note">${words.tooMany} <a href="${base}/?from=${shown}-01">${words.list}</a></p>`}
<table class="days"><caption class="visually-hidden">${title}</caption>
<thead><tr>${week.map((day) => heading(day, language))}</tr></thead>
<tbody>
${joinHtml(weeks.map(row), '\n')}
</tbody></table>
${isEmpty && html`<p class="none">${words.nothing}</p>`}`,
  };
}

interface MonthSpan {
  readonly first: Month;
  readonly last: Month;
}

function heading(day: Day, language: string): Html {
  const [long, short] = [weekdayInWords(day, language, 'long'), weekdayInWords(day, language, 'short')];
  return html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`;
}

/** Links to the months before and after, or from far away to the nearest that has events. */
function neighbours({ base, language, words }: Frame, shown: Month, { first, last }: MonthSpan): Html | undefined {
  const previous = shown > last ? last : monthAfter(shown, -1);
  const next = shown < first ? first : monthAfter(shown, 1);
  const link = (to: Month, rel: string, text: string): Html =>
    safeLink({ class: 'button', rel, href: `${base}/month/${to}/` }, text);
  const links = [
    ...(previous >= first ? [link(previous, 'prev', `← ${monthInWords(previous, language)}`)] : []),
    ...(next <= last ? [link(next, 'next', `${monthInWords(next, language)} →`)] : []),
  ];
  return links.length === 0
    ? undefined
    : html`<nav class="row" aria-label="${words.month}">${joinHtml(links, ' ')}</nav>`;
}

// Before all events that there can be.
const EVER = { starts_after: '0001-01-02', per_page: '1' };

/** The months from the first event to the start of the last one, with the current month. */
async function spanOfEvents(read: Read, current: Month): Promise<MonthSpan> {
  const list = await read<EventPage>('/events', EVER);
  const end =
    list.ok && list.value.total > 1
      ? await read<EventPage>('/events', { ...EVER, page: String(list.value.total) })
      : list;
  const monthOf = (page: typeof list): Month =>
    page.ok ? (page.value.events[0]?.start_date.slice(0, 7) ?? current) : current;
  const months = [monthOf(list), monthOf(end), current].map(shownMonth).toSorted();
  return { first: months[0] ?? current, last: months.at(-1) ?? current };
}

/** The month, or of those that have no page the nearest that has one. */
function shownMonth(month: Month): Month {
  if (month < MONTHS.first) return MONTHS.first;
  return month > MONTHS.last ? MONTHS.last : month;
}

/** All events that touch the days from `first` to `last`, page by page, as far as a page of ours can show them. */
async function eventsBetween(
  read: Read,
  first: Day,
  last: Day,
): Promise<{ readonly events: readonly Event[]; readonly isCut: boolean }> {
  const query = { ends_after: dayAfter(first, -1), starts_before: last, per_page: String(PER_PAGE) };
  const events: Event[] = [];
  for (let page = 1; page <= EVENTS_MAX / PER_PAGE; page += 1) {
    const list = await read<EventPage>('/events', { ...query, page: String(page) });
    if (!list.ok) break;
    events.push(...list.value.events);
    if (page >= list.value.total_pages) return { events, isCut: false };
  }
  return { events, isCut: events.length >= EVENTS_MAX };
}

/** Each day from `first` to `last` with what goes on then; what lasts for several days is on each of them. */
export function eventsByDay(events: readonly Event[], first: Day, last: Day): ReadonlyMap<Day, readonly Event[]> {
  const days = new Map<Day, Event[]>();
  for (const event of events) {
    const [startDay, endDay] = [event.start_date.slice(0, 10), lastDayOf(event)];
    for (let day = startDay < first ? first : startDay; day <= endDay && day <= last; day = dayAfter(day))
      days.set(day, [...(days.get(day) ?? []), event]);
  }
  return days;
}

/** A night out that ends before the morning is on its evening only. */
function lastDayOf({ all_day, start_date, end_date }: Event): Day {
  const endDay = end_date.slice(0, 10);
  const isMorning = !all_day && end_date.slice(11) <= '06:00:00' && endDay > start_date.slice(0, 10);
  return isMorning ? dayAfter(endDay, -1) : endDay;
}

function cell(
  frame: Frame,
  day: Day,
  events: readonly Event[],
  { shown, today }: { readonly shown: Month; readonly today: Day },
): Html {
  const { base, language, words } = frame;
  // In the list of days on a phone, what goes on for long is told once.
  const isRunning = ({ start_date }: Event): boolean => !day.endsWith('-01') && start_date.slice(0, 10) < day;
  const running = (all: readonly Event[]): Html | false => all.every(isRunning) && html` class="running"`;
  // What begins on a day comes first: of many events, those that go on for weeks are left to the list.
  const ordered = [
    ...events.filter(({ start_date }) => start_date.startsWith(day)),
    ...events.filter(({ start_date }) => !start_date.startsWith(day)),
  ];
  const [told, left] = [ordered.slice(0, EVENTS_PER_DAY), ordered.slice(EVENTS_PER_DAY)];
  const lines = told.map((event) => {
    const link = safeLink({ href: pathOf(event.url), lang: langOf(frame, event) }, inline(event.title));
    return html`<li${running([event])}>${timeOn(event, day)}${link}</li>`;
  });
  const more =
    left.length > 0 && html`<li${running(left)}><a href="${base}/?from=${day}">+ ${left.length} ${words.more}</a></li>`;
  const kinds = [
    ...(day.startsWith(shown) ? [] : ['other']),
    ...(events.length === 0 ? ['empty'] : []),
    ...(events.length > 0 && events.every(isRunning) ? ['running'] : []),
  ];
  const short = html`<span class="date-short" aria-hidden="true">${Number(day.slice(8))}</span>`;
  const full = html`<span class="date-full">${dayInWords(day, language)}</span>`;
  const date = html`<time class="date" datetime="${day}">${short}${full}</time>`;
  const kind = kinds.length > 0 && html` class="${kinds.join(' ')}"`;
  const list = lines.length > 0 && html`<ul>${lines}${more}</ul>`;
  return html`<td${kind}${day === today && html` aria-current="date"`}>${date}${list}</td>`;
}

const timeOn = ({ all_day, start_date }: Event, day: Day): Html | undefined =>
  all_day || !start_date.startsWith(day) ? undefined : html`<span class="time">${start_date.slice(11, 16)}</span> `;
