import { safeHtml } from '../../html/sanitize.ts';
import { paragraphsFromText } from './paragraphs.ts';
import { ampersands, texturize } from './texturize.ts';

/**
 * A stored title, or the name of a venue or organizer, as it is answered: typographic, `&` as `&#038;`, inline HTML
 * left, trimmed.
 */
export const renderTitle = (title: string): string => ampersands(texturize(title)).trim();

/** A stored description or excerpt as it is answered: HTML with paragraphs; '' for none. */
export const renderBody = (text: string): string => paragraphsFromText(texturize(text)).trim();

/**
 * A term's name as it is answered and stored: the characters of markup as entities, those that are entities already
 * left.
 */
export const termName = (name: string): string =>
  name
    .replace(/&(?!#(?:\d+|x[a-f0-9]+);|[a-z][a-z0-9]*;)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

/** An event's address as it is answered: escaped for HTML. */
export const renderWebsite = (address: string): string =>
  address
    .replace(/&(?!amp;|#\d+;)/g, '&amp;')
    .replace(/'/g, '&#039;')
    .replace(/"/g, '&quot;');

/**
 * What is stored of a text that somebody sent: all of it for those who may write any HTML, what is safe to publish for
 * the others.
 */
export const storedText = (text: string, unfilteredHtml: boolean): string =>
  (unfilteredHtml || !/[<&]/.test(text) ? text : safeHtml(text)).toWellFormed().replaceAll('\0', '');

/** What is stored of a title: where something was taken out of it, one blank is left, not those on both sides. */
export function storedTitle(title: string, unfilteredHtml: boolean): string {
  const kept = storedText(title, unfilteredHtml);
  return kept === title ? title : kept.replace(/\s+/g, ' ');
}
