import { readableSlug } from '../../../ascii.ts';
import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../../html/template.ts';
import { isEverything, selectionOf, type Undated } from '../../../selection/selection.ts';
import { sanitizeTitle } from '../../store/sanitize-title.ts';
import type { DayEvents, Span } from '../../store/event-days.ts';
import type { EventTables } from '../../store/series.ts';
import type { ListedById } from '../../store/shown-events.ts';
import { compareIn } from '../../../look/compare-names.ts';
import { categoryTag, markLetter, type Category } from '../../../look/category-mark.ts';
import { dayFrom, daysInWords, localeOf, longDayInWords, needsYear, type Day } from '../frame/dates.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { alsoChosen, chosenChips } from '../list/chosen-chips.ts';
import { langOf, pathOf, titleWithState } from '../list/event-list.ts';
import { excessPage } from '../list/excess-page.ts';
import { plainName, type NameOf } from '../list/in-words.ts';
import { firstOf, type Question } from '../list/question.ts';
import { subscribeLink } from '../list/result.ts';
import { listFrom, withChoice } from './carried.ts';
import { isCancelled, lastDayOf } from './group-found.ts';

/** What the month and week pages are made with. */
export interface CalendarParts {
  readonly frame: Frame;
  readonly tables: EventTables;
  readonly listed: ListedById;
  readonly query: URLSearchParams;
  readonly today: Day;
}

/** What an address selects apart from its days. */
export interface ViewChoice {
  readonly selection: Undated;
  /** The same, or undefined if it selects everything. */
  readonly chosen: Undated | undefined;
  readonly nameOf: NameOf;
}

/** Parses what an address selects; returns an error page if it is too much. */
export async function viewChoice({ frame, tables, query }: CalendarParts): Promise<ViewChoice | Page> {
  const selection = selectionOf(query);
  if ('excess' in selection) return excessPage(frame, selection.excess);
  const { when: _when, from: _from, ...undated } = selection;
  const names = await tables.namesOf(undated);
  const nameOf: NameOf = (kind, slug) => {
    const name = names[kind].get(slug) ?? names[kind].get(sanitizeTitle(slug));
    return name === undefined ? readableSlug(slug) : plainName(name);
  };
  return { selection: undated, chosen: isEverything(undated) ? undefined : undated, nameOf };
}

const questionOf = (selection: Undated): Question => firstOf({ ...selection, when: '', from: '' });

/** The part of a title about the selection, such as ", Film, Music". */
export const chosenInWords = (frame: Frame, { selection, nameOf }: ViewChoice, today: Day): string =>
  alsoChosen(frame, { question: questionOf(selection), nameOf, today });

/** What is selected, each with a link that removes it, and the link to subscribe; nothing if all events are shown. */
export function chosenLine(
  frame: Frame,
  { selection, chosen, nameOf }: ViewChoice,
  path: string,
  today: Day,
): Html | false {
  if (!chosen) return false;
  const question = questionOf(selection);
  const line = { question, nameOf, pathOf: (other: Question) => withChoice(path, other), today };
  return html`<div class="result"><p>${frame.words.finding.onlyThis}</p>
${chosenChips(frame, line, path)}
${subscribeLink(frame, question)}</div>`;
}

/** What a page about some days shows. */
export interface ShownDays {
  readonly frame: Frame;
  readonly today: Day;
  readonly choice: ViewChoice;
  /** Events by id. */
  readonly events: ReadonlyMap<number, Event>;
  readonly days: ReadonlyMap<Day, DayEvents>;
}

/** The events shown on a day, and the number of those left out. */
export function eventsOn(
  day: Day,
  { days, events }: Pick<ShownDays, 'days' | 'events'>,
): { readonly told: readonly Event[]; readonly left: number } {
  const own = days.get(day);
  const told = (own?.ids ?? []).flatMap((id) => events.get(id) ?? []);
  return { told, left: own ? own.total - told.length : 0 };
}

/** "+3": the number of events left out on a day, as a link to that day's list. */
export function moreLink({ frame, choice }: Pick<ShownDays, 'frame' | 'choice'>, day: Day, left: number): Html | false {
  const { base, words, language } = frame;
  const href = base + listFrom(day, choice.selection);
  const shown = html`<span aria-hidden="true">+${left}</span><span class="vh">${words.moreOn(left, longDayInWords(day, language))}</span>`;
  return left > 0 && safeLink({ class: 'rest', href, rel: 'nofollow' }, shown);
}

/** How to link to the pages beside a month or a week. */
interface Steps {
  /** A day of today's page; undefined on that page. */
  readonly current: Day | undefined;
  readonly address: (day: Day) => string;
  readonly name: (day: Day) => HtmlPart;
}

/** Links to the previous page, today's page and the next page. */
export function stepLinks(
  { words }: Frame,
  { before, after }: { readonly before: Day | undefined; readonly after: Day | undefined },
  { current, address, name }: Steps,
): Html {
  const step = (day: Day | undefined, where: 'prev' | 'next' | '', shown: (day: Day) => HtmlPart): Html | false => {
    if (day === undefined) return false;
    const href = address(day);
    const rel = [where, href.includes('?') ? 'nofollow' : ''].filter(Boolean).join(' ') || undefined;
    return safeLink({ class: 'btn', rel, href }, html`${shown(day)}`);
  };
  return joinHtml(
    [
      step(before, 'prev', (day) => html`← ${name(day)}`),
      step(current, '', () => words.goToday),
      step(after, 'next', (day) => html`${name(day)} →`),
    ],
    '\n',
  );
}

export const NOINDEX = html`<meta name="robots" content="noindex">`;

/** The CSS class of an event's colour. */
export const colourOf = ({ mark }: Frame, { categories }: Event): string => mark(categories[0]).colour;

/** The category's letter and a title in its own text direction, for the cells of a month and the bars. */
export function markedTitle(frame: Frame, event: Event, time?: string): Html {
  const { letter } = frame.mark(event.categories[0]);
  return html`${markLetter(letter)}${time !== undefined && html`<b>${time}</b> `}<bdi>${titleWithState(frame, event)}</bdi>`;
}

/** A link to an event, in its colour. */
export const eventLink = (frame: Frame, event: Event, kind: string, shown: Html): Html =>
  safeLink(
    {
      class: `${kind} ${colourOf(frame, event)}${isCancelled(event) ? ' off' : ''}`,
      href: pathOf(event.url),
      lang: langOf(frame, event),
    },
    shown,
  );

/** "until 28 February": when an event ends, on a page about `about` and later. */
export const untilInWords = ({ language, words }: Frame, event: Event, about: Day): string =>
  `${words.until} ${dayFrom(about, lastDayOf(event), language, 'longDay')}`;

/** When a longer event takes place, on a page about a week: with its start if that is within the week. */
export const spanInWords = (frame: Frame, event: Event, { first, last }: Span, monday: Day): string =>
  first > monday
    ? daysInWords(first, last, frame.language, needsYear(last, monday) ? 'longDayOfYear' : 'longDay')
    : untilInWords(frame, event, monday);

/** A time or an end as shown in a bar. */
export const inBar = (time: string): Html => html`<span class="until">, ${time}</span>`;

/** Explains the colours and letters: each links to this page with only that category. */
export function legend(
  frame: Frame,
  path: string,
  events: readonly Event[],
  { selection }: ViewChoice,
): Html | undefined {
  const shown = new Map<string, Category>(
    events.flatMap(({ categories: [first] }) => (first ? [[first.slug, first] as const] : [])),
  );
  const isChosen = selection.categories.length > 0;
  if (shown.size === 0 && !isChosen) return undefined;
  const address = (categories: readonly string[]): string =>
    frame.base + withChoice(path, { ...selection, categories });
  const links = [...shown.values()]
    .toSorted((one, other) => compareIn(localeOf(frame.language))(one.name, other.name))
    .map((category) => categoryTag(frame.mark, category, address([category.slug])));
  const all = isChosen && safeLink({ href: address([]) }, frame.words.allCategories);
  return html`<p class="legend">${joinHtml([...links, ...(all ? [all] : [])], ' ')}</p>`;
}
