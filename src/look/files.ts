import { digestOf } from '../etag.ts';
import { html } from '../html/template.ts';
import { serveFile } from '../files/served-file.ts';
import { brandStyle } from './brand.ts';
import { SCRIPT, STYLE } from './styles.ts';
import { touchIcon } from './touch-icon.ts';

/** A file that pages load. */
interface LookFile {
  /** From the root of the program. Contains a digest, so browsers may cache it for ever. */
  readonly path: string;
  readonly type: string;
  readonly content: string | Uint8Array;
}

/** The operator's logo. `address` is for a picture on another site, whose size is unknown. */
export type Logo =
  | { readonly address: string }
  | {
      readonly content: Uint8Array;
      readonly type: string;
      readonly extension: string;
      readonly width: number;
      readonly height: number;
    };

/** The logo as used in pages. */
interface LogoPicture {
  /** Undefined for a logo on another site. */
  readonly file: LookFile | undefined;
  readonly address: string;
  readonly width: number;
  readonly height: number;
}

/** The files that all public pages load. */
export interface LookFiles {
  readonly style: LookFile;
  readonly script: LookFile;
  readonly icon: LookFile;
  /** The same for the home screens of phones. */
  readonly touchIcon: LookFile;
  /** The operator's colour, if there is one. */
  readonly brand: LookFile | undefined;
  readonly logo: LogoPicture | undefined;
}

const CSS = 'text/css; charset=utf-8';
const PNG = 'image/png';
const fileOf = (name: string, ending: string, type: string, content: LookFile['content']): LookFile => ({
  path: `/assets/${name}-${digestOf(content)}.${ending}`,
  type,
  content,
});

const STYLE_FILE = fileOf('look', 'css', CSS, STYLE);
const SCRIPT_FILE = fileOf('look', 'js', 'text/javascript; charset=utf-8', SCRIPT);
/** The default colour of a calendar. */
export const BRAND = '#0b5b6b';

const iconOf = (brand: string): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2.5" width="14" height="12.5" rx="2" fill="${brand}"/>
<path d="M4.5 1v3M11.5 1v3" stroke="${brand}" stroke-width="1.6" stroke-linecap="round"/>
<path d="M3 6.5h10v6.5H3z" fill="#fff"/><path d="M5 8.5h2v2H5zm4 0h2v2H9z" fill="${brand}"/></svg>`.markup;

/** The style file with the operator's colour, also for the console. */
export const brandFile = (brand: string | undefined): LookFile | undefined =>
  brand === undefined ? undefined : fileOf('brand', 'css', CSS, brandStyle(brand));

/** The height of the logo at the top of each page, and its maximum width. */
const LOGO = { height: 36, widthMax: 180 };

function logoPicture(logo: Logo, base: string): LogoPicture {
  if ('address' in logo) return { file: undefined, address: logo.address, width: LOGO.height, height: LOGO.height };
  const file = fileOf('logo', logo.extension, logo.type, logo.content);
  const width = Math.min(LOGO.widthMax, Math.round((LOGO.height * logo.width) / logo.height));
  return { file, address: base + file.path, width, height: LOGO.height };
}

/**
 * The files of the pages in the operator's colour, with the operator's logo. `base` is the path before their addresses.
 */
export function lookFiles(brand: string | undefined, logo: Logo | undefined, base: string): LookFiles {
  const picture = logo && logoPicture(logo, base);
  // Browser tabs show a square icon.
  const square = picture?.width === picture?.height ? picture?.file : undefined;
  return {
    style: STYLE_FILE,
    script: SCRIPT_FILE,
    icon: square ?? fileOf('icon', 'svg', 'image/svg+xml', iconOf(brand ?? BRAND)),
    touchIcon: square?.type === PNG ? square : fileOf('touch-icon', 'png', PNG, touchIcon(brand ?? BRAND)),
    brand: brandFile(brand),
    logo: picture,
  };
}

const FOR_EVER = 'public, max-age=31536000, immutable';
const FRESH = 'public, max-age=3600';

/** A handler of GET and HEAD for these files; undefined for other paths. */
export function serveLook({
  style,
  script,
  icon,
  touchIcon: touch,
  brand,
  logo,
}: LookFiles): (request: Request, pathname?: string) => Promise<Response | undefined> {
  const served = new Map(
    [style, script, icon, touch, ...(brand ? [brand] : []), ...(logo?.file ? [logo.file] : [])].map(
      (file) => [file.path, answering(file, FOR_EVER)] as const,
    ),
  );
  // Requested by browsers that were not told another address, for example with answers of the interface.
  served.set('/favicon.ico', answering(icon, FRESH));
  return async (request, pathname = new URL(request.url).pathname) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    return served.get(pathname)?.(request);
  };
}

const answering = ({ type, content }: LookFile, cacheControl: string): ReturnType<typeof serveFile> =>
  serveFile({ type, read: async () => Buffer.from(content), cacheControl });
