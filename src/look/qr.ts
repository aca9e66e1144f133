import { decodedPart } from '../ascii.ts';
import { entityTag, namesTag } from '../etag.ts';
import { html, type Html } from '../html/template.ts';

/** Longer addresses make codes that phones can no longer read off a screen. */
const ADDRESS_MAX = 400;
/** The white margin that readers need (ISO 18004, 9.1). */
const EDGE = 4;

/** A QR code as SVG, without a size of its own. */
export async function qrSvg(text: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: EDGE });
  const runs = data.map((row, y) => runsOf(row, y)).join('');
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs}"/></svg>
`;
}

/** Draws adjacent dark modules of a row as one bar, which takes a quarter of the size of one path for each module. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = row.indexOf(true); x !== -1; x = row.indexOf(true, x)) {
    const end = row.indexOf(false, x);
    const length = (end === -1 ? row.length : end) - x;
    path += `M${x} ${y}h${length}v1h-${length}z`;
    x += length;
  }
  return path;
}

/**
 * The path of the QR code for one of our pages: `/event/jazz/` → `/qr/event/jazz/.svg`, relative to the root of the
 * site. Undefined if the address is too long for a code.
 */
export function qrPath(publicUrl: string, page: string): string | undefined {
  if (`${publicUrl}${page}`.length > ADDRESS_MAX) return undefined;
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(page) ?? [];
  return `/qr${path}.svg${query}`;
}

/** The code as a picture in a page; undefined if the address is too long. `alt` says where it leads. */
export function qrImage({ publicUrl, base }: QrSite, page: string, alt: string): Html | undefined {
  const path = qrPath(publicUrl, page);
  return path === undefined
    ? undefined
    : html`<img class="qr" src="${base}${path}" alt="${alt}" width="152" height="152" loading="lazy">`;
}

/** The public address of the site, without a trailing slash, and its path. */
export interface QrSite {
  readonly publicUrl: string;
  readonly base: string;
}

const PICTURE = /^\/qr(\/[^?]*)\.svg$/;
/** How many codes are cached. One takes a millisecond and 3 kB, and many people follow the same poster or page. */
const KEPT_MAX = 200;

/** Answers `/qr/….svg` for GET and HEAD with a code for that path on this site, and never for another site. */
export function makeQrCodes(publicUrl: string): (request: Request) => Promise<Response> {
  const kept = new Map<string, string>();
  const codeOf = async (address: string): Promise<string> => {
    const svg = kept.get(address) ?? (await qrSvg(address)).markup;
    kept.delete(address);
    kept.set(address, svg);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
    return svg;
  };
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, { Allow: 'GET, HEAD' });
    const { pathname, search } = new URL(request.url);
    const [, page] = PICTURE.exec(pathname) ?? [];
    const address = `${publicUrl}${page}${search}`;
    if (page === undefined || address.length > ADDRESS_MAX) return plain(404, {});
    const svg = await codeOf(address);
    const headers = { ...HEADERS, 'Cache-Control': cacheFor(page), ETag: entityTag(svg) };
    if (namesTag(request.headers.get('if-none-match'), [headers.ETag]))
      return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : svg, { headers });
  };
}

/** The address of a private feed is secret, so shared caches must not store it. */
const cacheFor = (page: string): string =>
  decodedPart(page).includes('/~') ? 'private, no-store' : 'public, max-age=604800';

const HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const plain = (status: number, headers: Readonly<Record<string, string>>): Response =>
  new Response(
    `There is no QR code here: /qr/event/name/.svg leads to /event/name/, up to ${ADDRESS_MAX} characters.\n`,
    {
      status,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    },
  );
