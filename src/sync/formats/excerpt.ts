import { shortened } from '../../html/shortened.ts';

const EXCERPT_MAX = 160;
// Joiners are not matched: they occur in emoji of several people and in Persian words, and neither move nor hide text.
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029\uFDD0-\uFDEF]/gu;
const MAIL = /[^\s<>:,;"']+@(?=[\w-]+(?:\.[\w-]+)+)/g;

/** A feed's text made safe to show: short, on one line, without characters that reorder or hide text. */
export function plainExcerpt(text: string): string {
  return shortened(text.slice(0, EXCERPT_MAX * 4).replace(INVISIBLE, '\uFFFD'), EXCERPT_MAX);
}

/** A line of a feed made safe to show. Email addresses lose the part before the @, because reports are passed on. */
export const shownLine = (line: string): string =>
  plainExcerpt(/^UID\b/i.test(line) ? line : line.slice(0, EXCERPT_MAX * 8).replace(MAIL, '…@'));
