/** Minimal files of each format: just the headers, up to what a reader needs to find the size. */
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])));
const u16 = (number: number): number[] => [number >> 8, number & 255];
const u32 = (number: number): number[] => [...u16(number >>> 16), ...u16(number & 65_535)];
const u24le = (number: number): number[] => [number & 255, (number >> 8) & 255, number >> 16];
const u16le = (number: number): number[] => [number & 255, number >> 8];
const box = (type: string, ...content: readonly (string | readonly number[])[]): number[] => {
  const inner = [...bytes(...content)];
  return [...u32(8 + inner.length), ...bytes(type), ...inner];
};

export const png = (width: number, height: number, salt = 0): Uint8Array =>
  bytes([0x89], 'PNG\r\n\x1a\n', u32(13), 'IHDR', u32(width), u32(height), [8, 6, 0, 0, 0], u32(salt));
/** Has an APP0 segment and a comment before the frame. */
export const jpeg = (width: number, height: number, sof = 0xc0): Uint8Array =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe0],
    u16(16),
    'JFIF\0',
    Array.from({ length: 9 }, () => 0),
    [0xff, 0xfe],
    u16(6),
    'text',
    [0xff, 0xff, sof],
    u16(17),
    [8],
    u16(height),
    u16(width),
    [3],
  );
export const gif = (width: number, height: number): Uint8Array =>
  bytes('GIF89a', u16le(width), u16le(height), [0, 0, 0]);
export const webp = (form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Uint8Array => {
  const lossless = [
    (width - 1) & 255,
    ((width - 1) >> 8) | (((height - 1) & 3) << 6),
    ((height - 1) >> 2) & 255,
    (height - 1) >> 10,
  ];
  const content = {
    'VP8 ': [0, 0, 0, 0x9d, 0x01, 0x2a, ...u16le(width), ...u16le(height)],
    VP8L: [0x2f, ...lossless],
    VP8X: [0, 0, 0, 0, ...u24le(width - 1), ...u24le(height - 1)],
  }[form];
  return bytes('RIFF', [0, 0, 0, 0], 'WEBP', form, [0, 0, 0, 0], content);
};
/** A picture of tiles, each with its own, smaller `ispe`. */
export const avif = (width: number, height: number): Uint8Array => {
  const ispe = (x: number, y: number): number[] => box('ispe', u32(0), u32(x), u32(y));
  return bytes(
    box('ftyp', 'avif', u32(0), 'mif1', 'avif'),
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0)),
      box('iprp', box('ipco', ispe(64, 64), ispe(width, height), box('pixi', u32(0)))),
    ),
  );
};
