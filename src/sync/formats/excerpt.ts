import { shortened } from '../../html/shortened.ts';

const EXCERPT_MAX = 160;
// Joiners, which are in pictures of several people and in Persian words, move and hide nothing.
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029\uFDD0-\uFDEF]/gu;
const MAIL = /[^\s<>:,;"']+@(?=[\w-]+(?:\.[\w-]+)+)/g;

/** Text of a feed that is safe to show: short, on one line, without characters that reorder or hide text. */
export function plainExcerpt(text: string): string {
  return shortened(text.slice(0, EXCERPT_MAX * 4).replace(INVISIBLE, '\uFFFD'), EXCERPT_MAX);
}

/** A line of a feed that is safe to show. Email addresses lose the part before the @, because reports are passed on. */
export const shownLine = (line: string): string =>
  plainExcerpt(/^UID\b/i.test(line) ? line : line.slice(0, EXCERPT_MAX * 8).replace(MAIL, '…@'));
