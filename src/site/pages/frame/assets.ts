import { readFile } from 'node:fs/promises';
import { serveLook } from '../../../look/files.ts';
import type { Look } from '../../../look/look.ts';
import { serveFile, type ServedFile } from '../../../files/served-file.ts';
import { EMBED_SCRIPT, INSIDE_PATH, INSIDE_SCRIPT } from '../embed/embed-files.ts';
import { DOC_SCRIPT, DOC_STYLE } from '../doc/doc-assets.ts';

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
  '/embed.js': { type: SCRIPT, read: written(EMBED_SCRIPT) },
  [INSIDE_PATH]: { type: SCRIPT, read: written(INSIDE_SCRIPT) },
  '/assets/doc/swagger-ui.css': { type: CSS, read: fromViewer('swagger-ui.css') },
  '/assets/doc/swagger-ui-bundle.js': { type: SCRIPT, read: fromViewer('swagger-ui-bundle.js') },
  '/assets/doc/doc.css': { type: CSS, read: written(DOC_STYLE) },
  '/assets/doc/doc.js': { type: SCRIPT, read: written(DOC_SCRIPT) },
};
const FRESH_S = 3_600;

/**
 * Serves `/assets/…` and `/favicon.ico`, the few files that pages load, for GET and HEAD. Undefined for other paths.
 */
export function makeAssets({ files }: Look): (request: Request, pathname?: string) => Promise<Response | undefined> {
  const look = serveLook(files);
  const served = new Map(
    Object.entries(ASSETS).map(([path, asset]) => [
      path,
      serveFile({ ...asset, cacheControl: `public, max-age=${FRESH_S}` }),
    ]),
  );
  return async (request, pathname = new URL(request.url).pathname) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    return (await look(request, pathname)) ?? served.get(pathname)?.(request);
  };
}
