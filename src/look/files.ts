import { digestOf } from '../etag.ts';
import { html } from '../html/template.ts';
import { serveFile } from '../served-file.ts';
import { brandStyle } from './brand.ts';
import { SCRIPT, STYLE } from './styles.ts';

/** A file that pages load. */
interface LookFile {
  /** From the root of the program. Its content is in it, so a browser need not ask again. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The files that all public pages load. */
export interface LookFiles {
  readonly style: LookFile;
  readonly script: LookFile;
  readonly icon: LookFile;
  /** The operator's colour, where there is one. */
  readonly brand: LookFile | undefined;
}

const CSS = 'text/css; charset=utf-8';
const fileOf = (name: string, ending: string, type: string, text: string): LookFile => ({
  path: `/assets/${name}-${digestOf(text)}.${ending}`,
  type,
  text,
});

const STYLE_FILE = fileOf('look', 'css', CSS, STYLE);
const SCRIPT_FILE = fileOf('look', 'js', 'text/javascript; charset=utf-8', SCRIPT);
/** The colour of a calendar whose operator has set none. */
export const BRAND = '#0b5b6b';

const iconOf = (brand: string): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2.5" width="14" height="12.5" rx="2" fill="${brand}"/>
<path d="M4.5 1v3M11.5 1v3" stroke="${brand}" stroke-width="1.6" stroke-linecap="round"/><path d="M3 6.5h10v6.5H3z" fill="#fff"/><path d="M5 8.5h2v2H5zm4 0h2v2H9z" fill="${brand}"/></svg>`
    .markup;

/** The files of the pages in the operator's colour. */
export const lookFiles = (brand: string | undefined): LookFiles => ({
  style: STYLE_FILE,
  script: SCRIPT_FILE,
  icon: fileOf('icon', 'svg', 'image/svg+xml', iconOf(brand ?? BRAND)),
  brand: brand === undefined ? undefined : fileOf('brand', 'css', CSS, brandStyle(brand)),
});

const FOR_EVER = 'public, max-age=31536000, immutable';
const FRESH = 'public, max-age=3600';

/** Answers GET and HEAD for the files of the pages; undefined for other paths. */
export function serveLook({
  style,
  script,
  icon,
  brand,
}: LookFiles): (request: Request) => Promise<Response | undefined> {
  const served = new Map(
    [style, script, icon, ...(brand ? [brand] : [])].map((file) => [file.path, answering(file, FOR_EVER)] as const),
  );
  // Asked for by browsers that were not told of another: on answers of the interface, for one.
  served.set('/favicon.ico', answering(icon, FRESH));
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    return served.get(new URL(request.url).pathname)?.(request);
  };
}

const answering = ({ type, text }: LookFile, cacheControl: string): ReturnType<typeof serveFile> =>
  serveFile({ type, read: async () => Buffer.from(text), cacheControl });
