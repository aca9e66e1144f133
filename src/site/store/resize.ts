import type Sharp from 'sharp';

/** A size in pixels. If it has a height, images are cropped to it. */
export interface Size {
  readonly width: number;
  readonly height?: number;
}

/** Shrinks an image and converts it to WebP; undefined if it cannot or should not be decoded. */
export type Resize = (bytes: Uint8Array, size: Size) => Promise<Uint8Array<ArrayBuffer> | undefined>;

type Library = typeof Sharp;

// 40 megapixels: more than phone cameras take by default, and 160 MB when decoded.
export const PIXELS_MAX = 40_000_000;
const SECONDS_MAX = 10;
const QUALITY = 78;

/** Whether the optional resizing library is installed. It is only loaded with the first image. */
export function isResizerInstalled(): boolean {
  try {
    return import.meta.resolve('sharp') !== '';
  } catch {
    // Left out by --omit=optional.
    return false;
  }
}

const loadLibrary = async (): Promise<Library> => (await import('sharp')).default;

/**
 * Returns the function that shrinks images, outside of the event loop. Images come from strangers, so only the formats
 * that the site accepts are decoded.
 */
export function makeResizer(load: () => Promise<Library> = loadLibrary): Resize {
  let loading: Promise<Library | undefined> | undefined;
  const library = (): Promise<Library | undefined> => {
    loading ??= load().then(
      (sharp) => {
        sharp.cache(false);
        // One image occupies one processor, not all of them.
        sharp.concurrency(1);
        sharp.block({ operation: ['VipsForeignLoad'] });
        sharp.unblock({ operation: LOADERS });
        return sharp;
      },
      // Installed for another platform.
      () => undefined,
    );
    return loading;
  };
  return async (bytes, size) => {
    const sharp = await library();
    if (!sharp) return undefined;
    try {
      const made = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
        .autoOrient()
        .resize({ ...size, withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .timeout({ seconds: SECONDS_MAX })
        .toBuffer();
      return Uint8Array.from(made);
    } catch {
      // Broken, too large or too slow to decode: the page shows the original.
      return undefined;
    }
  };
}

const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadHeifBuffer',
];
