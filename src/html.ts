import { decodeHTML } from 'entities';
import sanitize from 'sanitize-html';

// What a calendar entry may hold; scripts, styles, forms, frames and event handlers go, their inner text stays where it is text.
const OPTIONS: sanitize.IOptions = {
  allowedTags: ['a', 'abbr', 'b', 'blockquote', 'br', 'cite', 'code', 'dd', 'del', 'div', 'dl', 'dt', 'em', 'figure', 'figcaption', 'h1', 'h2', 'h3', 'h4',
    'h5', 'h6', 'hr', 'i', 'img', 'ins', 'li', 'ol', 'p', 'pre', 'q', 's', 'small', 'span', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'u', 'ul'],
  allowedAttributes: { a: ['href', 'title', 'rel', 'target'], img: ['src', 'alt', 'width', 'height'], '*': ['lang', 'dir'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'webcal'],
  allowProtocolRelative: false,
};

/** HTML from outside → HTML that is safe to publish. */
export const safeHtml = (html: string): string => sanitize(html, { ...OPTIONS, textFilter: quotesKept }).trim();

/** Sites make typographic quotation marks and apostrophes of straight ones, unless these are written as references. */
const quotesKept = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/**
 * What a foreign page offers for showing it elsewhere → its frames, quotations and links; '' where there is neither frame nor
 * quotation. Scripts never stay. Frames are locked (no origin of their own, no navigation) unless the page is of someone known.
 */
export function embeddableHtml(html: string, isTrusted: boolean): string {
  const kept = sanitize(html, {
    allowedTags: ['iframe', 'blockquote', 'a', 'p', 'br', 'em', 'strong'],
    allowedAttributes: { a: ['href'], iframe: ['src', 'width', 'height', 'title', 'frameborder', ...(isTrusted ? ['allow', 'allowfullscreen'] : ['sandbox', 'security'])] },
    allowedSchemes: isTrusted ? ['https'] : ['http', 'https'], allowProtocolRelative: false,
    transformTags: isTrusted ? {} : { iframe: (tagName, attribs) => ({ tagName, attribs: { ...attribs, sandbox: 'allow-scripts', security: 'restricted' } }) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !attribs['src'],
  }).trim();
  return /<(?:iframe|blockquote)\b/.test(kept) ? kept : '';
}

/** HTML → plain text: blocks and breaks become line ends, links keep their words, entities are decoded. */
export function textFromHtml(html: string): string {
  const broken = html.replace(/<br\s*\/?>(?:\r?\n)?/gi, '\n').replace(/<li[^<>]*>/gi, '\n- ').replace(/<\/(?:p|div|h[1-6]|tr|ul|ol|blockquote|table)>\s*/gi, '\n\n');
  return decodeEntities(sanitize(broken, { allowedTags: [], allowedAttributes: {} })).replace(/(?<![ \t])[ \t]+\n/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
}

/** Numeric and named character references → the characters. */
export const decodeEntities = (text: string): string => decodeHTML(text);

/** Plain text → HTML that shows the same. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replace(/&#38;/g, '&amp;').replace(/&#60;/g, '&lt;').replace(/&#62;/g, '&gt;').replace(/&#34;/g, '&quot;');

/** Plain text → paragraphs and line breaks. */
export const htmlFromText = (text: string): string =>
  text.trim().split(/\n{2,}/).filter((block) => block.trim() !== '').map((block) => `<p>${escapeHtml(block.trim()).replace(/\n/g, '<br />')}</p>`).join('\n');

/** The query of a link to somebody else's page: blanks are %20, as not all of them read "+" as a blank. */
export const linkQuery = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString().replaceAll('+', '%20');
