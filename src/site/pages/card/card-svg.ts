import type { Html } from '../../../html/template.ts';
import { xmlElement } from '../../../html/xml.ts';
import { isLightBrand } from '../../../look/brand.ts';
import { startOf } from '../../../html/shortened.ts';

/** The texts of an image for social networks. */
export interface CardTexts {
  readonly title: string;
  readonly when: string;
  readonly place: string;
  readonly calendar: string;
  /** As "Nov", "28", "Sat". */
  readonly month: string;
  readonly day: string;
  readonly weekday: string;
}

/** The size that networks ask for (Open Graph). */
export const CARD = { width: 1_200, height: 630 } as const;

const EDGE = 60;
const TILE = { width: 250, height: 300 } as const;
const TEXT_LEFT = EDGE + TILE.width + 50;
const [DARK, LIGHT] = ['#12272d', '#ffffff'];
/** Title sizes in descending order; the first that fits is used. */
const TITLES: readonly { readonly size: number; readonly lines: number }[] = [
  { size: 72, lines: 2 },
  { size: 60, lines: 3 },
  { size: 50, lines: 4 },
  { size: 42, lines: 6 },
];
const TITLE_BOTTOM = 440;

/** Renders the image as SVG. Characters that its font lacks are left out. */
export function cardSvg(texts: CardTexts, brand: string): string {
  const ink = isLightBrand(brand) ? DARK : LIGHT;
  const parts = [
    rectangle({ x: 0, y: 0, ...CARD, fill: brand }),
    ...tile(texts, brand),
    ...titleLines(drawable(texts.title) || drawable(texts.calendar), ink),
    line(drawable(texts.when), 500, 34, ink),
    line(drawable(texts.place), 548, 34, ink),
    line(drawable(texts.calendar), 600, 26, ink),
  ];
  const size = { width: String(CARD.width), height: String(CARD.height) };
  return xmlElement('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, ...parts).markup;
}

type Numbers = Readonly<Record<string, string | number>>;
const rectangle = (attributes: Numbers): Html => xmlElement('rect', texted(attributes));
const texted = (attributes: Numbers): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

/** The day, drawn as a calendar leaf. */
function tile({ month, day, weekday }: CardTexts, brand: string): readonly Html[] {
  const middle = EDGE + TILE.width / 2;
  const centred = (text: string, y: number, size: number, fill: string): Html =>
    words(text, { x: middle, y, 'font-size': size, fill, 'text-anchor': 'middle' });
  return [
    rectangle({ x: EDGE, y: EDGE, ...TILE, rx: 24, fill: LIGHT }),
    rectangle({ x: EDGE + 10, y: EDGE + 10, width: TILE.width - 20, height: 72, rx: 16, fill: DARK }),
    rectangle({ x: EDGE + 10, y: EDGE + 74, width: TILE.width - 20, height: 8, fill: brand }),
    centred(drawable(month), EDGE + 60, 44, LIGHT),
    centred(day, EDGE + 218, 138, DARK),
    centred(drawable(weekday), EDGE + 276, 38, DARK),
  ];
}

function titleLines(title: string, fill: string): readonly Html[] {
  const width = CARD.width - TEXT_LEFT - EDGE;
  const fits = TITLES.map((step) => ({ ...step, wrapped: wrapped(title, width / step.size) })).find(
    ({ wrapped: all, lines }) => all.length <= lines,
  );
  const { size, lines } = fits ?? { size: 42, lines: 6 };
  const all = fits?.wrapped ?? cut(wrapped(title, width / size), lines);
  const height = size * 1.22;
  const top = Math.min(EDGE + size, TITLE_BOTTOM - height * (all.length - 1));
  return all.map((text, index) => anchored(text, TEXT_LEFT, CARD.width - EDGE, top + index * height, size, fill));
}

function cut(lines: readonly string[], most: number): readonly string[] {
  const last = lines[most - 1] ?? '';
  return [...lines.slice(0, most - 1), `${last.replace(/\s*\S?$/u, '')}…`];
}

function line(text: string, y: number, size: number, fill: string): Html {
  const [first = '', ...more] = wrapped(text, (CARD.width - 2 * EDGE) / size);
  return anchored(more.length > 0 ? `${first}…` : first, EDGE, CARD.width - EDGE, y, size, fill);
}

const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Right-to-left text is anchored on the right. */
const anchored = (text: string, left: number, right: number, y: number, size: number, fill: string): Html =>
  words(text, {
    y,
    'font-size': size,
    fill,
    ...(RIGHT_TO_LEFT.test(text) ? { x: right, 'text-anchor': 'end' } : { x: left }),
  });

const words = (text: string, attributes: Numbers): Html =>
  xmlElement('text', { ...texted(attributes), 'font-family': 'DejaVu Sans', 'font-weight': 'bold' }, text);

/** Wraps a text into lines at most `width` times as wide as the font size. Wider words are broken. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let [current, used] = ['', 0];
  const end = (): void => {
    if (current.trim() !== '') lines.push(current.trim());
    [current, used] = ['', 0];
  };
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const own = widthOf(word);
    if (used > 0 && used + SPACE + own > width) end();
    if (used > 0) [current, used] = [`${current} `, used + SPACE];
    for (const sign of word) {
      const wide = signWidth(sign);
      if (used + wide > width) end();
      [current, used] = [current + sign, used + wide];
    }
  }
  end();
  return lines;
}

// Slightly more than the actual widths of the font's letters.
const SPACE = 0.36;
const WIDTHS: readonly (readonly [signs: RegExp, width: number])[] = [
  [/\p{M}/u, 0],
  [/[iljtfrI.,:;'’|!()[\]/-]/u, 0.48],
  [/[mwMWщшжюЩШЖЮ@%&—…]/u, 1.12],
  [/\p{Lu}/u, 0.84],
];

const signWidth = (sign: string): number => WIDTHS.find(([signs]) => signs.test(sign))?.[1] ?? 0.73;
const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + signWidth(sign), 0);

const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{M}]$/u;
const OTHERS_BELOW = 0x2600;

/** Removes characters for which the font has no letters; '' if most are missing, as the rest would be misleading. */
export function drawable(text: string): string {
  const signs = [...startOf(text.replace(/\s+/gu, ' '), 400)];
  const has = (sign: string): boolean => LETTERS.test(sign) || (!/\p{L}/u.test(sign) && isPlain(sign));
  const letters = signs.filter((sign) => /\p{L}/u.test(sign));
  if (letters.length > 0 && letters.filter(has).length < letters.length / 2) return '';
  return signs.filter(has).join('').replace(/\s+/gu, ' ').trim();
}

const isPlain = (sign: string): boolean => (sign.codePointAt(0) ?? 0) < OTHERS_BELOW && !/\p{Cc}|\p{Cf}/u.test(sign);
