import { isMap, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { commentsBelow, eolOf, lineEnd, linesAt } from './lines.ts';
import {
  blanks,
  columnOf,
  dashesOf,
  endOf,
  isBlockNode,
  isFirstOfLine,
  isVoid,
  nodeAt,
  pairIndex,
  pairsOf,
  pairStart,
  startOf,
  stepOf,
  valueStart,
  type Change,
  type SplicedFile,
  type YamlPair,
} from './nodes.ts';
import type { Raw, RawPath } from './raw.ts';
import { blockLines, isBlock, onOneLine } from './render-yaml.ts';

/** Replaces a value. The outermost `depth` levels of the new one always get lines of their own. */
export function setValue(file: SplicedFile, path: RawPath, value: Raw, depth: number): Change | undefined {
  const { text, document } = file;
  if (path.length === 0) return linesAt(text, text.length, blockLines(value, '', stepOf(file), depth));
  const parent = nodeAt(document, path.slice(0, -1));
  if (isSeq(parent)) return inPlace(text, nodeAt(document, path), onOneLine(value));
  if (!isMap(parent)) return undefined;
  const map = parent as YAMLMap;
  const pair = pairsOf(map)[pairIndex(map, path.at(-1))];
  const colon = pair && valueStart(pair);
  if (!pair || colon === undefined) return undefined;
  return setPair({ file, pair, colon, column: columnOf(text, pairStart(pair)) }, isBlockNode(map), value, depth);
}

function setPair(place: Place, isInLines: boolean, value: Raw, depth: number): Change | undefined {
  const { file, pair, colon, column } = place;
  const start = pairStart(pair);
  const isFree = isInLines && isFirstOfLine(file.text, start);
  const isBroad = isFree && isBlock(value, colon - start + column, depth);
  if (isVoid(pair.value)) return setVoid(place, value, isBroad, depth);
  if (isBlockNode(pair.value)) return inPlaceOfBlock(place, value);
  return isBroad ? asLines(place, value, depth) : inPlace(file.text, pair.value, onOneLine(value));
}

interface Place {
  readonly file: SplicedFile;
  readonly pair: YamlPair;
  /** The offset after the colon. */
  readonly colon: number;
  readonly column: number;
}

function setVoid(
  { file, pair, colon, column }: Place,
  value: Raw,
  isBroad: boolean,
  depth: number,
): Change | undefined {
  const { text } = file;
  const end = endOf(pair.value, colon);
  if (!isBroad) return { from: colon, to: end, text: ` ${onOneLine(value)}` };
  // An explicit null such as "~" is written there.
  if (end > colon) return undefined;
  const step = stepOf(file);
  const at = commentsBelow(text, lineEnd(text, colon), column + 1);
  return linesAt(text, at, blockLines(value, blanks(column) + step, step, depth));
}

function asLines({ file, pair, colon, column }: Place, value: Raw, depth: number): Change {
  const eol = eolOf(file.text);
  const step = stepOf(file);
  const lines = blockLines(value, blanks(column) + step, step, depth);
  const end = endOf(pair.value, colon);
  return { from: colon, to: end, text: `${['', ...lines].join(eol)}${eolOfText(file.text, end)}` };
}

function inPlace(text: string, node: Node | null | undefined, put: string): Change | undefined {
  const [from, to] = node?.range ?? [];
  if (from === undefined || to === undefined || isBlockNode(node)) return undefined;
  return { from, to, text: `${put}${eolOfText(text, to)}` };
}

/** A multi-line text includes its last line break, which has to be kept. */
const eolOfText = (text: string, end: number): string => (text[end - 1] === '\n' ? eolOf(text) : '');

/** Replaces a block by a single line; a comment between the key and the block stays. */
function inPlaceOfBlock({ file: { text }, pair, colon }: Place, value: Raw): Change | undefined {
  const { value: node } = pair;
  const first = isSeq(node) ? dashesOf(node as YAMLSeq)[0] : startOf(node);
  if (first === undefined) return undefined;
  const end = endOf(node, first);
  const isBare = text.slice(colon, first).trim() === '';
  return {
    from: isBare ? colon : first,
    to: end,
    text: `${isBare ? ' ' : ''}${onOneLine(value)}${eolOfText(text, end)}`,
  };
}
