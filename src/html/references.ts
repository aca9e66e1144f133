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

/** Escapes plain text for HTML or XML, as text or inside a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign] ?? sign);

/** The same for text only, where quotation marks may stay. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>]/g, (sign) => REFERENCES[sign] ?? sign);
