import { sql, type Queryable } from '../../db/database.ts';
import { MEDIA_PATH } from './image-address.ts';
import { PIXELS_MAX, type Resize, type Size } from './resize.ts';

/** The widths in which images are served, in pixels. */
export const WIDTHS: readonly number[] = [320, 640, 1280];

/**
 * The aspect ratios that search engines ask for, to which images are cropped. Sizes are stored by width, so no two may
 * share one.
 */
export const CUTS: readonly Required<Size>[] = [
  { width: 720, height: 720 },
  { width: 960, height: 720 },
  { width: 1200, height: 675 },
];

/** `/media/{hash}/{size}/{name}.webp` */
export const SIZED_PATH = /^\/media\/([0-9a-f]{40})\/(\d{3,4}(?:x\d{3,4})?)\/([^/?#]+)\.webp$/;

/** A size as it appears in addresses: `640`, `1200x675`. */
const nameOf = ({ width, height }: Size): string => `${width}${height === undefined ? '' : `x${height}`}`;
const SIZES = new Map([...WIDTHS.map((width): Size => ({ width })), ...CUTS].map((size) => [nameOf(size), size]));

// GIFs are left out because resizing drops their animation.
const RESIZED = new Set(['jpg', 'png', 'webp', 'avif']);

/** What a page knows about an image. */
interface Known {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The addresses of narrower versions of an image of this site; none for other sites' images and for small ones. */
export function smallerSizes(publicUrl: string, known: Known): readonly (readonly [url: string, width: number])[] {
  const { width = 0 } = known;
  const address = sizedAddress(publicUrl, known);
  return address ? WIDTHS.filter((each) => each < width).map((each) => [address({ width: each }), each]) : [];
}

/** The addresses of an image of this site in each aspect ratio for which it is large enough. */
export function cutSizes(publicUrl: string, known: Known): readonly string[] {
  const { width = 0, height = 0 } = known;
  const address = sizedAddress(publicUrl, known);
  return address ? CUTS.filter((cut) => cut.width <= width && cut.height <= height).map(address) : [];
}

/** Returns a function from a size to the image's address in that size; undefined if the image is not resized. */
function sizedAddress(publicUrl: string, { url, width = 0, height = 0 }: Known): ((size: Size) => string) | undefined {
  const [, hash, name, extension = ''] =
    MEDIA_PATH.exec(url.startsWith(publicUrl) ? url.slice(publicUrl.length) : '') ?? [];
  if (hash === undefined || name === undefined || !RESIZED.has(extension) || width * height > PIXELS_MAX)
    return undefined;
  return (size) => `${publicUrl}/media/${hash}/${nameOf(size)}/${name}.webp`;
}

/** How many resizing jobs may wait; further requests get the original. */
const WAITING_MAX = 64;

interface Original {
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

/** An image in a size: its bytes, or a reference to the original. */
export type Sized =
  | { readonly kind: 'sized'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'original'; readonly extension: string }
  | undefined;

/**
 * Returns a function that serves images in a size, resizing one at a time and each only once. It returns undefined if
 * there is no such image.
 */
export function imageSizes(db: Queryable, resize: Resize | undefined): (hash: string, size: string) => Promise<Sized> {
  const underWay = new Map<string, Promise<Sized>>();
  let last: Promise<unknown> = Promise.resolve();
  const make = async (hash: string, size: Size, original: Original): Promise<Sized> => {
    const { rows } = await sql<{ bytes: Uint8Array }>`select bytes from site.image_files where hash = ${hash}`.execute(
      db,
    );
    const bytes = rows[0] && (await resize?.(rows[0].bytes, size));
    await sql`insert into site.image_sizes (hash, width, bytes)
      select hash, ${size.width}, ${bytes ? Buffer.from(bytes) : null} from site.image_files where hash = ${hash}
      on conflict do nothing`.execute(db);
    return bytes ? { kind: 'sized', bytes } : { kind: 'original', extension: original.extension };
  };
  return async (hash, name) => {
    const size = SIZES.get(name);
    if (!size) return undefined;
    const { width } = size;
    const { rows } = await sql<Original & { made: boolean; bytes: Uint8Array<ArrayBuffer> | null }>`
      select extension, files.width, files.height, sizes.hash is not null as made, sizes.bytes
      from site.image_files as files left join site.image_sizes as sizes on sizes.hash = files.hash and sizes.width = ${width}
      where files.hash = ${hash}`.execute(db);
    const [file] = rows;
    if (!file) return undefined;
    if (file.bytes) return { kind: 'sized', bytes: file.bytes };
    if (file.made || !resize || !isFit(file, size) || underWay.size >= WAITING_MAX)
      return { kind: 'original', extension: file.extension };
    const key = `${hash} ${width}`;
    const making = underWay.get(key) ?? inTurnAfter(last, () => make(hash, size, file));
    if (!underWay.has(key)) {
      underWay.set(key, making);
      last = making.catch(() => undefined).finally(() => underWay.delete(key));
    }
    return making;
  };
}

/** Whether an image can be resized to a size and is larger than it. */
function isFit({ extension, width, height }: Original, size: Size): boolean {
  const isLarger = size.height === undefined ? width > size.width : width >= size.width && height >= size.height;
  return isLarger && RESIZED.has(extension) && width * height <= PIXELS_MAX;
}

async function inTurnAfter<T>(before: Promise<unknown>, make: () => Promise<T>): Promise<T> {
  await before;
  return make();
}
