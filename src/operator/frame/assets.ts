import { readFileSync } from 'node:fs';
import { digestOf } from '../../etag.ts';
import { TOKENS } from '../../look/styles.ts';
import { serveFile } from '../../files/served-file.ts';
import type { AssetPaths } from './layout.ts';

/** The files that pages load: their addresses and a handler for these. */
export interface Assets {
  readonly paths: AssetPaths;
  /** Undefined if `path` is not one of them; `path` begins with `/` and is relative to `/operator`. */
  readonly serve: (request: Request, path: string) => Promise<Response> | undefined;
}

const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** `base` is the path before every address of the program. */
export function makeAssets(base: string): Assets {
  const files = {
    style: { ending: 'css', type: 'text/css; charset=utf-8', text: TOKENS + own('console.css') },
    script: { ending: 'js', type: 'text/javascript; charset=utf-8', text: own('console.js') },
  };
  const served = new Map<string, (request: Request) => Promise<Response>>();
  const pathOf = ({ ending, type, text }: (typeof files)['style']): string => {
    // Contains a digest, so browsers may cache it for ever.
    const path = `/assets/console-${digestOf(text)}.${ending}`;
    served.set(
      path,
      serveFile({
        type,
        read: async () => Buffer.from(text),
        cacheControl: 'public, max-age=31536000, immutable',
      }),
    );
    return `/operator${path}`;
  };
  return {
    paths: { base, style: base + pathOf(files.style), script: pathOf(files.script) },
    serve: (request, path) => served.get(path)?.(request),
  };
}
