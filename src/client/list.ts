import { AppError } from '../error.ts';
import { routeAddress } from './address.ts';
import { errorFrom, type Answer } from './answer.ts';
import { askForAnswer, hasCredentials, type Line } from './ask.ts';
import { isNotThere, type ReadableHeaders } from './questions.ts';
import { NO_RIGHTS } from './rights.ts';
import type { Abilities, Representations, Resource } from './site-client.ts';

/** More pages than any calendar has: such a site is going round in circles. */
const PAGES_MAX = 20_000;

/** Once a site has said how many pages and items there are, so many pages are asked for together. */
const PAGES_AT_ONCE = 4;

/**
 * Every item of a list, page by page, with addresses of our own because a site's `next_rest_url` drops filters. The
 * list ends at the last page by `total_pages`, an empty page, or a 404 after the first. An item that moves to a later
 * page meanwhile is returned once. Throws AppError.
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
    // It may have been read before the page before it: what was pushed from that one to this meanwhile is in neither.
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
    // A page comes again when as many items as it has were added before it meanwhile.
    if (again > 0 && !(total - atFirst >= again))
      throw new AppError(
        'site-paging',
        `${new URL(site.root).host} gives the same ${resource} on page ${page} as before, of ${pages} pages. A cache may ignore the page parameter.`,
      );
    while (Number.isFinite(pages + total) && ahead.length < Math.min(PAGES_AT_ONCE, pages - page)) {
      const early = read(page + 1 + ahead.length);
      // It fails where it is wanted, if it is.
      early.catch(() => undefined);
      ahead.push(early);
    }
  }
  throw new AppError('site-paging', `${new URL(site.root).host} has more than ${PAGES_MAX} pages of ${resource}.`);
}

/** Tells of a list of several pages. Who asks for items by their ids has more such lists, and knows of how many items. */
function tellRead(
  { onRead }: Line,
  unit: string,
  asked: Readonly<Record<string, string>>,
  { pages, done, of }: { readonly pages: number; readonly done: number; readonly of: number },
): void {
  if (pages > 1 && asked['include'] === undefined) onRead?.({ unit, done, of: Number.isNaN(of) ? undefined : of });
}

/** How many items a list has; undefined if the site does not say. Throws AppError. */
export async function countItems(
  line: Line,
  site: Abilities,
  resource: Resource,
  query: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const { total } = await readPage(line, site, resource, { ...wholeList(resource, query), ...query, per_page: '1' }, 1);
  return Number.isNaN(total) ? undefined : total;
}

// Without these a list leaves out what is past, far ahead or unused (contract of real sites: defaults of the list
// routes).
function wholeList(resource: Resource, query: Readonly<Record<string, string>>): Record<string, string> {
  if (resource === 'categories' || resource === 'tags') return { hide_empty: 'false' };
  const hasWindow = Object.keys(query).some((name) =>
    /^(?:start_date|end_date|(?:starts|ends)_(?:before|after))$/.test(name),
  );
  return resource === 'events' && !hasWindow ? { starts_after: '1971-01-01' } : {};
}

interface Page<T> {
  readonly items: readonly T[];
  /** How many there are; infinite if the site does not say. */
  readonly pages: number;
  /** How many items the list has; NaN if the site does not say. */
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
  // Past the end, or empty on old sites.
  if (isNotThere(status, body)) return { items: [], pages: 0, total: 0 };
  if (isBeyondPublic(query['status']) && refusesStatus(answer))
    throw new AppError(
      'site-no-rights',
      `${url.host} refuses to list ${resource} that are not published (rest_invalid_param): ${NO_RIGHTS}`,
    );
  throw errorFrom(answer, what, url.host, hasCredentials(line));
}

const isBeyondPublic = (status: string | undefined): boolean => status !== undefined && status !== 'publish';

/** Who may write no events may ask for no other status than publish, which sites answer as a wrong parameter. */
function refusesStatus({ status, body }: Answer): boolean {
  const { data } = (body ?? {}) as { data?: { params?: { status?: unknown } | null } | null };
  return status === 400 && data?.params?.status !== undefined;
}

/** A number that a list has in its body or, on some sites, only in its headers. */
function named(body: unknown, key: string, headers: ReadableHeaders, header: string): number | undefined {
  const number = Number((body as Readonly<Record<string, unknown>>)[key] ?? headers.get(header) ?? Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}
