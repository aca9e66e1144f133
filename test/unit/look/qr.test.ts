import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import { makeQrCodes, qrImage, qrPath, qrSvg } from '../../../src/look/qr.ts';

/** The dark modules of a drawn code, by row. */
function drawn(svg: string): readonly string[] {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'));
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    rows[Number(y)]?.fill('#', Number(x), Number(x) + Number(length));
  return rows.map((row) => row.join(''));
}

const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  makeQrCodes('https://events.example/town')(new Request(`http://localhost${path}`, { headers }));

describe('a QR code', () => {
  test.each(['https://events.example/event/jazz/', 'https://events.example/?q=早春', 'x'.repeat(400)])(
    'of %s has every module and a quiet zone of four',
    async (text) => {
      const svg = (await qrSvg(text)).markup;
      const { data } = encode(text, { ecc: 'M', border: 4 });
      expect(drawn(svg)).toEqual(data.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')));
      expect(svg).not.toMatch(/style=|<script/);
    },
  );

  test('of an address is smaller than 5 kB', async () =>
    expect((await qrSvg('https://events.example/event/story-time-for-small-ears/')).markup.length).toBeLessThan(5_000));
});

describe('the response', () => {
  test('is a code for the page of that path on this site', async () => {
    const answer = await ask('/qr/feeds/events.svg?categories=children,music');
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(await answer.text()).toBe(
      (await qrSvg('https://events.example/town/feeds/events?categories=children,music')).markup,
    );
  });

  test('is 304 for a client that has it', async () => {
    const tag = (await ask('/qr/event/jazz/.svg')).headers.get('etag') ?? '';
    expect((await ask('/qr/event/jazz/.svg', { 'if-none-match': tag })).status).toBe(304);
  });

  test.each(['~', '%7E', '%7e'])('for a secret address, written with %s, stays out of caches', async (sign) =>
    expect((await ask(`/qr/feeds/${sign}abc/staff.svg`)).headers.get('cache-control')).toBe('private, no-store'),
  );

  test.each(['/qr/', '/qr/event', `/qr/event/${'x'.repeat(400)}/.svg`])('to %s is 404', async (path) =>
    expect((await ask(path)).status).toBe(404),
  );

  test('to a POST is 405', async () => {
    const answer = await makeQrCodes('https://events.example')(
      new Request('http://localhost/qr/event/jazz/.svg', { method: 'POST' }),
    );
    expect(answer.status).toBe(405);
  });
});

describe('the picture on a page', () => {
  test('is the code of its page, below the path of the site', () => {
    const image = qrImage({ publicUrl: 'https://events.example/town', base: '/town' }, '/event/a-b/?x=1&y=2#z', 'Code');
    expect(image?.markup).toContain('src="/town/qr/event/a-b/.svg?x=1&amp;y=2" alt="Code"');
  });

  test('is left out if the address is too long for phones to scan', () =>
    expect(qrPath('https://events.example', `/event/${'x'.repeat(400)}`)).toBeUndefined());
});
