import { whenAsked } from '../remembered.ts';

/** The letters and pictures of a text as people see them (UAX #29). Making the first takes 10 ms. */
export const graphemes = whenAsked(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

// Between two of these, a letter always ends.
const ARE_LETTERS = /^[\u0020-\u007e]{2}$/;

/** The end of the last whole letter or picture within so many characters. */
function cutWithin(text: string, most: number): number {
  if (ARE_LETTERS.test(text.slice(most - 1, most + 1))) return most;
  // A letter may be longer than that: of such a one, what the text can be stored with.
  const start = graphemes()
    .segment(text.slice(0, most + 2))
    .containing(most)?.index;
  return start || (text.slice(0, most).isWellFormed() ? most : most - 1);
}

/** The beginning of a text, at most so many characters: no letter or picture is cut in two. */
export const startOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, cutWithin(text, most));

/** The end of a text in the same way. */
export function endOf(text: string, most: number): string {
  const from = text.length - most;
  if (from <= 0) return text;
  const first = graphemes().segment(text).containing(from);
  return text.slice(first && first.index < from ? first.index + first.segment.length : from);
}

/** A text in at most so many characters, with an ellipsis where it goes on. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${startOf(text, most - 1).trimEnd()}…`;

/** The same, between two words where it has any. */
export function shortenedToWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = startOf(text, most - 1);
  const isWordCut = !/^\s/.test(text.slice(start.length));
  return `${(isWordCut ? start.replace(/\s+\S*$/, '') : start).trimEnd()}…`;
}
