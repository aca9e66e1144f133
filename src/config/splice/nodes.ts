import { isMap, isScalar, isSeq, type Document, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { lineEnd, lineStart } from './lines.ts';
import type { RawPath } from './raw.ts';

/** A file's text and its parsed document. */
export interface SplicedFile {
  readonly text: string;
  readonly document: Document;
}

/** A replacement of the file's text between two offsets. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export type YamlPair = Pair<Node, Node | null>;

export const nodeAt = (document: Document, path: RawPath): Node | null | undefined =>
  path.length === 0 ? (document.contents as Node | null) : (document.getIn(path, true) as Node | null | undefined);

export const isVoid = (node: Node | null | undefined): node is null | undefined =>
  !node || (isScalar(node) && node.value === null);

/** Whether a node has lines of its own, not brackets. */
export const isBlockNode = (node: Node | null | undefined): boolean =>
  (isMap(node) || isSeq(node)) && node.flow !== true;

export const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;
export const pairsOf = (map: YAMLMap): readonly YamlPair[] => map.items as YamlPair[];
export const itemsOf = (list: YAMLSeq): readonly Node[] => list.items as Node[];
const keyOf = ({ key }: YamlPair): string => (isScalar(key) ? String(key.value) : String(key));
export const pairIndex = (map: YAMLMap, key: string | number | undefined): number =>
  pairsOf(map).findIndex((pair) => keyOf(pair) === String(key));

/** The end of a node's text, without following blanks and comments; `before` if it has none. */
export function endOf(node: Node | null | undefined, before: number): number {
  if (!node) return before;
  if (!isBlockNode(node)) return Math.max(node.range?.[1] ?? before, before);
  if (isMap(node)) return pairEnd(pairsOf(node).at(-1), before);
  return isSeq(node) ? endOf(itemsOf(node).at(-1), before) : before;
}

export const pairEnd = (pair: YamlPair | undefined, before: number): number =>
  pair === undefined ? before : endOf(pair.value, pair.key.range?.[1] ?? before);

/** The start of a pair: its key, or an indicator, anchor or tag before it. */
export function pairStart({ key, srcToken }: YamlPair): number {
  const before = srcToken?.start.find(({ type }) => type === 'explicit-key-ind' || type === 'anchor' || type === 'tag');
  return before?.offset ?? startOf(key);
}

/** The offset after a pair's colon. */
export function valueStart({ srcToken }: YamlPair): number | undefined {
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  return colon && colon.offset + 1;
}

/** The offsets of the dashes of a list's entries. */
export function dashesOf(list: YAMLSeq): readonly (number | undefined)[] {
  const { srcToken } = list;
  const entries = srcToken?.type === 'block-seq' ? srcToken.items : [];
  return entries.map(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset);
}

/** The offset after the line in which a text ends; a multi-line text may include its last line break. */
export const lineBehind = (text: string, end: number): number =>
  end > 0 && text[end - 1] === '\n' ? end : lineEnd(text, end);

export const columnOf = (text: string, offset: number): number => offset - lineStart(text, offset);

export const isFirstOfLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === '';

export const blanks = (count: number): string => ' '.repeat(count);

/** The indentation step that the file uses. */
export function stepOf({ text, document }: SplicedFile): string {
  const sources = document.get('sources', true);
  const [first] = isMap(sources) && isBlockNode(sources) ? pairsOf(sources as YAMLMap) : [];
  return blanks(first === undefined ? 2 : Math.min(8, Math.max(1, columnOf(text, pairStart(first)))));
}
