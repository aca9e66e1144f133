import { refusal, wholeNumber, type Params, type Reply } from './reply.ts';

/** One page of a list in the envelope of its kind. Pages larger than the cap are silently cut. */
export function pageOf<T>(
  kind: string,
  all: readonly T[],
  params: Params,
  root: string,
  cap: number,
  render: (item: T) => unknown,
): Reply {
  const page = wholeNumber(params, 'page', 1) ?? 1;
  const perPage = Math.min(cap, wholeNumber(params, 'per_page', 1) ?? 10);
  const items = all.slice((page - 1) * perPage, page * perPage);
  const isTerms = kind === 'categories' || kind === 'tags';
  if (items.length === 0 && page > 1 && !isTerms)
    throw refusal(404, `${kind.replace(/s$/, '')}-archive-page-not-found`);
  const pages = Math.ceil(all.length / perPage);
  // Links lose parameters: terms lose all, events their terms, venues and organizers the search.
  const kept = isTerms
    ? []
    : Object.entries(params).filter(
        ([name]) => !['categories', 'tags', 'search', 'page', 'strict_dates'].includes(name),
      );
  const link = (to: number): string =>
    `${root}/${kind}/?${[...kept.map(([name, value]) => `${name}=${String(value)}`), `page=${to}`].join('&')}`;
  return {
    status: 200,
    headers: { 'x-tec-total': String(all.length), 'x-tec-totalpages': String(pages) },
    body: {
      [kind]: items.map(render),
      rest_url: link(page),
      ...(page < pages ? { next_rest_url: link(page + 1) } : {}),
      ...(page > 1 ? { previous_rest_url: link(page - 1) } : {}),
      total: items.length === 0 && isTerms && page > 1 ? 0 : all.length,
      total_pages: pages,
    },
  };
}
