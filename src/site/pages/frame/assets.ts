import { readFile } from 'node:fs/promises';
import { html } from '../../../html/template.ts';
import { serveFile, type ServedFile } from '../../../served-file.ts';
import { DOC_SCRIPT, DOC_STYLE } from '../doc/doc-assets.ts';

const ICON =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2.5" width="14" height="12.5" rx="2" fill="#0b57a4"/>
<path d="M4.5 1v3M11.5 1v3" stroke="#0b57a4" stroke-width="1.6" stroke-linecap="round"/><path d="M3 6.5h10v6.5H3z" fill="#fff"/><path d="M5 8.5h2v2H5zm4 0h2v2H9z" fill="#0b57a4"/></svg>`
    .markup;

type Asset = Pick<ServedFile, 'type' | 'read'>;

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
 * `/assets/…` and `/favicon.ico`: the few files that pages load, for GET and HEAD. Undefined for other paths.
 */
export function makeAssets(): (request: Request) => Promise<Response | undefined> {
  const served = new Map(
    Object.entries(ASSETS).map(([path, asset]) => [
      path,
      serveFile({ ...asset, cacheControl: `public, max-age=${FRESH_S}` }),
    ]),
  );
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    return served.get(new URL(request.url).pathname)?.(request);
  };
}
