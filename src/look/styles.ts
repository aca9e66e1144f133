import { readFileSync } from 'node:fs';

const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * Colours, sizes and faces of the public pages and of the console, as CSS. One value is the operator's: `--brand`, any
 * colour; all others follow.
 */
export const TOKENS = own('style/tokens.css');

/** The parts of the style of the public pages; a later one may say otherwise than an earlier one. */
const PARTS = ['base', 'frame', 'controls', 'list', 'cards', 'event', 'views', 'feeds', 'edit', 'print'] as const;

/** The style of all public pages, as it is sent. */
export const STYLE = compactCss(TOKENS + PARTS.map((part) => own(`style/${part}.css`)).join(''));

/** What the pages can do besides with a script; everything works without it. */
export const SCRIPT = own('public.js');

/** CSS without comments and white space that says nothing. */
export function compactCss(css: string): string {
  return (
    css
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1')
      .replace(/(?<=[{;(][\w-]+): /g, ':')
      .replace(/;\}/g, '}')
      .replaceAll(' > ', '>')
      .replaceAll('@media (', '@media(')
      .replaceAll(' !important', '!important')
      // 0.5rem is .5rem
      .replace(/(?<![\w.])0(?=\.\d)/g, '')
      .trim()
  );
}
