import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codedOf } from '../../../src/files/coded.ts';

const TEXT = 'Every Wednesday until 6 March. '.repeat(100);
const text = codedOf(Buffer.from(TEXT), { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
const ask = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  text.answer(new Request('http://town.example/', { method, headers }));
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

describe('a text that is sent often', () => {
  test.each([
    [undefined, null, (bytes: Buffer) => bytes],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['gzip;q=0', null, (bytes: Buffer) => bytes],
    ['deflate', null, (bytes: Buffer) => bytes],
  ])('is sent, if Accept-Encoding is %s, with Content-Encoding %s', async (accepted, coding, decode) => {
    const answer = await ask(accepted === undefined ? {} : { 'accept-encoding': accepted });
    expect([answer.status, answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      200,
      coding,
      'Accept-Encoding',
    ]);
    const bytes = await bytesOf(answer);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.length < TEXT.length).toBe(coding !== null);
    expect(decode(bytes).toString()).toBe(TEXT);
  });

  test('has an ETag for each coding, and each of them leads to a 304', async () => {
    const accepted = ['identity', 'gzip', 'br'];
    const tags = await Promise.all(
      accepted.map(async (coding) => (await ask({ 'accept-encoding': coding })).headers.get('etag') ?? ''),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const answer = await ask({ 'accept-encoding': 'br', 'if-none-match': tag });
      expect([answer.status, (await bytesOf(answer)).length]).toEqual([304, 0]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.has('content-length')).toBe(false);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is sent uncompressed where that is rare, with an ETag that stays valid', async () => {
    const request = new Request('http://town.example/', { headers: { 'accept-encoding': 'br' } });
    const [rare, usual] = [await text.answer(request, true), await text.answer(request)];
    expect([rare, usual].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'br']);
    expect(rare.headers.get('vary')).toBe('Accept-Encoding');
    expect((await ask({ 'if-none-match': rare.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('has the same headers for HEAD', async () => {
    const [whole, head] = [await ask({ 'accept-encoding': 'gzip' }), await ask({ 'accept-encoding': 'gzip' }, 'HEAD')];
    expect((await bytesOf(head)).length).toBe(0);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(whole.headers));
  });
});

test.each([
  ['image/png', null, null],
  ['image/svg+xml', 'br', 'Accept-Encoding'],
])('a picture of the type %s is sent with Content-Encoding %s', async (type, coding, vary) => {
  const answer = await codedOf(Buffer.from(TEXT), { 'content-type': type }).answer(
    new Request('http://town.example/logo', { headers: { 'accept-encoding': 'br' } }),
  );
  expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([coding, vary]);
});

test('a small text is not compressed', async () => {
  const answer = await codedOf(Buffer.from('few'), { 'content-type': 'text/plain' }).answer(
    new Request('http://town.example/few', { headers: { 'accept-encoding': 'br' } }),
  );
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, 'few']);
});
