import { describe, expect, test } from 'vitest';
import { readLogo } from '../../../src/cli/open/read-logo.ts';
import { html } from '../../../src/html/template.ts';
import { brandStyle, lightnessOf } from '../../../src/look/brand.ts';
import { lookDocument } from '../../../src/look/document.ts';
import { serveLook } from '../../../src/look/files.ts';
import { icon, spriteFor } from '../../../src/look/icons.ts';
import { lookOf, type LookSettings } from '../../../src/look/look.ts';
import { compactCss, STYLE } from '../../../src/look/styles.ts';
import { scratchPath } from '../../support/scratch.ts';
import { rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { crc32, inflateSync } from 'node:zlib';

const settings: LookSettings = { title: 'Town', publicUrl: 'https://town.example/calendar', language: 'en' };
const page = (more: Partial<LookSettings> = {}): string =>
  lookDocument(lookOf({ ...settings, ...more }), { title: 'Today', main: html`<h1>Today</h1>` });

describe('the frame of a page', () => {
  test('links to every view, below the path of the calendar', () => {
    const links = [...page().matchAll(/href="([^"#]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['/calendar/', '/calendar/month/', '/calendar/feeds/']));
    expect(links.filter((link) => !link.startsWith('/calendar/'))).toEqual([]);
  });

  test('links to the views with the filters kept; links with a query are nofollow', () => {
    const shown = lookDocument(lookOf(settings), {
      title: 'Today',
      main: html`<h1>Today</h1>`,
      ways: { list: '/?category=arts+%26+crafts', month: '/month/2027-01/' },
    });
    const links = [...shown.matchAll(/<li><a href="([^"]+)"( rel="nofollow")?/g)].map(
      ([, link, rel = '']) => link + rel,
    );
    expect(links).toEqual([
      '/calendar/?category=arts+%26+crafts rel="nofollow"',
      '/calendar/week/',
      '/calendar/month/2027-01/',
      '/calendar/feeds/',
    ]);
  });

  test('with a home page elsewhere, links there and offers neither search nor views', () => {
    const html = page({ home: 'https://elsewhere.example/events/' });
    expect(html).toContain('<a class="brand" href="https://elsewhere.example/events/">');
    expect(html).not.toContain('role="search"');
    expect(html).not.toContain('/month/');
  });

  test('loads assets that can be cached for ever: changed ones have another address', async () => {
    const [red, blue] = [page({ brand: '#D50000' }), page({ brand: '#0000D5' })].map((html) =>
      [...html.matchAll(/(?:href|src)="(\/calendar\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
    );
    expect(red).toHaveLength(5);
    // Style and script are the same for every site; the colour and the icons of tabs and home screens are not.
    expect(red?.filter((path) => blue?.includes(path))).toHaveLength(2);
    const serve = serveLook(lookOf({ ...settings, brand: '#D50000' }).files);
    for (const path of red ?? []) {
      const answer = await serve(new Request(`http://x${path.replace('/calendar', '')}`));
      expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(await serve(new Request('http://x/assets/look-0.css'))).toBeUndefined();
  });

  test('defines each icon that it uses once', () => {
    const markup = html`${icon('bell')}${icon('bell')}${icon('find')}`.markup;
    expect(spriteFor(markup)?.markup.match(/<symbol id="[^"]+"/g)).toEqual([
      '<symbol id="i-bell"',
      '<symbol id="i-find"',
    ]);
    expect(spriteFor('<p>none</p>')).toBeUndefined();
  });
});

describe('the operator’s colour', () => {
  test.each([
    ['#000000', 0],
    ['#FF0000', 0.628],
    ['#0B5B6B', 0.437],
    ['#FFD600', 0.885],
    ['#FFFFFF', 1],
  ])('%s has the lightness that CSS computes: %s', (color, lightness) =>
    expect(lightnessOf(color)).toBeCloseTo(lightness, 2),
  );

  test('is marked if it is light', () => {
    expect(brandStyle('#D50000')).toBe(':root{--brand:#D50000}');
    expect(brandStyle('#FFD600')).toContain('--is-light:1');
  });
});

describe('the style', () => {
  test('loses its comments and white space, and nothing else', () => {
    expect(
      compactCss('/* a */\na > b,\n.c0.d :is(d) {\n  margin: 0 auto 0.5rem;\n  width: calc(10.5px + -0.25px);\n}\n'),
    ).toBe('a>b,.c0.d :is(d){margin:0 auto .5rem;width:calc(10.5px + -.25px)}');
    expect(compactCss('@media (min-width: 40rem) and (hover) {\n  a {\n    top: 0 !important;\n  }\n}\n')).toBe(
      '@media(min-width:40rem) and (hover){a{top:0!important}}',
    );
    expect(STYLE).not.toMatch(/\/\*|\n/);
    expect(STYLE.match(/\{/g)?.length).toBe(STYLE.match(/\}/g)?.length);
  });

  test('gives a scrollbar in the header the colour of the header’s text', () =>
    expect(/\.mast \.pills\{[^}]*overflow-x:auto;[^}]*/.exec(STYLE)?.[0]).toContain('scrollbar-color:currentcolor'));

  test('is at most 25 kB', () => expect(Buffer.byteLength(STYLE)).toBeLessThanOrEqual(25_000));
});

describe('the icon for home screens', () => {
  const iconIn = async (more: Partial<LookSettings>): Promise<Buffer> => {
    const path = /<link rel="apple-touch-icon" href="\/calendar([^"]+\.png)">/.exec(page(more))?.[1] ?? '';
    const serve = serveLook(lookOf({ ...settings, ...more }).files);
    const response = await serve(new Request(`https://town.example${path}`));
    expect(response?.headers.get('content-type')).toBe('image/png');
    return Buffer.from(await response!.arrayBuffer());
  };

  test('is a calendar in the operator’s colour', async () => {
    const png = await iconIn({ brand: '#7a1f5c' });
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < png.length;) {
      const length = png.readUInt32BE(at);
      const named = png.subarray(at + 4, at + 8 + length);
      expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
      chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
      at += 12 + length;
    }
    expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(chunks.get('PLTE')!.toString('hex')).toBe('7a1f5cffffff');
    const pixels = inflateSync(chunks.get('IDAT')!);
    const bytesOfLine = 1 + Math.ceil(180 / 8);
    expect(pixels).toHaveLength(180 * bytesOfLine);
    const at = (x: number, y: number): number => (pixels[y * bytesOfLine + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1;
    // A corner, the middle of the sheet, and a day on it.
    expect([at(0, 0), at(90, 90), at(67, 110)]).toEqual([0, 1, 0]);
  });

  test('is the logo if that is a square picture', async () => {
    const content = await iconIn({});
    const logo = { content, type: 'image/png', extension: 'png', width: 180, height: 180 };
    expect(page({ logo })).toMatch(/<link rel="apple-touch-icon" href="\/calendar\/assets\/logo-[^"]+\.png">/);
    expect(page({ logo: { ...logo, height: 90 } })).toMatch(/<link rel="apple-touch-icon" href="[^"]*touch-icon-/);
  });
});

describe('the logo', () => {
  const logoIn = async (
    content: string | Uint8Array,
  ): Promise<{ readonly html: string; readonly said: readonly string[] }> => {
    const file = scratchPath('logo');
    const said: string[] = [];
    await writeFile(file, content);
    const logo = await readLogo(pathToFileURL(file).href, (problem) => said.push(problem));
    await rm(file);
    return { html: page({ logo }), said };
  };

  test.each([
    ['a viewBox', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"/>', 108],
    ['a width and a height', '<?xml version="1.0"?><svg width="50px" height="100px"/>', 18],
    ['neither', '<svg/>', 36],
    ['a viewBox like a ribbon', '<svg viewBox="0 0 4000 10"/>', 180],
  ])('has its space reserved before it loads: an SVG with %s', async (_, svg, width) => {
    const { html: shown, said } = await logoIn(svg);
    expect(said).toEqual([]);
    expect(shown).toMatch(
      new RegExp(`<img src="/calendar/assets/logo-[^"]+\\.svg" alt="" width="${width}" height="36">`),
    );
  });

  test.each([
    ['not a picture', 'Hello', 'is not a picture'],
    ['too large', new Uint8Array(600_000), 'is too large'],
  ])('is left out with a message if it is %s', async (_, content, problem) => {
    const { html: shown, said } = await logoIn(content);
    expect(shown).not.toContain('<img');
    expect(said).toEqual([expect.stringContaining(problem)]);
  });

  test('on another site is loaded from its own address', async () => {
    const logo = await readLogo('https://town.example/logo.png', () => undefined);
    expect(page({ logo })).toContain('<img src="https://town.example/logo.png" alt="" width="36" height="36">');
  });
});
