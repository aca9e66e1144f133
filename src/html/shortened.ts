import { whenAsked } from '../remembered.ts';

/** Splits a text into graphemes, the characters that people see (UAX #29). Creating the first segmenter takes 10 ms. */
export const graphemes = whenAsked(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

// There is always a grapheme boundary between two of these.
const ARE_LETTERS = /^[\u0020-\u007e]{2}$/;

/** The end of the last complete grapheme within `most` characters. */
function cutWithin(text: string, most: number): number {
  if (ARE_LETTERS.test(text.slice(most - 1, most + 1))) return most;
  // If a single grapheme is longer than that, cuts it without splitting a surrogate pair.
  const start = graphemes()
    .segment(text.slice(0, most + 2))
    .containing(most)?.index;
  return start || (text.slice(0, most).isWellFormed() ? most : most - 1);
}

/** The beginning of a text, at most `most` characters, without splitting a grapheme. */
export const startOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, cutWithin(text, most));

/** The same for the end of a text. */
export function endOf(text: string, most: number): string {
  const from = text.length - most;
  if (from <= 0) return text;
  const first = graphemes().segment(text).containing(from);
  return text.slice(first && first.index < from ? first.index + first.segment.length : from);
}

/** A text cut to at most `most` characters, with an ellipsis for the rest. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${startOf(text, most - 1).trimEnd()}…`;

/** Like `shortened`, but cut between two words if possible. */
export function shortenedToWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = startOf(text, most - 1);
  const isWordCut = !/^\s/.test(text.slice(start.length));
  return `${(isWordCut ? start.replace(/\s+\S*$/, '') : start).trimEnd()}…`;
}
