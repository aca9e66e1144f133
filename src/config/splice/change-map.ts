import type { YAMLMap } from 'yaml';
import { commentsAbove, commentsBelow, emptyAbove, eolLength, linesAt, lineStart } from './lines.ts';
import {
  blanks,
  columnOf,
  isBlockNode,
  isFirstOfLine,
  lineBehind,
  pairEnd,
  pairIndex,
  pairsOf,
  pairStart,
  stepOf,
  type Change,
  type SplicedFile,
  type YamlPair,
} from './nodes.ts';
import type { Raw } from './raw.ts';
import { onOneLine, pairLines, scalarText } from './render-yaml.ts';

/** Adds a key at the end of its map. `isApart` puts an empty line before it if the others are separated by one. */
export function addKey(
  file: SplicedFile,
  map: YAMLMap,
  key: string,
  value: Raw,
  { depth, isApart }: { readonly depth: number; readonly isApart: boolean },
): Change | undefined {
  const { text } = file;
  const pairs = pairsOf(map);
  if (!isBlockNode(map)) return addBetweenBrackets(text, map, `${scalarText(key)}: ${onOneLine(value)}`);
  const [first] = pairs;
  if (!first) return undefined;
  const column = columnOf(text, pairStart(first));
  const own = lineBehind(text, pairEnd(pairs.at(-1), 0));
  // Comments below that are indented at least as far as the keys belong to this map.
  const at = column === 0 ? own : commentsBelow(text, own, column);
  const lines = pairLines(key, value, blanks(column), stepOf(file), depth);
  return linesAt(text, at, isApart && hasGaps(text, pairs) ? ['', ...lines] : lines);
}

/** Whether the entries of a map are separated by empty lines; a single entry counts as separated. */
const hasGaps = (text: string, pairs: readonly YamlPair[]): boolean =>
  pairs.length === 1 ||
  pairs.slice(1).some((pair) => {
    const top = commentsAbove(text, lineStart(text, pairStart(pair)));
    return emptyAbove(text, top) < top;
  });

function addBetweenBrackets(text: string, map: YAMLMap, piece: string): Change {
  const [from = 0, to = 0] = map.range ?? [];
  const last = pairsOf(map).at(-1);
  if (!last) return { from, to, text: `{ ${piece} }` };
  const end = pairEnd(last, 0);
  const comma = /^\s*,/.exec(text.slice(end, to))?.[0].length ?? 0;
  return { from: end + comma, to: end + comma, text: comma > 0 ? ` ${piece}` : `, ${piece}` };
}

/** Removes a key with its comment lines. A map must keep at least one key. */
export function removeKey(text: string, map: YAMLMap, key: string): Change | undefined {
  const pairs = pairsOf(map);
  const index = pairIndex(map, key);
  const [before, pair, next] = [pairs[index - 1], pairs[index], pairs[index + 1]];
  if (!pair || pairs.length === 1) return undefined;
  const start = pairStart(pair);
  const isInLine = !isBlockNode(map) || !isFirstOfLine(text, start);
  if (!isInLine) return removeLines(text, pair, next);
  if (next) return { from: start, to: pairStart(next), text: '' };
  return before && !isBlockNode(map) ? { from: pairEnd(before, 0), to: pairEnd(pair, 0), text: '' } : undefined;
}

function removeLines(text: string, pair: YamlPair, next: YamlPair | undefined): Change {
  const { from: own, to } = linesOf(text, pair, next);
  if (next) return { from: own, to, text: '' };
  const from = emptyAbove(text, own);
  // If the file's last line had no line break, it still has none.
  const isOpen = to === text.length && text[to - 1] !== '\n';
  return { from: isOpen ? from - eolLength(text, from) : from, to, text: '' };
}

/** The lines of a pair with its comments, up to the next pair. */
function linesOf(
  text: string,
  pair: YamlPair,
  next: YamlPair | undefined,
): { readonly from: number; readonly to: number } {
  const start = pairStart(pair);
  const from = commentsAbove(text, lineStart(text, start));
  if (next) return { from, to: commentsAbove(text, lineStart(text, pairStart(next))) };
  return { from, to: commentsBelow(text, lineBehind(text, pairEnd(pair, 0)), columnOf(text, start) + 1) };
}

/** The range of a key, its value and its comment lines. */
export function keyRange(
  text: string,
  map: YAMLMap,
  key: string,
): { readonly from: number; readonly to: number } | undefined {
  const pairs = pairsOf(map);
  const index = pairIndex(map, key);
  const pair = pairs[index];
  if (!pair) return undefined;
  return isBlockNode(map) ? linesOf(text, pair, pairs[index + 1]) : { from: pairStart(pair), to: pairEnd(pair, 0) };
}

/** Renames a key. */
export function renameKey(map: YAMLMap, key: string, name: string): Change | undefined {
  const [from, to] = pairsOf(map)[pairIndex(map, key)]?.key.range ?? [];
  return from === undefined || to === undefined ? undefined : { from, to, text: scalarText(name) };
}
