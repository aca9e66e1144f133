import { readFileSync } from 'node:fs';

const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * The colours, sizes and fonts of the public pages and the console, as CSS. The operator can set one value, `--brand`,
 * to any colour; all others follow from it.
 */
export const TOKENS = own('style/tokens.css');

/** The parts of the public pages' style; later ones may override earlier ones. */
const PARTS = ['base', 'frame', 'controls', 'list', 'cards', 'event', 'views', 'feeds', 'edit', 'print'] as const;

/** The style of all public pages, as it is sent. */
export const STYLE = compactCss(TOKENS + PARTS.map((part) => own(`style/${part}.css`)).join(''));

/** What pages can do with script; everything works without it. */
export const SCRIPT = own('public.js');

/** Removes comments and insignificant white space from CSS. */
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
