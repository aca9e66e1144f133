import { decodeEntities } from '../../html.ts';

const TYPES = ['application/json+oembed', 'text/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];
const HEAD_MAX = 500_000;

/** The address of a page's oEmbed data, as a link of the page tells it: JSON before XML. Undefined where there is none. */
export function discoverEmbed(html: string, pageUrl: string): string | undefined {
  const links = [...html.slice(0, HEAD_MAX).replace(/<!--[\s\S]*?-->/g, '').matchAll(/<link\s[^>]*>/gi)].map(([link]) => attributesOf(link));
  for (const type of TYPES) {
    const found = links.find((link) => link.get('type')?.trim().toLowerCase() === type && link.has('href'));
    const url = found && URL.parse(found.get('href')!, pageUrl);
    if (url && /^https?:$/.test(url.protocol)) return url.href;
  }
  return undefined;
}

const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const attributesOf = (tag: string): ReadonlyMap<string, string> =>
  new Map([...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? '')]));
