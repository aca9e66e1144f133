import { withLoneAmpersands } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { paragraphsFromText } from './paragraphs.ts';
import { remembered } from '../../remembered.ts';
import { ampersands, texturize } from './texturize.ts';

/** A stored title or name as answered: typographic, `&` as `&#038;`, inline HTML kept, trimmed. */
export const renderTitle = remembered((title) => ampersands(texturize(title)).trim());

/** A stored description or excerpt as answered: HTML with paragraphs; '' if there is none. */
export const renderBody = remembered((text) => paragraphsFromText(texturize(text)).trim());

/** A term's name as stored and answered: markup characters become entities, existing entities stay. */
export const termName = (name: string): string =>
  name
    .replace(/&(?!#(?:\d+|x[a-f0-9]+);|[a-z][a-z0-9]*;)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

/**
 * An event's website as answered, escaped for HTML. Numeric references are used because no address has them as a
 * parameter, so that sending the answer back does not change it.
 */
export const renderWebsite = (address: string): string =>
  address
    .replace(/&(?!amp;|#\d+;)/g, '&amp;')
    .replace(/'/g, '&#039;')
    .replace(/"/g, '&#034;')
    .replace(/</g, '&#060;')
    .replace(/>/g, '&#062;');

/**
 * A text as stored: unchanged for callers who may write any HTML, otherwise reduced to HTML that is safe to publish.
 */
export const storedText = (text: string, unfilteredHtml: boolean): string =>
  (unfilteredHtml || !/[<&]/.test(text) ? text : safeHtml(withLoneAmpersands(text)))
    .toWellFormed()
    .replaceAll('\0', '');

/** A title as stored: where something was removed, runs of blanks collapse to one. */
export function storedTitle(title: string, unfilteredHtml: boolean): string {
  const kept = storedText(title, unfilteredHtml);
  return kept === title ? title : kept.replace(/\s+/g, ' ');
}
