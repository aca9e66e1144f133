import { sql, type Queryable } from '../../db/database.ts';
import { PIXELS_MAX, type Resize } from './resize.ts';

/** The widths in which pictures are served, in pixels. */
export const WIDTHS: readonly number[] = [320, 640, 1280];

/** `/media/{hash}/{width}/{name}.webp` */
export const SIZED_PATH = /^\/media\/([0-9a-f]{40})\/(\d{3,4})\/([^/?#]+)\.webp$/;

// An animation would stand still.
const RESIZED = new Set(['jpg', 'png', 'webp', 'avif']);

/** What a page knows of a picture. */
interface Known {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The addresses of a picture of the site in smaller widths; none for those of others, and for what is small already. */
export function smallerSizes(
  publicUrl: string,
  { url, width = 0, height = 0 }: Known,
): readonly (readonly [url: string, width: number])[] {
  const [, hash, name, extension = ''] =
    /^\/media\/([0-9a-f]{40})\/([^/?#]+)\.([a-z]+)$/.exec(
      url.startsWith(publicUrl) ? url.slice(publicUrl.length) : '',
    ) ?? [];
  if (hash === undefined || name === undefined || !RESIZED.has(extension) || width * height > PIXELS_MAX) return [];
  return WIDTHS.filter((each) => each < width).map((each) => [`${publicUrl}/media/${hash}/${each}/${name}.webp`, each]);
}

/** How many wait to be made; whoever comes when there are more gets the picture as it is. */
const WAITING_MAX = 64;

interface Original {
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

/** What there is of a picture in a width: its bytes, or the picture as it came. */
export type Sized =
  | { readonly kind: 'sized'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'original'; readonly extension: string }
  | undefined;

/** Gives pictures in a width; one after the other is made, and each once. Undefined where there is no such picture. */
export function imageSizes(db: Queryable, resize: Resize | undefined): (hash: string, width: number) => Promise<Sized> {
  const underWay = new Map<string, Promise<Sized>>();
  let last: Promise<unknown> = Promise.resolve();
  const make = async (hash: string, width: number, original: Original): Promise<Sized> => {
    const { rows } = await sql<{ bytes: Uint8Array }>`select bytes from site.image_files where hash = ${hash}`.execute(
      db,
    );
    const bytes = rows[0] && (await resize?.(rows[0].bytes, width));
    await sql`insert into site.image_sizes (hash, width, bytes)
      select hash, ${width}, ${bytes ? Buffer.from(bytes) : null} from site.image_files where hash = ${hash}
      on conflict do nothing`.execute(db);
    return bytes ? { kind: 'sized', bytes } : { kind: 'original', extension: original.extension };
  };
  return async (hash, width) => {
    const { rows } = await sql<Original & { made: boolean; bytes: Uint8Array<ArrayBuffer> | null }>`
      select extension, files.width, files.height, sizes.hash is not null as made, sizes.bytes
      from site.image_files as files left join site.image_sizes as sizes on sizes.hash = files.hash and sizes.width = ${width}
      where files.hash = ${hash}`.execute(db);
    const [file] = rows;
    if (!file || !WIDTHS.includes(width)) return undefined;
    if (file.bytes) return { kind: 'sized', bytes: file.bytes };
    const isFit = RESIZED.has(file.extension) && file.width > width && file.width * file.height <= PIXELS_MAX;
    if (file.made || !resize || !isFit || underWay.size >= WAITING_MAX)
      return { kind: 'original', extension: file.extension };
    const key = `${hash} ${width}`;
    const making = underWay.get(key) ?? inTurnAfter(last, () => make(hash, width, file));
    if (!underWay.has(key)) {
      underWay.set(key, making);
      last = making.catch(() => undefined).finally(() => underWay.delete(key));
    }
    return making;
  };
}

async function inTurnAfter<T>(before: Promise<unknown>, make: () => Promise<T>): Promise<T> {
  await before;
  return make();
}
