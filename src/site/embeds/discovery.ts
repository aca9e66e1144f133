import { startTags } from '../../html/read-markup.ts';

const TYPES = ['application/json+oembed', 'text/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];
const HEAD_MAX = 500_000;

/**
 * Returns the address of a page's oEmbed data, from a link in the page; JSON is preferred to XML. Undefined if there is
 * none.
 */
export function discoverEmbed(html: string, pageUrl: string): string | undefined {
  const links = startTags(html.slice(0, HEAD_MAX), ['link']).map(({ attributes }) => attributes);
  for (const type of TYPES) {
    const found = links.find((link) => link.get('type')?.trim().toLowerCase() === type && link.has('href'));
    const url = found && URL.parse(found.get('href') ?? '', pageUrl);
    if (url && /^https?:$/.test(url.protocol)) return url.href;
  }
  return undefined;
}
