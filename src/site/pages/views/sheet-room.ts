import { textFromHtml } from '../../../html/text.ts';
import type { Html } from '../../../html/template.ts';

// How much of a week fits on one sheet of A4. Lengths are in millimetres, as printed with the style's own fonts.

/** The texts of an event: its title, and place, end and price. */
export interface SheetLine {
  readonly title: Html;
  readonly about: Html;
}

/** The events of a day, and the number left out. */
export interface SheetDay {
  readonly told: readonly SheetLine[];
  readonly left: number;
}

interface Size {
  readonly line: number;
  readonly event: number;
  readonly day: number;
  /** The height of a day's number and name. */
  readonly dayMin: number;
  /** The minimum number of characters in a line. */
  readonly letters: number;
  readonly linesOf: (title: number, about: number) => number;
}
// Neither part of an event has more lines than this, nor do both together in small type.
const LINES_MAX = 2;
const clamped = (lines: number): number => Math.min(LINES_MAX, Math.ceil(lines));
const LARGE: Size = {
  line: 5.8,
  event: 0.8,
  day: 5.1,
  dayMin: 18.3,
  letters: 54,
  linesOf: (title, about) => Math.max(1, clamped(title)) + clamped(about),
};
const CLOSE: Size = {
  ...LARGE,
  line: 5.5,
  letters: 66,
  linesOf: (title, about) => Math.max(1, clamped(title + about)),
};
const SMALL: Size = { ...CLOSE, line: 4.7, day: 2.3, dayMin: 12.8, letters: 78 };
/** By the classes of the sheet, the largest first. */
const SIZES = { '': LARGE, ' close': CLOSE, ' close dense': SMALL } as const;
const SMALLEST = ' close dense';

/** Excludes the margins, the foot and the lines of the head. Other systems' fonts are some percent larger. */
const ROOM = 0.95 * (297 - 24 - 31 - 6);
const HEAD_LINE = 12.3;
const HEAD_LETTERS = 26;

/** Wide characters, such as Chinese ones, count twice. */
const lettersOf = (text: string): number => [...text].reduce((sum, one) => sum + (one >= '\u2e80' ? 2 : 1), 0);

const roomBelow = (site: string): number => ROOM - HEAD_LINE * clamped(lettersOf(site) / HEAD_LETTERS);

function heightOfEvent({ title, about }: SheetLine, { event, line, letters, linesOf }: Size): number {
  const [first, second] = [title, about].map(({ markup }) => lettersOf(textFromHtml(markup)) / letters);
  return event + line * linesOf(first ?? 0, second ?? 0);
}

/** The height of days with at most `most` events each, including the lines about those left out. */
function heightOf(days: readonly SheetDay[], size: Size, most = Infinity): number {
  const heights = days.map(({ told, left }) => {
    const shown = told.slice(0, most).reduce((sum, one) => sum + heightOfEvent(one, size), 0);
    const hasMore = left > 0 || told.length > most;
    return Math.max(size.dayMin, size.day + shown + (hasMore ? size.event + size.line : 0));
  });
  return heights.reduce((sum, height) => sum + height, 0);
}

/** Chooses how to fit a week on one sheet: its classes, and the most events shown for a day. */
export function sheetRoom(
  site: string,
  days: readonly SheetDay[],
  lasting: SheetDay,
): { readonly classes: keyof typeof SIZES; readonly most: number } {
  const longest = Math.max(1, ...days.map(({ told }) => told.length));
  const room = roomBelow(site);
  const fits = (size: Size, most: number): boolean =>
    heightOf(days, size, most) + (lasting.told.length > 0 ? heightOf([lasting], size) : 0) <= room;
  const classes = Object.entries(SIZES).find(([, size]) => fits(size, longest))?.[0] as keyof typeof SIZES | undefined;
  if (classes !== undefined) return { classes, most: longest };
  let most = longest;
  while (most > 1 && !fits(SMALL, most)) most -= 1;
  return { classes: SMALLEST, most };
}
