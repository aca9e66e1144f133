/** Letters that are read from right to left, and signs that turn the direction of what follows. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ORDERS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text of others as a part of a sentence: one that is read from right to left leaves the words and numbers around it
 * where they are (UAX #9, 2.7). Its own orders are left out: one of them could end its place too early.
 */
export const isolated = (text: string): string => (TURNS.test(text) ? `\u2068${text.replace(ORDERS, '')}\u2069` : text);

/** A text of others in the quotation marks of English. */
export const inQuotes = (text: string): string => `“${isolated(text)}”`;
