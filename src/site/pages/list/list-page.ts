import type { CategoryPage, EventPage, TermRecord } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, type Html } from '../../../html/template.ts';
import { dayAfter } from '../../../time.ts';
import { isDay, type Day } from '../frame/dates.ts';
import { eventList, pager, pathOf } from './event-list.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { notFound, type Read } from '../frame/read.ts';

const PER_PAGE = '50';
const CATEGORIES_MAX = '50';

/** `/`: coming events as a list, with a search field, a day to begin with, and the categories. */
export async function listPage(frame: Frame, read: Read, asked: URLSearchParams, today: Day): Promise<Page> {
  const search = (asked.get('search') ?? '').trim();
  const day = asked.get('from') ?? '';
  const from = isDay(day) ? day : today;
  const page = pageNumber(asked);
  const query = { ...(search === '' ? {} : { search }), ...(from === today ? {} : { from }) };
  const [list, categories] = await Promise.all([
    read<EventPage>('/events', {
      ...(search === '' ? {} : { search }),
      ...comingFrom(from),
      page: String(page),
      per_page: PER_PAGE,
    }),
    read<CategoryPage>('/categories', { per_page: CATEGORIES_MAX, orderby: 'count', order: 'desc' }),
  ]);
  if (!list.ok) return notFound(frame);
  const { settings, words } = frame;
  return {
    title: search === '' ? '' : `${words.search}: ${search}`,
    view: 'list',
    api: '',
    main: html`<h1>${settings.title}</h1>
${settings.description !== '' && html`<p>${settings.description}</p>`}
${searchForm(frame, search, from)}
${categories.ok && categoryLinks(frame, categories.value.categories)}
${eventList(frame, list.value.events, from, search === '' ? words.nothing : words.nothingFound)}
${pager(frame, '/', query, page, list.value)}`,
  };
}

/** The filter for what is not over on a day. */
// Without `strict_dates` it means: ends after that day.
export const comingFrom = (day: Day): Readonly<Record<string, string>> => ({ ends_after: dayAfter(day, -1) });

export const pageNumber = (asked: URLSearchParams): number =>
  Math.min(1_000_000, Math.max(1, Number.parseInt(asked.get('page') ?? '1', 10) || 1));

const searchForm = (
  { base, words }: Frame,
  search: string,
  from: Day,
): Html => html`<form class="search" role="search" action="${base}/">
<label>${words.search}<input type="search" name="search" value="${search}"></label>
<label class="date">${words.from}<input type="date" name="from" value="${from}"></label>
<button>${words.show}</button></form>`;

function categoryLinks({ words }: Frame, categories: readonly TermRecord[]): Html | undefined {
  if (categories.length === 0) return undefined;
  // Their counts include protected events, as on real sites, so they would tell what is hidden.
  const links = categories.map(({ url, name }) => html`<li>${safeLink({ href: pathOf(url) }, sanitized(name))}</li>`);
  return html`<nav class="terms" aria-label="${words.categories}"><ul>${links}</ul></nav>`;
}
