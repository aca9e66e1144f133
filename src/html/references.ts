import { decodeHTML, decodeHTMLStrict } from 'entities/lib/decode.js';

/** Decodes numeric and named character references. */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? decodeHTML(withShortNumbers(text)) : text;

/** Plain text in which programs for web pages may have left references, as in `R&amp;D`; a lone `&` means itself. */
export const withoutEscapes = (text: string): string => (REFERENCE.test(text) ? decodeEntities(text) : text);
const REFERENCE = /&(?:#\d{1,6}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

// The library computes with all digits, and throws where they become no number.
const withShortNumbers = (text: string): string =>
  text.replace(LONG_NUMBER, (digits) => digits.replace(/^0+(?=.)/, '').slice(0, 8));

/** Eight digits, the first of them no zero, are more than any character has. */
const LONG_NUMBER = /(?<=&#)\d{9,}|(?<=&#x)[\da-f]{9,}/gi;

/**
 * HTML in which each `&` that begins no known reference with its semicolon means itself, as WordPress takes it: browsers
 * read a sign in `?a=1&copy=2`.
 */
export const withLoneAmpersands = (html: string): string =>
  html.replace(LONE_OR_NAMED, (found) => (decodeHTMLStrict(found) === found ? `&amp;${found.slice(1)}` : found));
const LONE_OR_NAMED = /&(?!#\d+;|#x[\da-f]+;)(?:[a-z][\da-z]*;)?/gi;

/** Text in which no browser reads a reference. What is none stays: searches look for `R&D` as it is stored. */
export const withoutReferences = (text: string): string =>
  text.replace(/&[#a-z][\da-z]*;?/gi, (found) => (decodeEntities(found) === found ? found : `&amp;${found.slice(1)}`));

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most texts have nothing to escape, which is found out in half the time that replacing nothing takes. */
const escaping = (sought: RegExp): ((text: string) => string) => {
  const each = new RegExp(sought, 'g');
  return (text) => (sought.test(text) ? text.replace(each, (sign) => REFERENCES[sign] ?? sign) : text);
};

/** Escapes plain text for HTML or XML, as text or inside a quoted attribute. */
export const escapeHtml = escaping(/[&<>"']/);

/** The same for text only, where quotation marks may stay. */
export const escapeMarkup = escaping(/[&<>]/);

/** How long a text is in HTML: `&` takes five characters. */
export const lengthInHtml = (text: string): number => escapeHtml(text).length;
