// From this lightness on, text on the colour is dark: on yellow, orange, pink and lime, but not on red.
const LIGHT_FROM = 0.68;

/**
 * The style that applies the operator's colour, `#rrggbb`, to all pages. All other colours follow from it
 * (`style/tokens.css`).
 */
export const brandStyle = (brand: string): string =>
  isLightBrand(brand) ? `:root{--brand:${brand};--is-light:1;--deep-scheme:light dark}` : `:root{--brand:${brand}}`;

/** Whether text on the colour has to be dark. */
export const isLightBrand = (brand: string): boolean => lightnessOf(brand) >= LIGHT_FROM;

/** The perceived lightness of a colour, from 0 for black to 1 for white: L of OKLab, as in CSS. */
export function lightnessOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
