import { crc32, deflateSync } from 'node:zlib';

/** Phones show it among their own icons, in this size or smaller ones, and round its corners. */
const SIZE = 180;
/** The grid of the icon of browser tabs, in which the shapes below are given. */
const GRID = 16;

type Shape = readonly [left: number, top: number, right: number, bottom: number];

/** A sheet of a calendar with its two rings. */
const SHEET: readonly Shape[] = [
  [4.4, 2.8, 5.6, 5],
  [10.4, 2.8, 11.6, 5],
  [3, 4.2, 13, 13.4],
];
/** What is on it: the line below its head, and two days. */
const PRINT: readonly Shape[] = [
  [3, 6.2, 13, 6.9],
  [5, 8.8, 7, 10.8],
  [9, 8.8, 11, 10.8],
];

/** The icon of a calendar on the home screens of phones, which show no SVG: a PNG of two colours, `brand` and white. */
export function touchIcon(brand: string): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // One bit for a pixel, which is an index into the palette.
  header.set([1, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(`${brand.slice(1)}ffffff`, 'hex')),
    chunk('IDAT', deflateSync(pixels())),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * All rows of pixels. Rows that cross the same shapes are equal and are drawn once, because the icon is drawn at every
 * start.
 */
function pixels(): Buffer {
  const drawn = new Map<string, Buffer>();
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const [sheet, print] = [SHEET, PRINT].map((shapes) =>
      shapes.filter(([, top, , bottom]) => isWithin(y, top, bottom)),
    );
    const crossed = JSON.stringify([sheet, print]);
    const row = drawn.get(crossed) ?? rowOf((x) => isOn(sheet, x) && !isOn(print, x));
    drawn.set(crossed, row);
    return row;
  });
  return Buffer.concat(rows);
}

/** A row of pixels, after the byte that says that it is not filtered. */
function rowOf(isWhite: (x: number) => boolean): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil(SIZE / 8));
  for (let x = 0; x < SIZE; x += 1) {
    const at = 1 + (x >> 3);
    if (isWhite(x)) bytes[at] = (bytes[at] ?? 0) | (0x80 >> (x & 7));
  }
  return bytes;
}

const isOn = (shapes: readonly Shape[] | undefined, x: number): boolean =>
  shapes?.some(([left, , right]) => isWithin(x, left, right)) === true;

/** Whether the middle of a pixel lies between two places on the grid. */
function isWithin(pixel: number, from: number, to: number): boolean {
  const at = ((pixel + 0.5) * GRID) / SIZE;
  return at > from && at < to;
}

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
