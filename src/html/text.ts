import { decodeEntities, escapeHtml } from './references.ts';
import { withoutTags } from './sanitize.ts';

/** HTML → plain text: blocks and breaks become line ends, links keep their words, entities are decoded. */
export const textFromHtml = (html: string): string =>
  wordsOf(html)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function wordsOf(html: string): string {
  if (!html.includes('<')) return decodeEntities(html);
  const broken = html
    .replace(/<br\s*\/?>(?:\r?\n)?/gi, '\n')
    .replace(/<li[^<>]*>/gi, '\n- ')
    .replace(/<\/(?:p|div|h[1-6]|tr|ul|ol|blockquote|table)>\s*/gi, '\n\n');
  return decodeEntities(withoutTags(broken));
}

/** So much of a text is read for its beginning. */
const BEGINNING_MAX = 20_000;

/** The beginning of what HTML says, where no more is shown: of a long text it costs little, too. */
export const beginningOf = (html: string): string => textFromHtml(html.slice(0, BEGINNING_MAX));

/** Plain text → paragraphs and line breaks. */
export const htmlFromText = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => `<p>${escapeHtml(block.trim()).replace(/\n/g, '<br />')}</p>`)
    .join('\n');
