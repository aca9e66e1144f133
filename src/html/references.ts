import { decodeHTML } from 'entities';

/** Decodes numeric and named character references. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text);

/** "&" first: the references of the others have one. */
const MARKUP = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
] as const;
const ALL = [...MARKUP, ['"', '&quot;'], ["'", '&#39;']] as const;

/** Most texts have nothing to escape, which is found out in half the time that replacing nothing takes. */
const escaping =
  (sought: RegExp, references: typeof MARKUP | typeof ALL) =>
  (text: string): string =>
    sought.test(text)
      ? references.reduce((escaped, [sign, reference]) => escaped.replaceAll(sign, reference), text)
      : text;

/** Escapes plain text for HTML or XML, as text or inside a quoted attribute. */
export const escapeHtml = escaping(/[&<>"']/, ALL);

/** The same for text only, where quotation marks may stay. */
export const escapeMarkup = escaping(/[&<>]/, MARKUP);
