/** The address of a route below a site's API root, which may be a path (`/wp-json`) or a query (`/?rest_route=/`). `path` begins with a slash. */
export function routeAddress(root: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(root);
  url.hash = '';
  const [route = '', inPath = ''] = path.split('?', 2);
  const inQuery = url.searchParams.get('rest_route');
  if (inQuery === null) url.pathname = `${url.pathname.replace(/\/+$/, '')}${route}`;
  else url.searchParams.set('rest_route', `${inQuery.replace(/\/+$/, '')}${route}`);
  for (const [name, value] of [...new URLSearchParams(inPath), ...Object.entries(query)]) url.searchParams.set(name, value);
  return url;
}

/** The API root that a page or an answer names: in its Link header, else in its link element (rel `https://api.w.org/`). */
export function rootNamedBy(headers: Headers, html: string, page: URL): URL | undefined {
  const inHeader = /<([^>]*)>\s*;[^,<]*\brel\s*=\s*"?https:\/\/api\.w\.org\/"?/i.exec(headers.get('link') ?? '')?.[1];
  const element = /<link\b[^>]*\brel\s*=\s*["']?https:\/\/api\.w\.org\/["']?[^>]*>/i.exec(html)?.[0];
  const inElement = element === undefined ? undefined : /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(element)?.slice(1).find((value) => value !== undefined);
  const address = inHeader ?? inElement?.replace(/&amp;|&#0?38;/g, '&');
  return address !== undefined && URL.canParse(address, page.href) ? new URL(address, page) : undefined;
}
