import { decodeEntities, escapeHtml } from './references.ts';
import { withoutTags } from './sanitize.ts';
import { startOf } from './shortened.ts';

/**
 * The plain text of HTML: blocks and breaks become line breaks, cells are separated, links keep their text, references
 * are decoded.
 */
export function textFromHtml(html: string): string {
  const words = wordsOf(html);
  const lines = words.includes('\n') ? words.replace(/(?<![ \t])[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n') : words;
  return lines.trim();
}

function wordsOf(html: string): string {
  if (!html.includes('<')) return decodeEntities(html);
  const broken = APART.reduce((text, [markup, between]) => text.replace(markup, between), html);
  return decodeEntities(withoutTags(broken));
}

/** Replacements for markup that separates words. */
const APART: readonly (readonly [markup: RegExp, between: string])[] = [
  [/<br\s*\/?>(?:\r?\n)?/gi, '\n'],
  [/<li[^<>]*>/gi, '\n- '],
  [/<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' '],
  [/<\/dt>\s*|<\/dd>\s*(?=<d[dt]\b)/gi, '\n'],
  [/<\/(?:p|div|h[1-6]|tr|ul|ol|dl|blockquote|pre|figure|figcaption|table)>\s*|<hr\b[^<>]*>\s*/gi, '\n\n'],
];

/** How much of a text is parsed to get its beginning. */
const BEGINNING_MAX = 20_000;

/** The beginning of HTML's text, for places that show no more; cheap even for long texts. */
export const beginningOf = (html: string): string => textFromHtml(startOf(html, BEGINNING_MAX));

/** Turns plain text into paragraphs and line breaks. */
export const htmlFromText = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => `<p>${escapeHtml(block.trim()).replace(/\n/g, '<br />')}</p>`)
    .join('\n');
