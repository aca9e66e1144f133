import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { digestOf, namesTag } from '../../etag.ts';
import { html } from '../../html/template.ts';
import { DOC_SCRIPT, DOC_STYLE } from './doc-assets.ts';

const ICON =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2.5" width="14" height="12.5" rx="2" fill="#0b57a4"/>
<path d="M4.5 1v3M11.5 1v3" stroke="#0b57a4" stroke-width="1.6" stroke-linecap="round"/><path d="M3 6.5h10v6.5H3z" fill="#fff"/><path d="M5 8.5h2v2H5zm4 0h2v2H9z" fill="#0b57a4"/></svg>`
    .markup;

interface Asset {
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
}
interface Kept {
  readonly plain: Uint8Array;
  readonly packed: Uint8Array;
  readonly tag: string;
}

const written =
  (text: string): Asset['read'] =>
  async () =>
    Buffer.from(text);
const fromViewer =
  (file: string): Asset['read'] =>
  () =>
    readFile(new URL(file, import.meta.resolve('swagger-ui-dist/package.json')));

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const ASSETS: Readonly<Record<string, Asset>> = {
  '/assets/icon.svg': { type: 'image/svg+xml', read: written(ICON) },
  // Asked for by browsers that were not told of another: on answers of the interface, for one.
  '/favicon.ico': { type: 'image/svg+xml', read: written(ICON) },
  '/assets/doc/swagger-ui.css': { type: CSS, read: fromViewer('swagger-ui.css') },
  '/assets/doc/swagger-ui-bundle.js': { type: SCRIPT, read: fromViewer('swagger-ui-bundle.js') },
  '/assets/doc/doc.css': { type: CSS, read: written(DOC_STYLE) },
  '/assets/doc/doc.js': { type: SCRIPT, read: written(DOC_SCRIPT) },
};
const FRESH_S = 3_600;

/**
 * `/assets/…` and `/favicon.ico`: the few files that pages load, for GET and HEAD; each is read and packed at its first
 * use. Undefined for other paths.
 */
export function makeAssets(): (request: Request) => Promise<Response | undefined> {
  const kept = new Map<string, Promise<Kept>>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const asset = Object.hasOwn(ASSETS, pathname) ? ASSETS[pathname] : undefined;
    if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
    const loading = kept.get(pathname) ?? load(asset);
    kept.set(pathname, loading);
    return answer(request, asset, await loading);
  };
}

async function load({ read }: Asset): Promise<Kept> {
  const plain = await read();
  return {
    plain,
    packed: await promisify(gzip)(plain),
    tag: digestOf(plain),
  };
}

function answer(request: Request, { type }: Asset, { plain, packed, tag }: Kept): Response {
  const isPacked = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  // Each coding has its own bytes, and so its own tag (RFC 9110, 8.8.3.3).
  const etag = `"${tag}${isPacked ? '-gzip' : ''}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': `public, max-age=${FRESH_S}`,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  };
  if (namesTag(request.headers.get('if-none-match'), [etag])) return new Response(null, { status: 304, headers });
  const body = isPacked ? packed : plain;
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
    headers: {
      ...headers,
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
}
