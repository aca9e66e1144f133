/** The type and size of an image, read from its first bytes; sizes are in pixels. */
export interface ImageFile {
  readonly mediaType: string;
  readonly extension: string;
  readonly width: number;
  readonly height: number;
}

type Size = readonly [width: number, height: number];
interface Format {
  readonly mediaType: string;
  readonly extension: string;
  readonly size: (bytes: DataView) => Size | undefined;
}

// Nothing that browsers execute: no SVG, no HTML. The media type declared by a server is ignored.
const FORMATS: readonly Format[] = [
  { mediaType: 'image/jpeg', extension: 'jpg', size: jpegSize },
  { mediaType: 'image/png', extension: 'png', size: pngSize },
  { mediaType: 'image/gif', extension: 'gif', size: gifSize },
  { mediaType: 'image/webp', extension: 'webp', size: webpSize },
  { mediaType: 'image/avif', extension: 'avif', size: avifSize },
];

/** Returns the type and size of a JPEG, PNG, GIF, WebP or AVIF image; undefined for everything else. */
export function imageFileFromBytes(bytes: Uint8Array): ImageFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { mediaType, extension, size } of FORMATS) {
    const [width, height] = sizeIn(view, size) ?? [0, 0];
    if (width > 0 && height > 0) return { mediaType, extension, width, height };
  }
  return undefined;
}

function sizeIn(view: DataView, size: Format['size']): Size | undefined {
  try {
    return size(view);
  } catch (error) {
    // Truncated before its size, so not an image.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const ascii = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));

/** ITU T.81, B.2.2: the frame header (any SOF) after any number of other segments. */
function jpegSize(view: DataView): Size | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += segmentBytes(view, at, marker);
  }
  return undefined;
}

function segmentBytes(view: DataView, at: number, marker: number): number {
  const isFill = marker === 0xff;
  if (isFill) return 1;
  const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
  return isAlone ? 2 : 2 + view.getUint16(at + 2);
}

function pngSize(view: DataView): Size | undefined {
  const isPng = view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a && ascii(view, 12, 4) === 'IHDR';
  return isPng ? [view.getUint32(16), view.getUint32(20)] : undefined;
}

function gifSize(view: DataView): Size | undefined {
  return /^GIF8[79]a$/.test(ascii(view, 0, 6)) ? [view.getUint16(6, true), view.getUint16(8, true)] : undefined;
}

/** RFC 9649: the simple, the lossless and the extended form. */
function webpSize(view: DataView): Size | undefined {
  if (ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return undefined;
  const chunk = ascii(view, 12, 4);
  if (chunk === 'VP8X') return [1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint32(26, true) >>> 8)];
  if (chunk === 'VP8L' && view.getUint8(20) === 0x2f)
    return [1 + (view.getUint32(21, true) & 0x3fff), 1 + ((view.getUint32(21, true) >>> 14) & 0x3fff)];
  const isKeyFrame = chunk === 'VP8 ' && view.getUint8(23) === 0x9d && view.getUint16(24) === 0x012a;
  return isKeyFrame ? [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff] : undefined;
}

/**
 * ISO 23008-12: the brand in `ftyp`, then the largest `ispe` (spatial extent) among the item properties, as tiles have
 * smaller ones.
 */
function avifSize(view: DataView): Size | undefined {
  if (ascii(view, 4, 4) !== 'ftyp') return undefined;
  const brands = ascii(view, 8, Math.min(BRANDS_BYTES_MAX, Math.max(8, view.getUint32(0)) - 8));
  if (!/avi[fs]/.test(brands)) return undefined;
  const meta = boxes(view, 0, view.byteLength).find(({ type }) => type === 'meta');
  // `meta` begins with a version and flags.
  const properties = meta && inside(view, inside(view, [{ ...meta, from: meta.from + 4 }], 'iprp'), 'ipco');
  const extents = (properties ?? [])
    .flatMap(({ from, to }) => boxes(view, from, to))
    .filter(({ type }) => type === 'ispe')
    .map(({ from }): Size => [view.getUint32(from + 4), view.getUint32(from + 8)]);
  return extents.toSorted((one, other) => other[0] * other[1] - one[0] * one[1])[0];
}

// Four bytes per brand; files have a handful.
const BRANDS_BYTES_MAX = 256;

interface Box {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}
const BOXES_MAX = 1000;

function boxes(view: DataView, start: number, end: number): readonly Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end && found.length < BOXES_MAX;) {
    const isLarge = view.getUint32(at) === 1;
    const size = isLarge ? Number(view.getBigUint64(at + 8)) : view.getUint32(at) || end - at;
    // A truncated box cannot be used.
    if (size < 8 || at + size > end) break;
    found.push({ type: ascii(view, at + 4, 4), from: at + (isLarge ? 16 : 8), to: at + size });
    at += size;
  }
  return found;
}

const inside = (view: DataView, outer: readonly Box[], type: string): readonly Box[] =>
  outer.flatMap(({ from, to }) => boxes(view, from, to)).filter((box) => box.type === type);
