import { decodeHTML } from 'entities';

/** Decodes numeric and named character references. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text);

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
