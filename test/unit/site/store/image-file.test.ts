import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageName, ownFile } from '../../../../src/site/store/image-address.ts';
import { imageFileFromBytes } from '../../../../src/site/store/image-file.ts';
import { avif, gif, jpeg, png, webp } from '../../../support/pictures.ts';

const PICTURES = [
  ['PNG', png(640, 480), 'image/png', 'png'],
  ['baseline JPEG', jpeg(640, 480), 'image/jpeg', 'jpg'],
  ['progressive JPEG', jpeg(640, 480, 0xc2), 'image/jpeg', 'jpg'],
  ['GIF', gif(640, 480), 'image/gif', 'gif'],
  ['lossy WebP', webp('VP8 ', 640, 480), 'image/webp', 'webp'],
  ['lossless WebP', webp('VP8L', 640, 480), 'image/webp', 'webp'],
  ['extended WebP', webp('VP8X', 640, 480), 'image/webp', 'webp'],
  ['AVIF of tiles', avif(640, 480), 'image/avif', 'avif'],
] as const;

describe('the type and size of a picture', () => {
  test.each(PICTURES)('%s', (_, bytes, mediaType, extension) => {
    expect(imageFileFromBytes(bytes)).toEqual({ mediaType, extension, width: 640, height: 480 });
  });

  test.each(PICTURES)('a %s that is cut off before its size is refused', (_, bytes) => {
    const whole = Array.from({ length: bytes.length }, (__, length) =>
      imageFileFromBytes(bytes.subarray(0, length)),
    ).map((file) => (file ? `${file.width}x${file.height}` : ''));
    expect(new Set(whole)).toEqual(new Set(['', ...(whole.includes('640x480') ? ['640x480'] : [])]));
    expect(
      whole.indexOf('640x480') === -1 || whole.slice(0, whole.indexOf('640x480')).every((size) => size === ''),
    ).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html><img src=x>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'],
    ['a calendar', 'BEGIN:VCALENDAR\r\n'],
    ['a PDF', '%PDF-1.7\n'],
    ['MP4', '\0\0\0\x18ftypisom\0\0\0\0isommp42'],
    ['a JPEG without a frame', '\xff\xd8\xff\xd9'],
  ])('%s is not a picture', (_, text) => {
    expect(imageFileFromBytes(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  test('a picture without width or height is refused', () => {
    expect([png(0, 10), png(10, 0), gif(0, 0)].map(imageFileFromBytes)).toEqual([undefined, undefined, undefined]);
  });

  test('a damaged file never throws an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PICTURES),
        fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 20 }),
        ([, bytes], damage) => {
          const broken = Uint8Array.from(bytes);
          for (const [at, byte] of damage) if (at < broken.length) broken[at] = byte;
          expect(() => imageFileFromBytes(broken)).not.toThrow();
        },
      ),
    );
  });
});

describe('where an image is kept', () => {
  test.each([
    ['https://x.example/a/Pic.JPG?v=2', 'pic'],
    ['https://x.example/', 'image'],
    ['https://x.example/Zdj%C4%99cie%201.png', 'zdjecie-1'],
    ['https://x.example/a%E0%A4%A', 'aa'],
    ['https://x.example/../..%2f..%2fetc', 'etc'],
    ['https://x.example/図.png', 'image'],
    [`https://x.example/${'a'.repeat(200)}.png`, 'a'.repeat(80)],
  ])('%s is called %s', (url, name) => {
    expect(imageName(url)).toBe(name);
  });

  test.each([
    [`https://site.example/media/${'a'.repeat(40)}/pic.jpg`, { hash: 'a'.repeat(40), name: 'pic' }],
    ['https://site.example/media/odd', { hash: '', name: '' }],
    ['https://other.example/media/pic.jpg', undefined],
  ])('the file of %s', (url, file) => {
    expect(ownFile({ publicUrl: 'https://site.example' }, url)).toEqual(file);
  });
});
