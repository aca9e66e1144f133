import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyWriter, type FeedBody } from '../../../src/feeds/content/feed-body.ts';

async function written(pieces: readonly string[]): Promise<FeedBody> {
  const writer = bodyWriter();
  for (const piece of pieces) await writer.add(piece);
  return writer.end('head\r\n', 'tail\r\n');
}

async function bytesOf(body: FeedBody, coding: 'gzip' | 'br'): Promise<Buffer> {
  const { octets, chunks } = await body.coded(coding);
  const parts: Buffer[] = [];
  for await (const chunk of chunks()) parts.push(chunk);
  expect(octets).toBe(Buffer.concat(parts).length);
  return Buffer.concat(parts);
}

test.each([
  ['small', 3],
  ['large', 400],
])('a %s body is the same in every coding, and is compressed once', async (_name, count) => {
  const pieces = Array.from({ length: count }, (_, number) => `ż${number} `.repeat(2_000));
  const body = await written(pieces);
  const expected = Buffer.from(`head\r\n${pieces.join('')}tail\r\n`);
  expect(body.octets).toBe(expected.length);
  expect((await body.bytes()).equals(expected)).toBe(true);
  expect(gunzipSync(await bytesOf(body, 'gzip')).equals(expected)).toBe(true);
  expect(brotliDecompressSync(await bytesOf(body, 'br')).equals(expected)).toBe(true);
  expect(await body.coded('gzip')).toBe(await body.coded('gzip'));
  expect(body.octetsHeld()).toBeLessThan(Math.min(expected.length * 2, 1_200_000));
  expect((await written(pieces)).hash).toBe(body.hash);
  expect((await written([...pieces, ' '])).hash).not.toBe(body.hash);
});
