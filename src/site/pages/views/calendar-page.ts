import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { selectionOf, type Selection } from '../../../selection/selection.ts';
import type { ChosenCategories, DayEvents } from '../../store/event-days.ts';
import type { EventTables } from '../../store/series.ts';
import { categoryTag, markLetter, type Category } from '../frame/category-mark.ts';
import { longDayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { Read } from '../frame/read.ts';
import { inline, langOf, pathOf } from '../list/event-list.ts';
import { withCategories } from './carried.ts';
import { isCancelled, lastDayOf } from './group-found.ts';

/** What the pages of a month and of a week are made of. */
export interface CalendarParts {
  readonly frame: Frame;
  readonly read: Read;
  readonly tables: EventTables;
  readonly query: URLSearchParams;
  readonly today: Day;
}

/** The categories that an address chooses: null where there is none of that name, or too much is asked for. */
export async function chosenCategories({ tables, query }: CalendarParts): Promise<ChosenCategories | null | undefined> {
  const selection = selectionOf(query);
  if ('excess' in selection) return null;
  const { categories } = selection;
  return categories.length === 0 ? undefined : ((await tables.categoriesOf(categories)) ?? null);
}

/** What is chosen, as links carry it on. */
export const choiceOf = (chosen: ChosenCategories | undefined): Pick<Selection, 'categories'> => ({
  categories: chosen?.slugs ?? [],
});

/** ", Film, Music": what a title adds for what is chosen. */
export const chosenInWords = (chosen: ChosenCategories | undefined): string =>
  (chosen?.names ?? []).map((name) => `, ${textFromHtml(name)}`).join('');

/** What is told of a day, and how many more there are on it. */
export function toldOn(
  day: Day,
  days: ReadonlyMap<Day, DayEvents>,
  events: ReadonlyMap<number, Event>,
): { readonly told: readonly Event[]; readonly left: number } {
  const own = days.get(day);
  const told = (own?.ids ?? []).flatMap((id) => events.get(id) ?? []);
  return { told, left: own ? own.total - told.length : 0 };
}

/** How the pages beside a month or a week are reached. */
interface Steps {
  /** A day of the page that today is on; undefined on that page. */
  readonly current: Day | undefined;
  readonly address: (day: Day) => string;
  readonly name: (day: Day) => HtmlPart;
}

/** Links to the page before, to that of today and to the page after. */
export function stepLinks(
  { words }: Frame,
  { before, after }: { readonly before: Day | undefined; readonly after: Day | undefined },
  { current, address, name }: Steps,
): Html {
  const step = (day: Day | undefined, rel: 'prev' | 'next' | undefined, shown: (day: Day) => HtmlPart): Html | false =>
    day !== undefined && safeLink({ class: 'btn', rel, href: address(day) }, html`${shown(day)}`);
  return joinHtml(
    [
      step(before, 'prev', (day) => html`← ${name(day)}`),
      step(current, undefined, () => words.goToday),
      step(after, 'next', (day) => html`${name(day)} →`),
    ],
    '\n',
  );
}

export const NOINDEX = html`<meta name="robots" content="noindex">`;

/** The class of an event's colour. */
export const colourOf = ({ mark }: Frame, { categories }: Event): string => mark(categories[0]).colour;

/** A letter and a title, as the cells of a month and the bars have them. */
export function markedTitle({ mark }: Frame, event: Event, time?: string): Html {
  const { letter } = mark(event.categories[0]);
  return html`${letter !== '' && html`${markLetter(letter)} `}${time !== undefined && html`<b>${time}</b> `}${inline(event.title)}`;
}

/** A link to an event. */
export const eventLink = (frame: Frame, event: Event, kind: string, shown: Html): Html =>
  safeLink(
    {
      class: `${kind} ${colourOf(frame, event)}${isCancelled(event) ? ' off' : ''}`,
      href: pathOf(event.url),
      lang: langOf(frame, event),
    },
    shown,
  );

/** ", until 28 February": until when a bar goes on. */
export const untilInWords = ({ language, words }: Frame, event: Event): Html =>
  html`<span class="until">, ${words.until} ${longDayInWords(lastDayOf(event), language)}</span>`;

/** What the colours and letters mean: each leads to this page with that category only. */
export function legend(
  frame: Frame,
  path: string,
  events: readonly Event[],
  chosen: ChosenCategories | undefined,
): Html | undefined {
  const shown = new Map<string, Category>(
    events.flatMap(({ categories: [first] }) => (first ? [[first.slug, first] as const] : [])),
  );
  if (shown.size === 0 && !chosen) return undefined;
  const links = [...shown.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name, frame.language.replace('_', '-')))
    .map((category) => categoryTag(frame.mark, category, withCategories(path, { categories: [category.slug] })));
  const all = chosen && safeLink({ href: path }, frame.words.allCategories);
  return html`<p class="legend">${joinHtml([...links, ...(all ? [all] : [])], ' ')}</p>`;
}
