import type { YAMLSeq } from 'yaml';
import { commentsAbove, commentsBelow, eolOf, lineStart } from './lines.ts';
import {
  blanks,
  columnOf,
  dashesOf,
  endOf,
  isBlockNode,
  isFirstOfLine,
  itemsOf,
  lineBehind,
  startOf,
  stepOf,
  type Change,
  type SplicedFile,
} from './nodes.ts';
import type { Raw } from './raw.ts';
import { itemLines, onOneLine } from './render-yaml.ts';

/** A list entry, given by its former index or as a new value. */
export type Arranged = { readonly was: number } | { readonly value: Raw };

/** Reorders a list, leaving out and inserting entries as given; each entry keeps its comments. */
export const arrangeList = (file: SplicedFile, list: YAMLSeq, items: readonly Arranged[]): Change | undefined =>
  isBlockNode(list) ? arrangeLines(file, list, items) : arrangeBetweenBrackets(file.text, list, items);

function arrangeBetweenBrackets(text: string, list: YAMLSeq, items: readonly Arranged[]): Change | undefined {
  const spans = itemsOf(list).map((node) => ({ from: startOf(node), to: endOf(node, 0) }));
  const [from, to] = [spans[0]?.from, spans.at(-1)?.to];
  if (from === undefined || to === undefined) return undefined;
  const gaps = spans.slice(1).map((span, index) => text.slice(spans[index]?.to, span.from));
  // A comment would end up beside another entry.
  if (gaps.some((gap) => gap.includes('#'))) return undefined;
  const pieces = items.map((item) =>
    'was' in item ? text.slice(spans[item.was]?.from, spans[item.was]?.to) : onOneLine(item.value),
  );
  return { from, to, text: pieces.join(gaps[0] ?? ', ') };
}

function arrangeLines(file: SplicedFile, list: YAMLSeq, items: readonly Arranged[]): Change | undefined {
  const { text } = file;
  const dashes = dashesOf(list).filter((dash) => dash !== undefined);
  if (dashes.length !== list.items.length || !dashes.every((dash) => isFirstOfLine(text, dash))) return undefined;
  const tops = dashes.map((dash) => commentsAbove(text, lineStart(text, dash)));
  const column = columnOf(text, dashes[0] ?? 0);
  const to = commentsBelow(text, lineBehind(text, endOf(itemsOf(list).at(-1), 0)), column + 1);
  const eol = eolOf(text);
  const ended = (piece: string): string => (piece.endsWith('\n') ? piece : `${piece}${eol}`);
  const whole = items
    .map((item) =>
      'was' in item
        ? text.slice(tops[item.was], tops[item.was + 1] ?? to)
        : itemLines(item.value, blanks(column), stepOf(file)).join(eol),
    )
    .map(ended)
    .join('');
  const isOpen = to === text.length && text[to - 1] !== '\n';
  return { from: tops[0] ?? to, to, text: isOpen ? whole.slice(0, -eol.length) : whole };
}
