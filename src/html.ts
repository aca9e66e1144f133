import { decodeHTML } from 'entities';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import sanitize from 'sanitize-html';

// What a calendar entry may hold; scripts, styles, forms, frames and event handlers go, their inner text stays where it is text.
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

/** Elements stand in one another at most so deep: what is deeper loses its tags, not its text. */
const NESTING_MAX = 256;
/** Longer attributes are dropped: no address and no tooltip is. */
const ATTRIBUTE_MAX = 4_096;
/** What stands in frames for old browsers is read as HTML of its own, which takes its time: in a text with more frames it is dropped. */
const FRAMES_MAX = 50;
// The text of these is dropped with them, and nothing is nested in them.
const WITHOUT_TEXT = ['option', 'script', 'style', 'textarea', 'xmp'];

/** More references than these are read together with the text around them. */
const REFERENCES_MAX = 100;

/** What a text has more of than the bounds above; most texts are too short to reach any, and need none of what keeps to them. */
interface Excess {
  readonly marks: boolean;
  readonly length: boolean;
  readonly frames: boolean;
}

/**
 * The sanitizer, without what makes it slow: its parser looks through all open elements at each tag, its check of addresses goes
 * through a whole attribute at each comment in it, and its texts come and are escaped sign by sign where they are references.
 * Of text without tags it leaves all, which needs no parser. `quoted` is the last to see a text, escaped.
 */
function cleaned(html: string, options: sanitize.IOptions, quoted = (text: string): string => text): string {
  if (!html.includes('<')) return quoted(escapeMarkup(decodeEntities(html)));
  const [tags, references] = [countOf(html, '<'), countOf(html, '&')];
  return sanitized(html, options, quoted, {
    marks: tags > NESTING_MAX || references > REFERENCES_MAX,
    length: html.length > ATTRIBUTE_MAX,
    frames: tags > FRAMES_MAX && (html.match(/<iframe/gi)?.length ?? 0) > FRAMES_MAX,
  });
}

const countOf = (text: string, sign: string): number => text.split(sign).length - 1;

function sanitized(html: string, options: sanitize.IOptions, quoted: (text: string) => string, excess: Excess): string {
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

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The text that the parser is being told of, decoded; undefined while it is told of something else. */
interface Told {
  text: string | undefined;
}

type JoiningOptions = ConstructorParameters<typeof Tokenizer>[0] & {
  readonly isFull: () => boolean;
  readonly told: Told;
};

/** A tokenizer that keeps the start tags to itself that come while `isFull`, and tells of the text between two tags at once: as written to the parser, decoded in `told`. */
class JoiningTokenizer extends Tokenizer {
  private source = '';

  constructor(options: JoiningOptions, to: TokenizerCallbacks) {
    const { isFull, told } = options;
    let isDropped = false;
    const unlessDropped =
      <A extends number[]>(call: (...at: A) => void) =>
      (...at: A): void => {
        if (!isDropped) call.apply(to, at);
      };
    let run: { readonly start: number; end: number; text: string } | undefined;
    const add = (start: () => number, end: number, text: string): void => {
      run ??= { start: start(), end, text: '' };
      run.end = end;
      run.text += text;
    };
    const afterText =
      <A extends number[]>(call: (...at: A) => void) =>
      (...at: A): void => {
        if (run) {
          const { start, end, text } = run;
          run = undefined;
          told.text = text;
          to.ontext(start, end);
          told.text = undefined;
        }
        call.apply(to, at);
      };
    super(options, {
      onopentagname: afterText((start, end) => {
        isDropped = isFull() && !WITHOUT_TEXT.includes(this.source.slice(start, end).toLowerCase());
        if (!isDropped) to.onopentagname(start, end);
      }),
      onattribname: unlessDropped(to.onattribname),
      onattribdata: unlessDropped(to.onattribdata),
      onattribentity: unlessDropped(to.onattribentity),
      onattribend: unlessDropped(to.onattribend),
      onopentagend: unlessDropped(to.onopentagend),
      onselfclosingtag: unlessDropped(to.onselfclosingtag),
      ontext: (start, end) => add(() => start, end, this.source.slice(start, end)),
      ontextentity: (point, end) => add(() => this.source.lastIndexOf('&', end - 1), end, String.fromCodePoint(point)),
      onclosetag: afterText(to.onclosetag),
      oncdata: afterText(to.oncdata),
      oncomment: afterText(to.oncomment),
      ondeclaration: afterText(to.ondeclaration),
      onprocessinginstruction: afterText(to.onprocessinginstruction),
      onend: afterText(to.onend),
      ...(to.isInForeignContext && { isInForeignContext: () => to.isInForeignContext?.() ?? false }),
    });
  }

  override write(text: string): void {
    this.source += text;
    super.write(text);
  }
}

/** Sites make typographic quotation marks and apostrophes of straight ones, unless these are written as references. */
const quotesKept = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/**
 * What a foreign page offers for showing it elsewhere → its frames, quotations and links; '' where there is neither frame nor
 * quotation. Scripts never stay. Frames are locked (no origin of their own, no navigation) unless the page is of someone known.
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

/** HTML → plain text: blocks and breaks become line ends, links keep their words, entities are decoded. */
export const textFromHtml = (html: string): string =>
  wordsOf(html)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function wordsOf(html: string): string {
  if (!html.includes('<')) return decodeEntities(html);
  const broken = html
    .replace(/<br\s*\/?>(?:\r?\n)?/gi, '\n')
    .replace(/<li[^<>]*>/gi, '\n- ')
    .replace(/<\/(?:p|div|h[1-6]|tr|ul|ol|blockquote|table)>\s*/gi, '\n\n');
  return decodeEntities(cleaned(broken, { allowedTags: [], allowedAttributes: {} }));
}

/** A start tag: its name in lower case, its attributes decoded, the first of each name. */
export interface StartTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** The start tags of some names in HTML, in order: none of comments and scripts. Linear in time, whatever the text is. */
export function startTags(html: string, names: readonly string[]): readonly StartTag[] {
  const found: StartTag[] = [];
  let attributes: Map<string, string> | undefined;
  let [name, value] = ['', ''];
  readMarkup(html, false, {
    onopentagname: (start, end) => {
      const tag = html.slice(start, end).toLowerCase();
      attributes = names.includes(tag) ? new Map() : undefined;
      if (attributes) found.push({ name: tag, attributes });
    },
    onattribname: (start, end) => {
      [name, value] = [attributes ? html.slice(start, end).toLowerCase() : '', ''];
    },
    onattribdata: (start, end) => {
      if (attributes) value += html.slice(start, end);
    },
    onattribentity: (point) => {
      if (attributes) value += String.fromCodePoint(point);
    },
    onattribend: () => {
      if (attributes?.has(name) === false) attributes.set(name, value);
    },
  });
  return found;
}

/** The texts of the elements that stand in the outermost element of XML, by their names in lower case, the last of each name; undefined where the outermost is not `root`. Linear in time. */
export function xmlTexts(xml: string, root: string): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  let depth = 0;
  let [outermost, name, text] = ['', '', ''];
  const closed = (): void => {
    if (depth === 2) texts.set(name, text.trim());
    depth -= 1;
  };
  const add = (more: string): void => {
    if (depth === 2) text += more;
  };
  readMarkup(xml, true, {
    onopentagname: (start, end) => {
      depth += 1;
      if (depth === 1) outermost ||= xml.slice(start, end).toLowerCase();
      if (depth === 2) [name, text] = [xml.slice(start, end).toLowerCase(), ''];
    },
    onselfclosingtag: closed,
    onclosetag: closed,
    ontext: (start, end) => add(xml.slice(start, end)),
    ontextentity: (point) => add(String.fromCodePoint(point)),
    oncdata: (start, end, offset) => add(xml.slice(start, end - offset)),
  });
  return outermost === root ? texts : undefined;
}

const ignore = (): void => undefined;

/** Tells of a text's tags and texts as they come, without the tree that they make: the time does not depend on how they are nested. */
function readMarkup(text: string, xmlMode: boolean, tellsOf: Partial<TokenizerCallbacks>): void {
  const tokenizer = new Tokenizer(
    { xmlMode, decodeEntities: true },
    {
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
      ...tellsOf,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
}

/** Numeric and named character references → the characters. */
export const decodeEntities = (text: string): string => decodeHTML(text);

/** So much of a text is read for its beginning. */
const BEGINNING_MAX = 20_000;

/** The beginning of what HTML says, where no more is shown: of a long text it costs little, too. */
export const beginningOf = (html: string): string => textFromHtml(html.slice(0, BEGINNING_MAX));

/** Plain text → HTML that shows the same. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/&#38;/g, '&amp;')
    .replace(/&#60;/g, '&lt;')
    .replace(/&#62;/g, '&gt;')
    .replace(/&#34;/g, '&quot;');

/** Plain text → paragraphs and line breaks. */
export const htmlFromText = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => `<p>${escapeHtml(block.trim()).replace(/\n/g, '<br />')}</p>`)
    .join('\n');

/** The query of a link to somebody else's page: blanks are %20, as not all of them read "+" as a blank. */
export const linkQuery = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString().replaceAll('+', '%20');
