import { decodeHTML, decodeHTMLStrict } from 'entities/lib/decode.js';

/** Decodes numeric and named character references. */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? decodeHTML(withShortNumbers(text)) : text;

/** Decodes references that web programs may have left in plain text, as in `R&amp;D`; a lone `&` stays. */
export const withoutEscapes = (text: string): string => (REFERENCE.test(text) ? decodeEntities(text) : text);
const REFERENCE = /&(?:#\d{1,6}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

// The library computes with all digits, and throws if the result is not a number.
const withShortNumbers = (text: string): string =>
  text.replace(LONG_NUMBER, (digits) => digits.replace(/^0+(?=.)/, '').slice(0, 8));

/** Eight digits without a leading zero exceed every character's number. */
const LONG_NUMBER = /(?<=&#)\d{9,}|(?<=&#x)[\da-f]{9,}/gi;

/**
 * Escapes each `&` in HTML that does not begin a known reference with a semicolon, as WordPress does. Browsers would
 * decode one in `?a=1&copy=2`.
 */
export const withLoneAmpersands = (html: string): string =>
  html.replace(LONE_OR_NAMED, (found) => (decodeHTMLStrict(found) === found ? `&amp;${found.slice(1)}` : found));
const LONE_OR_NAMED = /&(?!#\d+;|#x[\da-f]+;)(?:[a-z][\da-z]*;)?/gi;

/**
 * Text in which no browser decodes a reference. Other ampersands stay, because searches look for `R&D` as it is stored.
 */
export const withoutReferences = (text: string): string =>
  text.replace(/&[#a-z][\da-z]*;?/gi, (found) => (decodeEntities(found) === found ? found : `&amp;${found.slice(1)}`));

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most texts have nothing to escape, and testing that takes half the time of replacing nothing. */
const escaping = (sought: RegExp): ((text: string) => string) => {
  const each = new RegExp(sought, 'g');
  return (text) => (sought.test(text) ? text.replace(each, (sign) => REFERENCES[sign] ?? sign) : text);
};

/** Escapes plain text for HTML or XML, as text or inside a quoted attribute. */
export const escapeHtml = escaping(/[&<>"']/);

/** Escapes plain text for use as text only, where quotation marks may stay. */
export const escapeMarkup = escaping(/[&<>]/);

/** How stored HTML may write a plain text: as it is, or escaped. Searches look for both. */
export const formsInHtml = (text: string): readonly string[] => [text, escapeHtml(text)];

/** The length of a text in HTML, where `&` takes five characters. */
export const lengthInHtml = (text: string): number => escapeHtml(text).length;
