import { eastAsianWidth } from 'get-east-asian-width';
import { TERMINAL_ORDERS } from '../../json.ts';
import { whenAsked } from '../../remembered.ts';
import { graphemes } from '../../html/shortened.ts';

// One column for each character; most texts consist of these only.
const PLAIN = /^[\u0020-\u007e\u00a0-\u02ff]*$/;
const WITHOUT_WIDTH = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

// Creating the first segmenter takes 10 ms, and most texts are plain.
const words = whenAsked(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** How many columns of a terminal a text occupies. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return [...graphemes().segment(text)].reduce((sum, { segment }) => sum + widthOfGrapheme(segment), 0);
}

function widthOfGrapheme(grapheme: string): number {
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  return isWide(grapheme) ? 2 : 1;
}

const isPicture = (text: string): boolean => /\p{Emoji_Presentation}|\ufe0f/u.test(text);

/** Whether it contains letters or pictures that are two columns wide (UAX #11, UTS #51). */
const isWide = (text: string): boolean =>
  isPicture(text) || [...text].some((letter) => eastAsianWidth(letter.codePointAt(0) ?? 0) === 2);

// Isolates around foreign text in a sentence. Terminals that support them would show it correctly, but most do not.
const ISOLATES = /[\u2068\u2069]/g;

/** Text from outside as a terminal may show it: on one line, and without control sequences. */
export const printable = (text: string): string => text.replace(ISOLATES, '').replace(TERMINAL_ORDERS, ' ');

/**
 * Breaks a text into lines of at most `width` columns, between words, even in scripts without spaces. A single wider
 * word stays whole, because it may be a name or an address to be copied.
 */
export function wrapped(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of piecesOf(text)) {
    const wide = widthOf(piece);
    if (used > 0 && used + wide > width) {
      lines.push(line.trimEnd());
      [line, used] = ['', 0];
    }
    const added = used === 0 && lines.length > 0 ? piece.trimStart() : piece;
    line += added;
    used += widthOf(added);
  }
  return used > 0 ? [...lines, line] : lines;
}

/** Words with their leading spaces. */
const piecesOf = (text: string): readonly string[] =>
  (text.match(/\s*\S+/g) ?? []).flatMap((piece) =>
    // Addresses and slugs have no wide letters and are not broken.
    isWide(piece) ? piecesOfWide(piece) : [piece],
  );

/** Splits between words; punctuation stays with the preceding word. */
function piecesOfWide(piece: string): readonly string[] {
  const pieces: string[] = [];
  for (const { segment, isWordLike } of words().segment(piece)) {
    const last = pieces.length - 1;
    const before = pieces[last];
    if (before !== undefined && (!isWordLike || !/[\p{L}\p{N}]/u.test(before))) pieces[last] = before + segment;
    else pieces.push(segment);
  }
  return pieces;
}

const IS_ADDRESS = /:\/\//;

/** The width of the widest word. Web addresses may exceed their column and are not counted. */
export const widestWord = (text: string): number =>
  piecesOf(text).reduce(
    (widest, piece) => (IS_ADDRESS.test(piece) ? widest : Math.max(widest, widthOf(piece.trim()))),
    0,
  );

/** A text cut to at most `columns` columns, with an ellipsis for the rest. */
export function cutTo(text: string, columns: number): string {
  const line = printable(text);
  if (widthOf(line) <= columns) return line;
  let [cut, width] = ['', 0];
  for (const { segment } of graphemes().segment(line)) {
    width += widthOfGrapheme(segment);
    if (width >= columns) break;
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}
