import { AppError } from '../error.ts';
import { routeAddress } from './address.ts';
import { errorFrom, type Answer } from './answer.ts';
import { askForAnswer, hasCredentials, type Line } from './ask.ts';
import { isNotThere, type ReadableHeaders } from './questions.ts';
import { NO_RIGHTS } from './rights.ts';
import type { Abilities, Representations, Resource } from './site-client.ts';

/** No calendar has more pages than this; such a site repeats itself. */
const PAGES_MAX = 20_000;

/** The number of pages requested at the same time, once the site has said how many pages and items there are. */
const PAGES_AT_ONCE = 4;

/**
 * Yields every item of a list, page by page. Builds its own addresses because a site's `next_rest_url` drops filters.
 * The list ends at the last page by `total_pages`, at an empty page, or at a 404 after the first page. An item that
 * moves to a later page meanwhile is yielded once. Throws AppError.
 */
export async function* listItems<R extends Resource>(
  line: Line,
  site: Abilities,
  resource: R,
  query: Readonly<Record<string, string>>,
): AsyncIterable<Representations[R]> {
  const seen = new Set<number>();
  let atFirst: number | undefined;
  let again = 0;
  const asked = { per_page: String(site.perPageMax), ...wholeList(resource, query), ...query };
  const read = (page: number): Promise<Page<Representations[R]>> =>
    readPage(line, site, resource, { ...asked, page: String(page) }, page);
  const ahead: Promise<Page<Representations[R]>>[] = [];
  let former = Number.NaN;
  const next = async (page: number): Promise<Page<Representations[R]>> => {
    const early = await ahead.shift();
    // This page may have been read before the previous one. If the total has changed in between, items that moved from
    // that page to this one would be in neither, so it is read again.
    const found = early?.total === former ? early : await read(page);
    former = found.total;
    return found;
  };
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { items, pages, total } = await next(page);
    const fresh = items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    tellRead(line, `${resource} of the site`, asked, { pages, done: seen.size, of: total });
    yield* fresh;
    if (items.length === 0 || page >= pages) return;
    atFirst ??= total;
    if (fresh.length === 0) again += items.length;
    // A page repeats if as many items as it holds were added before it in the meantime.
    if (again > 0 && !(total - atFirst >= again))
      throw new AppError(
        'site-paging',
        `${new URL(site.root).host} gives the same ${resource} on page ${page} as before, of ${pages} pages. A cache may ignore the page parameter.`,
      );
    while (Number.isFinite(pages + total) && ahead.length < Math.min(PAGES_AT_ONCE, pages - page)) {
      const early = read(page + 1 + ahead.length);
      // If this fails, the error is reported when the page is needed, if at all.
      early.catch(() => undefined);
      ahead.push(early);
    }
  }
  throw new AppError('site-paging', `${new URL(site.root).host} has more than ${PAGES_MAX} pages of ${resource}.`);
}

/**
 * Reports the progress of a list with several pages. Callers that request items by id read several such lists, and report
 * their progress themselves.
 */
function tellRead(
  { onRead }: Line,
  unit: string,
  asked: Readonly<Record<string, string>>,
  { pages, done, of }: { readonly pages: number; readonly done: number; readonly of: number },
): void {
  if (pages > 1 && asked['include'] === undefined) onRead?.({ unit, done, of: Number.isNaN(of) ? undefined : of });
}

/** The number of items in a list; undefined if the site does not say. Throws AppError. */
export async function countItems(
  line: Line,
  site: Abilities,
  resource: Resource,
  query: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const { total } = await readPage(line, site, resource, { ...wholeList(resource, query), ...query, per_page: '1' }, 1);
  return Number.isNaN(total) ? undefined : total;
}

// By default a list leaves out items that are past, far in the future or unused (contract of real sites: defaults of
// the list routes).
function wholeList(resource: Resource, query: Readonly<Record<string, string>>): Record<string, string> {
  if (resource === 'categories' || resource === 'tags') return { hide_empty: 'false' };
  const hasWindow = Object.keys(query).some((name) =>
    /^(?:start_date|end_date|(?:starts|ends)_(?:before|after))$/.test(name),
  );
  return resource === 'events' && !hasWindow ? { starts_after: '1971-01-01' } : {};
}

interface Page<T> {
  readonly items: readonly T[];
  /** The number of pages; infinite if the site does not say. */
  readonly pages: number;
  /** The number of items in the list; NaN if the site does not say. */
  readonly total: number;
}

async function readPage<R extends Resource>(
  line: Line,
  site: Abilities,
  resource: R,
  query: Readonly<Record<string, string>>,
  page: number,
): Promise<Page<Representations[R]>> {
  const what = `reading the list of ${resource}${page > 1 ? `, page ${page}` : ''}`;
  const { answer, url } = await askForAnswer(
    line,
    { method: 'GET', url: routeAddress(site.root, `/${site.namespace}/${resource}`, query) },
    what,
  );
  const { status, body, headers } = answer;
  const items = (body as Readonly<Record<string, unknown>> | undefined)?.[resource];
  if (status === 200 && Array.isArray(items))
    return {
      items: items as Representations[R][],
      // If a site gives no number of pages, read until a page is empty.
      pages: named(body, 'total_pages', headers, 'x-tec-totalpages') ?? Number.POSITIVE_INFINITY,
      total: named(body, 'total', headers, 'x-tec-total') ?? Number.NaN,
    };
  // Past the end, or empty (old sites).
  if (isNotThere(status, body)) return { items: [], pages: 0, total: 0 };
  if (isBeyondPublic(query['status']) && refusesStatus(answer))
    throw new AppError(
      'site-no-rights',
      `${url.host} refuses to list ${resource} that are not published (rest_invalid_param): ${NO_RIGHTS}`,
    );
  throw errorFrom(answer, what, url.host, hasCredentials(line));
}

const isBeyondPublic = (status: string | undefined): boolean => status !== undefined && status !== 'publish';

/**
 * Whether the site refuses the requested status: users who may not write events may list only published ones. Sites
 * answer as for an invalid parameter.
 */
function refusesStatus({ status, body }: Answer): boolean {
  const { data } = (body ?? {}) as { data?: { params?: { status?: unknown } | null } | null };
  return status === 400 && data?.params?.status !== undefined;
}

/** A number that a site gives in the body of a list or, on some sites, only in a header. */
function named(body: unknown, key: string, headers: ReadableHeaders, header: string): number | undefined {
  const number = Number((body as Readonly<Record<string, unknown>>)[key] ?? headers.get(header) ?? Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}
