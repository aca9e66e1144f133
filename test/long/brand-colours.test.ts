import type { Browser } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { brandStyle } from '../../src/look/brand.ts';
import { STYLE } from '../../src/look/styles.ts';
import { launchChromium } from '../support/browser.ts';

// Whatever brand colour an operator chooses, all text on the pages has enough contrast in light and dark, as Chromium
// computes it.

const NAMED: Readonly<Record<string, string>> = {
  yellow: '#FFD600',
  red: '#D50000',
  navy: '#0A1F5C',
  lime: '#A4DE02',
  pink: '#FF69B4',
  black: '#000000',
  white: '#FFFFFF',
  violet: '#7C3AED',
  orange: '#FF8800',
};
/** A grid over the RGB cube. */
const STEPS = ['00', '40', '80', 'C0', 'FF'];
const CUBE = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)));

// WCAG 2.2, success criteria 1.4.3 and 1.4.11.
const [TEXT, SHAPE] = [4.5, 3];
const PAPER = ['surface', 'surface-2', 'tint'];
const ON: readonly (readonly [least: number, ink: string, papers: readonly string[]])[] = [
  [TEXT, 'ink', [...PAPER, 'tint-2']],
  [TEXT, 'ink-2', PAPER],
  [TEXT, 'accent', PAPER],
  [TEXT, 'accent-ink', ['accent']],
  [TEXT, 'fill-ink', ['fill']],
  [TEXT, 'deep-ink', ['deep', 'deep-2']],
  [TEXT, 'deep-ink-2', ['deep', 'deep-2']],
  [TEXT, 'good', ['surface', 'good-bg']],
  [TEXT, 'warn', ['surface', 'warn-bg']],
  [TEXT, 'bad', ['surface', 'bad-bg']],
  [TEXT, 'm', ['surface', 'mt']],
  [TEXT, 'surface', ['m']],
  [TEXT, 'ink', ['good-bg', 'warn-bg', 'bad-bg', 'info-bg', 'mt']],
  [SHAPE, 'edge', PAPER],
  [SHAPE, 'info', ['surface', 'info-bg']],
];

let browser: Browser | undefined;
afterAll(() => browser?.close());
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

/** Runs in the page: finds pairs of colours without enough contrast; those of categories for each category. */
const MEASURE = `(pairs) => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (color) => {
    pen.fillStyle = '#000';
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const low = [];
  for (const [index, kind] of document.querySelectorAll('.cat').entries()) {
    const valueOf = (name) => { kind.style.color = 'var(--' + name + ')'; return luminance(getComputedStyle(kind).color); };
    for (const [least, ink, paper] of pairs) {
      if (index > 0 && ![ink, paper].includes('m')) continue;
      const [light, dark] = [valueOf(ink), valueOf(paper)].sort((a, b) => b - a);
      const contrast = (light + 0.05) / (dark + 0.05);
      if (!(contrast >= least)) low.push(kind.className + ': ' + ink + ' on ' + paper + ' ' + contrast.toFixed(2));
    }
  }
  return low;
}`;
const PAIRS = ON.flatMap(([least, ink, papers]) => papers.map((paper) => [least, ink, paper] as const));
const KINDS = Array.from({ length: 9 }, (_, kind) => `<p class="cat c${kind}">x</p>`).join('');

/** The pairs of colours that cannot be read with these brand colours. */
async function faintIn(brands: readonly string[], scheme: 'light' | 'dark'): Promise<readonly string[]> {
  const page = await browser?.newPage({ colorScheme: scheme });
  if (!page) throw new Error('no browser');
  const found: string[] = [];
  for (const brand of brands) {
    await page.setContent(`<style>${STYLE}</style><style>${brandStyle(brand)}</style>${KINDS}`);
    const low = await page.evaluate<readonly string[]>(`(${MEASURE})(${JSON.stringify(PAIRS)})`);
    found.push(...low.map((one) => `${brand} ${one}`));
  }
  await page.close();
  return found;
}

describe.each(['light', 'dark'] as const)('in the %s colour scheme', (scheme) => {
  test.each(Object.entries(NAMED))('a calendar in %s has enough contrast', async (_, brand) => {
    expect(await faintIn([brand], scheme)).toEqual([]);
  });

  test(`a calendar in any of ${CUBE.length} colours has enough contrast`, async () => {
    expect(await faintIn(CUBE, scheme)).toEqual([]);
  });
});

test('the header of the page has exactly the brand colour, light or dark', async () => {
  const page = await browser?.newPage();
  const band = async (brand: string): Promise<unknown> => {
    await page?.setContent(`<style>${STYLE}${brandStyle(brand)}</style><header class="mast">x</header>`);
    return page?.evaluate(
      "(() => { const pen = document.createElement('canvas').getContext('2d'); " +
        "const { backgroundColor } = getComputedStyle(document.querySelector('.mast')); " +
        'pen.fillStyle = backgroundColor; pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, ' +
        "1).data].slice(0, 3).map((value) => value.toString(16).padStart(2, '0')).join('').toUpperCase() })()",
    );
  };
  for (const brand of ['#FFD600', '#0A1F5C', '#A4DE02', '#000000', '#FFFFFF'])
    expect([brand, await band(brand)]).toEqual([brand, brand.slice(1)]);
  await page?.close();
});
