import sanitize from 'sanitize-html';
import { JoiningTokenizer, WITHOUT_TEXT, type Told } from './joining-tokenizer.ts';
import { decodeEntities, escapeMarkup } from './references.ts';
import { assumeSafeHtml, type Html } from './template.ts';

// What a calendar entry may hold; scripts, styles, forms, frames and event handlers go, their inner text stays where it
// is text.
const OPTIONS: sanitize.IOptions = {
  allowedTags: [
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
  ],
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

/** HTML from outside → HTML that is safe to publish. */
export const safeHtml = (html: string): string => cleaned(html, OPTIONS, quotesKept).trim();

/** The same for our own pages. */
export const sanitized = (html: string): Html => assumeSafeHtml(safeHtml(html));

/** Elements stand in one another at most so deep: what is deeper loses its tags, not its text. */
const NESTING_MAX = 256;
/** Longer attributes are dropped: no address and no tooltip is. */
const ATTRIBUTE_MAX = 4_096;
/**
 * What stands in frames for old browsers is read as HTML of its own, which takes its time: in a text with more frames
 * it is dropped.
 */
const FRAMES_MAX = 50;

/** More references than these are read together with the text around them. */
const REFERENCES_MAX = 100;

/**
 * What a text has more of than the bounds above; most texts are too short to reach any, and need none of what keeps to
 * them.
 */
interface Excess {
  readonly marks: boolean;
  readonly length: boolean;
  readonly frames: boolean;
}

/**
 * The sanitizer, without what makes it slow: its parser looks through all open elements at each tag, its check of
 * addresses goes
 * through a whole attribute at each comment in it, and its texts come and are escaped sign by sign where they are
 * references.
 * Of text without tags it leaves all, which needs no parser. `quoted` is the last to see a text, escaped.
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
  const told: Told = { text: undefined };
  const isFull = (): boolean => depth >= NESTING_MAX;
  return sanitize(html, {
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
      // The types of the sanitizer are those of an older parser; this one hands its options to the tokenizer, too.
      parser: { Tokenizer: JoiningTokenizer, isFull, told } as never,
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

/** HTML → its text, escaped. */
export const withoutTags = (html: string): string => cleaned(html, { allowedTags: [], allowedAttributes: {} });

/** Sites make typographic quotation marks and apostrophes of straight ones, unless these are written as references. */
const quotesKept = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/**
 * What a foreign page offers for showing it elsewhere → its frames, quotations and links; '' where there is neither
 * frame nor
 * quotation. Scripts never stay. Frames are locked (no origin of their own, no navigation) unless the page is of
 * someone known.
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
