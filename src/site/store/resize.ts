import type Sharp from 'sharp';

/** In pixels; with a height, a picture is cut to it. */
export interface Size {
  readonly width: number;
  readonly height?: number;
}

/** Makes a picture smaller, as WebP; undefined for what cannot be, or should not be, decoded. */
export type Resize = (bytes: Uint8Array, size: Size) => Promise<Uint8Array<ArrayBuffer> | undefined>;

type Library = typeof Sharp;

// 40 megapixels: more than cameras of telephones take by default, 160 MB as it is decoded.
export const PIXELS_MAX = 40_000_000;
const SECONDS_MAX = 10;
const QUALITY = 78;

/** Whether the library that resizes has been installed; it is optional, and is loaded with the first picture. */
export function isResizerInstalled(): boolean {
  try {
    return import.meta.resolve('sharp') !== '';
  } catch {
    // Left out with --omit=optional.
    return false;
  }
}

const loadLibrary = async (): Promise<Library> => (await import('sharp')).default;

/** Pictures come from strangers: only formats that the site takes are decoded, outside of the event loop. */
export function makeResizer(load: () => Promise<Library> = loadLibrary): Resize {
  let loading: Promise<Library | undefined> | undefined;
  const library = (): Promise<Library | undefined> => {
    loading ??= load().then(
      (sharp) => {
        sharp.cache(false);
        // One picture keeps one processor busy, not all of them.
        sharp.concurrency(1);
        sharp.block({ operation: ['VipsForeignLoad'] });
        sharp.unblock({ operation: LOADERS });
        return sharp;
      },
      // Installed for another machine.
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
      // Broken, too large, or made to take for ever: the page shows the picture as it came.
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
