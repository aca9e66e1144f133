import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** A start tag: its lower-case name and decoded attributes; of repeated attributes the first counts. */
export interface StartTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * The start tags with certain names in HTML, in order, without those in comments and scripts. Takes linear time for any
 * text.
 */
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

/**
 * The texts of the elements directly inside the root element of XML, by lower-case name (the last of each name);
 * undefined if the root is not `root`. Takes linear time.
 */
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

/** Reports tags and texts as they come, without building a tree: the time does not depend on nesting. */
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
