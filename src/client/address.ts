import { startTags } from '../html/read-markup.ts';
import type { ReadableHeaders } from './questions.ts';

/**
 * The address of a route below a site's API root, which may be a path (`/wp-json`) or a query (`/?rest_route=/`).
 * `path` starts with a slash.
 */
export function routeAddress(root: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(root);
  url.hash = '';
  const [route = '', inPath = ''] = path.split('?', 2);
  const inQuery = url.searchParams.get('rest_route');
  if (inQuery === null) url.pathname = `${url.pathname.replace(/\/+$/, '')}${route}`;
  else url.searchParams.set('rest_route', `${inQuery.replace(/\/+$/, '')}${route}`);
  for (const [name, value] of [...new URLSearchParams(inPath), ...Object.entries(query)])
    url.searchParams.set(name, value);
  return url;
}

const HEAD_MAX = 500_000;

/**
 * The API root that a page or a response names: in its Link header, else in its link element (rel
 * `https://api.w.org/`).
 */
export function rootNamedBy(headers: ReadableHeaders, html: string, page: URL): URL | undefined {
  const inHeader = /<([^<>]*)>\s*;[^,<]*\brel\s*=\s*"?https:\/\/api\.w\.org\/"?/i.exec(headers.get('link') ?? '')?.[1];
  const inElement = startTags(html.slice(0, HEAD_MAX), ['link'])
    .find(({ attributes }) => attributes.get('rel')?.trim().toLowerCase() === 'https://api.w.org/')
    ?.attributes.get('href');
  const address = inHeader ?? inElement;
  return address !== undefined && URL.canParse(address, page.href) ? new URL(address, page) : undefined;
}
