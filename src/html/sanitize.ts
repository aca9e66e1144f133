import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';
import { joiningTokenizer, WITHOUT_TEXT, type PassedText } from './joining-tokenizer.ts';
import { remembered, whenAsked } from '../remembered.ts';
import { decodeEntities, escapeMarkup } from './references.ts';
import { assumeSafeHtml, type Html } from './template.ts';

// What an event's HTML may contain. Scripts, styles, forms, frames and event handlers are removed; any readable text
// inside stays.
const ALLOWED_TAGS = [
  'a',
  'abbr',
  'b',
  'blockquote',
  'br',
  'cite',
  'code',
  'dd',
  'del',
  'div',
  'dl',
  'dt',
  'em',
  'figure',
  'figcaption',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'li',
  'ol',
  'p',
  'pre',
  'q',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
];
const OPTIONS: sanitize.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    '*': ['lang', 'dir'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'webcal'],
  allowProtocolRelative: false,
};

/** A tag as the sanitizer writes it. */
const SIMPLE_TAG = new RegExp(String.raw`</?(?:${ALLOWED_TAGS.join('|')})(?:\s+[a-z]+="[^"<>]*")*\s*/?>`, 'gi');

/** Loaded when needed: it has eighty modules with its dependencies, and most texts have no tags. */
const sanitizer = whenAsked(() => createRequire(import.meta.url)('sanitize-html') as typeof sanitize);

/** Makes HTML from outside safe to publish. */
export const safeHtml = (html: string): string => cleaned(html, OPTIONS, quotesKept).trim();

/** Safe HTML for our own pages, cached because names and titles are on many of them. */
export const sanitized = (html: string): Html => assumeSafeHtml(safeOnce(html));
const safeOnce = remembered(safeHtml);

/** The maximum nesting depth: deeper elements lose their tags, but keep their text. */
const NESTING_MAX = 256;
/** Longer attributes are dropped: no address or tooltip needs them. */
const ATTRIBUTE_MAX = 4_096;
/**
 * The content of frames for old browsers is parsed as HTML of its own, which takes time: with more frames than this it
 * is dropped.
 */
const FRAMES_MAX = 50;

/** With more references than this, they are decoded together with the text around them. */
const REFERENCES_MAX = 100;

/** Which of the limits above a text exceeds; most texts are too short to reach any, and skip the extra work. */
interface Excess {
  readonly marks: boolean;
  readonly length: boolean;
  readonly frames: boolean;
}

/**
 * Runs the sanitizer without what makes it slow: its parser searches all open elements at each tag, its address check
 * scans the whole attribute for each comment in it, and it handles texts with references character by character. Text
 * without tags skips the parser. `quoted` is applied last, to escaped text.
 */
function cleaned(html: string, options: sanitize.IOptions, quoted = (text: string): string => text): string {
  if (!html.includes('<')) return quoted(escapeMarkup(decodeEntities(html)));
  const [tags, references] = [countOf(html, '<'), countOf(html, '&')];
  return cleanedWithin(html, options, quoted, {
    marks: tags > NESTING_MAX || references > REFERENCES_MAX,
    length: html.length > ATTRIBUTE_MAX,
    frames: tags > FRAMES_MAX && (html.match(/<iframe/gi)?.length ?? 0) > FRAMES_MAX,
  });
}

const countOf = (text: string, sign: string): number => text.split(sign).length - 1;

function cleanedWithin(
  html: string,
  options: sanitize.IOptions,
  quoted: (text: string) => string,
  excess: Excess,
): string {
  let depth = 0;
  const told: PassedText = { text: undefined };
  const isFull = (): boolean => depth >= NESTING_MAX;
  return sanitizer()(html, {
    ...options,
    nonTextTags: excess.frames ? [...WITHOUT_TEXT, 'iframe'] : WITHOUT_TEXT,
    ...(excess.length && { transformTags: { ...options.transformTags, '*': withoutLongAttributes } }),
    textFilter: (escaped) => quoted(told.text === undefined ? escaped : escapeMarkup(told.text)),
    ...(excess.marks && {
      onOpenTag: () => {
        depth += 1;
      },
      onCloseTag: () => {
        depth -= 1;
      },
      // The sanitizer's types belong to an older parser; this one passes its options on to the tokenizer.
      parser: { Tokenizer: joiningTokenizer(), isFull, told } as never,
    }),
  });
}

const isLong = (value: string): boolean => value.length > ATTRIBUTE_MAX;
const withoutLongAttributes: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: Object.values(attribs).some(isLong)
    ? Object.fromEntries(Object.entries(attribs).filter(([, value]) => !isLong(value)))
    : attribs,
});

/** The text of HTML, escaped. Sanitized HTML only has simple tags, which can be removed without the sanitizer. */
export function withoutTags(html: string): string {
  const texts = html.split(SIMPLE_TAG);
  return texts.some((text) => text.includes('<'))
    ? cleaned(html, { allowedTags: [], allowedAttributes: {} })
    : texts.map((text) => escapeMarkup(decodeEntities(text))).join('');
}

/**
 * Keeps straight quotation marks and apostrophes as references, because sites would otherwise make them typographic.
 */
const quotesKept = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/**
 * The frames, quotations and links in HTML that another page offers for embedding; '' without a frame or quotation.
 * Scripts are always removed. Frames are sandboxed (no origin of their own, no navigation) unless the provider is
 * trusted.
 */
export function embeddableHtml(html: string, isTrusted: boolean): string {
  const kept = cleaned(html, {
    allowedTags: ['iframe', 'blockquote', 'a', 'p', 'br', 'em', 'strong'],
    allowedAttributes: {
      a: ['href'],
      iframe: [
        'src',
        'width',
        'height',
        'title',
        'frameborder',
        ...(isTrusted ? ['allow', 'allowfullscreen'] : ['sandbox', 'security']),
      ],
    },
    allowedSchemes: isTrusted ? ['https'] : ['http', 'https'],
    allowProtocolRelative: false,
    transformTags: isTrusted
      ? {}
      : {
          iframe: (tagName, attribs) => ({
            tagName,
            attribs: { ...attribs, sandbox: 'allow-scripts', security: 'restricted' },
          }),
        },
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !attribs['src'],
  }).trim();
  return /<(?:iframe|blockquote)\b/.test(kept) ? kept : '';
}
