import { decodeHTML } from 'entities';

/** Numeric and named character references → the characters. */
export const decodeEntities = (text: string): string => decodeHTML(text);

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Plain text → HTML (or XML) that shows the same, as text or between the quotation marks of an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => REFERENCES[sign] ?? sign);

/** The same for text alone, where quotation marks may stay. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>]/g, (sign) => REFERENCES[sign] ?? sign);
