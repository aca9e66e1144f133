import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { safeLink } from '../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import {
  LISTED_STATES,
  type EventFilter,
  type EventsListed,
  type ListedEvent,
  type ListedState,
} from '../../run/events/list-events.ts';
import {
  dayAfter,
  instantFromWall,
  isDay,
  isMonth,
  mondayOf,
  monthAfter,
  wallFromInstant,
  weekFrom,
  weeksOf,
} from '../../time.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { chips, head, linkTo, pageNumber } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { table } from '../frame/table.ts';
import { lastDayOf } from '../frame/times.ts';
import { dayIn, type Day, type Month } from './days.ts';
import { findEvents, searchGapsNote } from './found-events.ts';
import {
  entryInMonth,
  eventHref,
  badgeLetters,
  notesOn,
  STATE_WORDS,
  timeInList,
  listContext,
  type ListContext,
} from './list-parts.ts';

/** The maximum number of events on a page; a month or week with more says how many are left. */
const EVENTS_MAX = { month: 600, week: 300, list: 100 } as const;
const EVENTS_PER_DAY = 6;

type View = keyof typeof EVENTS_MAX;
const VIEWS = Object.keys(EVENTS_MAX) as readonly View[];

/** What a page of events shows. */
interface Choice {
  readonly view: View;
  readonly filter: EventFilter;
  /** The month shown; `monday` begins the week shown. */
  readonly month: Month;
  readonly monday: Day;
  readonly page: number;
  readonly today: Day;
}

/** `/events/`: events by month, week or as a list, filtered by source, state, category and title. */
export async function listPage(asked: Asked): Promise<Answer> {
  const choice = choiceOf(asked);
  const { view, filter, page } = choice;
  const limit = EVENTS_MAX[view];
  const listed = await findEvents(asked, filter, { offset: (page - 1) * limit, limit });
  // There may be fewer pages than when the address was made.
  if (listed.events.length === 0 && page > 1 && listed.total > 0)
    return { to: pathWith(asked, { page: String(Math.ceil(listed.total / limit)) }) };
  const listing = listContext(asked);
  return {
    title: `Events: ${[titleOf(choice), ...chosenIn(filter)].join(', ')}`,
    place: 'events',
    main: html`${head(titleOf(choice), sentenceOf(asked, choice, listed), steps(asked, choice))}
      ${sourceChips(listing, listed, filter)} ${stateChips(asked, listed, filter)}
      ${categoryChips(asked, listed, filter)} ${searchGapsNote(listed)} ${left(asked, choice, listed)}
      ${VIEW[view](listing, choice, listed.events)} ${pager(asked, choice, listed)}
      <p class="small dim">
        ${
          listed.total > 0 &&
          'Two letters name the source. Struck through: a held run would remove it; visitors still see it.'
        }
        ${asked.operator
          .sites()
          .map(
            ({ name, home }, index, all) =>
              html`${index > 0 && ' · '}${safeLink(
                { href: home },
                html`The public page${all.length > 1 && html` of ${name}`} ${icon('open')}`,
              )}`,
          )}
        ${
          asked.operator.sites().some(({ isBuiltin }) => isBuiltin) &&
          html`· <a href="${asked.base}/edit/event/new/">Write an event by hand</a>`
        }
      </p>`,
  };
}

function choiceOf(asked: Asked): Choice {
  const { url, now, operator, zoneOf } = asked;
  const given = (name: string): string | undefined => url.searchParams.get(name)?.trim() || undefined;
  const zone = zoneOf(operator.sites()[0]?.key ?? 'builtin');
  const today = wallFromInstant(now, zone).slice(0, 10);
  const search = given('q');
  const view = VIEWS.find((each) => each === given('view')) ?? (search === undefined ? 'month' : 'list');
  const [month = '', day = ''] = [given('month'), given('day')];
  const shownMonth = isMonth(month) ? month : today.slice(0, 7);
  const monday = mondayOf(isDay(day) ? day : today);
  const at = (from: Day): number => instantFromWall(`${from} 00:00:00`, zone);
  const spans: Readonly<Record<View, () => Pick<EventFilter, 'from' | 'to'>>> = {
    month: () => ({ from: at(`${shownMonth}-01`), to: at(`${monthAfter(shownMonth, 1)}-01`) }),
    week: () => ({ from: at(monday), to: at(dayAfter(monday, 7)) }),
    list: () => (given('over') === 'yes' ? {} : { from: now }),
  };
  return {
    view,
    month: shownMonth,
    monday,
    today,
    page: pageNumber(given('page')),
    filter: {
      source: given('source'),
      state: LISTED_STATES.find((state) => state === given('state')),
      category: given('category'),
      search,
      ...spans[view](),
    },
  };
}

function titleOf({ view, month, monday, filter }: Choice): string {
  if (view === 'month') return dayIn('month', `${month}-01`);
  if (view === 'week') return `Week of ${dayIn('day', monday)}`;
  return filter.search === undefined ? 'Coming events' : inQuotes(filter.search);
}

/** The other filters, for the title, so that tabs and bookmarks can be told apart. */
const chosenIn = ({ source, state, category }: EventFilter): readonly string[] =>
  [source, state && STATE_WORDS[state], category].filter((each) => each !== undefined);

function sentenceOf(asked: Asked, { view, filter }: Choice, { total, bySource, byState }: EventsListed): Html {
  const sources = filter.source === undefined ? Object.keys(bySource).length : 1;
  const what = filter.state === undefined ? '' : `, ${STATE_WORDS[filter.state]}`;
  const held =
    byState.held > 0 &&
    filter.state === undefined &&
    html` A held run would change ${byState.held} of them: it waits for a decision.`;
  const over =
    view === 'list' &&
    asked.url.searchParams.get('over') !== 'yes' &&
    html`<a href="${hrefWith(asked, { over: 'yes', page: null })}">Also those that are over</a>`;
  if (total === 0) return html`${noneInWords(asked, view, what)}${over && html` · ${over}`}`;
  return html`${countInWords(total, 'event')} of ${countInWords(sources, 'source')}${what}.${held} ${over}`;
}

/** An empty month does not mean an empty site; the end of a month is often empty. */
const noneInWords = (asked: Asked, view: View, what: string): Html =>
  view === 'list'
    ? html`No event of a source${what}. <a href="${asked.base}/operator/events/">All events</a>`
    : html`No event of a source in this ${view}${what}.
        <a href="${hrefWith(asked, { view: 'list', page: null })}">All that are coming</a>`;

/** The address of this page with some parameters changed; null removes one. */
const hrefWith = (asked: Asked, changes: Readonly<Record<string, string | null>>): string =>
  linkTo(asked, pathWith(asked, changes));

function pathWith({ url }: Asked, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name);
    else query.set(name, value);
  return `/events/${query.size > 0 ? '?' : ''}${query.toString()}`;
}

function steps(asked: Asked, { view, month, monday }: Choice): Html {
  const step = (text: string, changes: Readonly<Record<string, string>>): Html =>
    html`<a class="btn" href="${hrefWith(asked, { ...changes, page: null })}">${text}</a>`;
  const around: Readonly<Record<View, () => HtmlPart>> = {
    month: () => {
      const [before, after] = [monthAfter(month, -1), monthAfter(month, 1)];
      return [
        step(`‹ ${dayIn('monthAlone', `${before}-01`)}`, { month: before }),
        step(`${dayIn('monthAlone', `${after}-01`)} ›`, { month: after }),
      ];
    },
    week: () => [
      step('‹ week before', { day: dayAfter(monday, -7) }),
      step('week after ›', { day: dayAfter(monday, 7) }),
    ],
    list: () => [],
  };
  const views = VIEWS.map(
    (each) =>
      html`<a
        class="chip"
        href="${hrefWith(asked, { view: each, page: null })}"
        ${each === view && html` aria-current="true"`}
        >${each}</a
      >`,
  );
  return html`${around[view]()}
    <nav class="row" aria-label="View">${views}</nav>`;
}

function sourceChips(listing: ListContext, { bySource }: EventsListed, { source }: EventFilter): Html | false {
  const { asked } = listing;
  const names = [...new Set([...asked.operator.context.sources.keys(), ...Object.keys(bySource)])].filter(
    (name) => countOf(bySource, name) > 0 || name === source,
  );
  const all = Object.values(bySource).reduce((sum, events) => sum + events, 0);
  const chosen = names.toSorted((one, other) => (bySource[other] ?? 0) - (bySource[one] ?? 0));
  const shown = [...new Set([...(source === undefined ? [] : [source]), ...chosen])].slice(0, SOURCES_MAX);
  const more = names.length - shown.length;
  return html`${chips('Source', [
    { href: hrefWith(asked, { source: null, page: null }), text: 'all', count: all, isChosen: source === undefined },
    ...shown.map((name) => ({
      href: hrefWith(asked, { source: name, page: null }),
      text: html`${badgeLetters(listing, name)}${name}`,
      count: countOf(bySource, name),
      isChosen: name === source,
    })),
  ])}${
    more > 0 &&
    html`<p class="small dim">
      and ${countInWords(more, 'source')} with fewer events: <a href="${asked.base}/operator/sources/">all sources</a>
    </p>`
  }`;
}

/** How many sources, those with the most events, have a filter. */
const SOURCES_MAX = 24;

function stateChips(asked: Asked, { byState }: EventsListed, { state }: EventFilter): Html {
  const offered = LISTED_STATES.filter((each) => each !== 'kept' && (byState[each] > 0 || each === state));
  const choice = (each: ListedState) => ({
    href: hrefWith(asked, { state: each === state || each === 'kept' ? null : each, page: null }),
    text: STATE_WORDS[each],
    count: byState[each],
    isChosen: each === (state ?? 'kept'),
  });
  return chips('State', [choice('kept'), ...offered.map(choice)]);
}

/** Names come from feeds and addresses, so `constructor` is a possible one. */
const countOf = (counts: Readonly<Record<string, number>>, name: string): number =>
  Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0;

function categoryChips(asked: Asked, { byCategory }: EventsListed, { category }: EventFilter): Html | false {
  const counts = byCategory ?? {};
  const names = Object.keys(counts);
  if (names.length === 0 && category === undefined) return false;
  const shown = [...new Set([...(category === undefined ? [] : [category]), ...names])];
  return html`<details class="small" ${category !== undefined && html` open`}>
    <summary>Categories</summary>
    ${chips(
      'Category',
      shown.map((name) => ({
        href: hrefWith(asked, { category: name === category ? null : name, page: null }),
        text: name,
        count: countOf(counts, name),
        isChosen: name === category,
      })),
    )}
  </details>`;
}

const VIEW: Readonly<Record<View, (listing: ListContext, choice: Choice, events: readonly ListedEvent[]) => Html>> = {
  month: monthTable,
  week: weekList,
  list: (listing, _choice, events) => (events.length === 0 ? html`` : eventTable(listing, events)),
};

/** The events of each day in a range; an event of several days is on each of them. */
function byDay(events: readonly ListedEvent[], first: Day, last: Day): ReadonlyMap<Day, readonly ListedEvent[]> {
  const days = new Map<Day, ListedEvent[]>();
  for (const event of events) {
    const [start, end] = [event.start.slice(0, 10), lastDayOf(event)];
    for (let day = start < first ? first : start; day <= end && day <= last; day = dayAfter(day))
      days.set(day, [...(days.get(day) ?? []), event]);
  }
  return days;
}

/** The weeks of a month as a table, which on a phone reads as a list of days. */
function monthTable(listing: ListContext, { month, today }: Choice, events: readonly ListedEvent[]): Html {
  const weeks = weeksOf(month);
  const last = dayAfter(`${monthAfter(month, 1)}-01`, -1);
  const days = byDay(events, `${month}-01`, last);
  const headings = (weeks[0] ?? []).map(
    (day) => html`<th scope="col"><abbr title="${dayIn('longWeekday', day)}">${dayIn('weekday', day)}</abbr></th>`,
  );
  const cell = (day: Day): Html => {
    if (!day.startsWith(month)) return html`<td class="off none"></td>`;
    const own = days.get(day) ?? [];
    return html`<td${own.length === 0 && html` class="none"`}${
      day === today && html` aria-current="date"`
    }><span class="n" data-d="${dayIn('weekday', day)}">${Number(day.slice(8))}</span>${
      own.length > 0 &&
      html`<ul>
        ${own
          .slice(0, EVENTS_PER_DAY)
          .map((event) => html`<li>${entryInMonth(listing, event, day)}</li>`)}${moreOn(listing.asked, day, own.length)}
      </ul>`
    }</td>`;
  };
  return html`<table class="cal">
    <caption class="vh">
      ${dayIn('month', `${month}-01`)}
    </caption>
    <thead>
      <tr>
        ${headings}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map(cell)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const moreOn = (asked: Asked, day: Day, count: number): Html | false =>
  count > EVENTS_PER_DAY &&
  html`<li>
    <a href="${hrefWith(asked, { view: 'week', day, month: null, page: null })}"
      ><span></span><span>${count - EVENTS_PER_DAY} more</span></a
    >
  </li>`;

/** The days of a week, each with its events. */
function weekList(listing: ListContext, { monday, today }: Choice, events: readonly ListedEvent[]): Html {
  const days = byDay(events, monday, dayAfter(monday, 6));
  return html`<div class="stack-4">
    ${weekFrom(monday).map((day) => {
      const own = days.get(day) ?? [];
      return html`<section>
        <h2>${dayIn('shortDay', day)}${day === today && html` <span class="small dim">today</span>`}</h2>
        ${own.length === 0 ? html`<p class="small dim">Nothing.</p>` : eventTable(listing, own, day)}
      </section>`;
    })}
  </div>`;
}

/** A table of events; with `day`, that date is left out. */
function eventTable(listing: ListContext, events: readonly ListedEvent[], day?: Day): Html {
  const { asked } = listing;
  const row = (event: ListedEvent): Html =>
    html`<tr role="row">
      <td role="cell" data-l="When"><div class="num">${timeInList(asked, event, day)}</div></td>
      <th role="rowheader" scope="row">
        <div>
          ${badgeLetters(listing, event.source)}
          <a data-row href="${eventHref(asked, event)}"
            >${event.held?.action === 'remove' ? html`<span class="gone-t">${event.title}</span>` : event.title}</a
          >
        </div>
      </th>
      <td role="cell" data-l="Source"><div>${event.source}</div></td>
      ${stateCell(notesOn(asked, event))}
    </tr>`;
  return table(day === undefined ? 'Events' : dayIn('day', day), ['When', 'Event', 'Source', 'State'], events.map(row));
}

/** Without a label if there are no notes. */
const stateCell = (notes: readonly Html[]): Html =>
  html`<td role="cell" ${notes.length > 0 && html` data-l="State"`}><div class="row">${notes}</div></td>`;

function left(asked: Asked, { view }: Choice, { total }: EventsListed): Html | false {
  const shown = EVENTS_MAX[view];
  return (
    view !== 'list' &&
    total > shown &&
    html`<p class="small">
      The first ${grouped(shown)} of ${grouped(total)} events are shown.
      <a href="${hrefWith(asked, { view: 'list', page: null })}">All as a list</a>
    </p>`
  );
}

function pager(asked: Asked, { view, page }: Choice, { total, events }: EventsListed): Html | false {
  const size = EVENTS_MAX.list;
  if (view !== 'list' || total <= size) return false;
  const first = (page - 1) * size;
  const link = (to: number, text: string): Html =>
    html`<a class="btn" href="${hrefWith(asked, { page: String(to) })}">${text}</a>`;
  return html`<nav class="row" aria-label="Pages">
    ${page > 1 && link(page - 1, '‹ earlier')}<span>${first + 1} to ${first + events.length} of ${total}</span
    >${first + size < total && link(page + 1, 'later ›')}
  </nav>`;
}
