import type { TokenizerCallbacks } from 'htmlparser2';
import { markupParser } from './markup-parser.ts';

/** A start tag: its lower-case name and decoded attributes; the first of repeated attributes counts. */
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

/** An XML element, with the texts of its child elements by lower-case name, in order. */
export interface XmlRecord {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The line where it begins, from 1. */
  readonly line: number;
}

/**
 * The XML elements at a path of lower-case names from the root element: `rss`, `channel`, `item`. Takes linear time for
 * any text.
 */
export function xmlRecords(xml: string, path: readonly string[]): readonly XmlRecord[] {
  const records: { readonly texts: Map<string, string[]>; readonly line: number }[] = [];
  const open: string[] = [];
  let [isInside, text, line, lineEnd] = [false, '', 1, xml.indexOf('\n')];
  const lineAt = (offset: number): number => {
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = xml.indexOf('\n', lineEnd + 1)) line += 1;
    return line;
  };
  const closed = (): void => {
    const texts = records.at(-1)?.texts;
    if (open.length <= path.length) isInside = false;
    const name = open.pop() ?? '';
    if (!isInside || open.length !== path.length || !texts) return;
    const same = texts.get(name);
    if (same) same.push(text.trim());
    else texts.set(name, [text.trim()]);
  };
  const add = (more: string): void => {
    if (isInside && open.length === path.length + 1) text += more;
  };
  readMarkup(xml, true, {
    onopentagname: (start, end) => {
      open.push(xml.slice(start, end).toLowerCase());
      if (open.length === path.length + 1) text = '';
      if (open.length !== path.length || !path.every((name, depth) => open[depth] === name)) return;
      isInside = true;
      records.push({ texts: new Map(), line: lineAt(start) });
    },
    onselfclosingtag: closed,
    onclosetag: closed,
    ontext: (start, end) => add(xml.slice(start, end)),
    ontextentity: (point) => add(String.fromCodePoint(point)),
    oncdata: (start, end, offset) => add(xml.slice(start, end - offset)),
  });
  return records;
}

const ignore = (): void => undefined;

/** Reports tags and texts one by one without building a tree, so that the time does not depend on nesting. */
function readMarkup(text: string, xmlMode: boolean, tellsOf: Partial<TokenizerCallbacks>): void {
  const { Tokenizer } = markupParser();
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
