/** Right-to-left letters, and characters that change the direction of what follows. */
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ORDERS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Isolates text from outside within a sentence, so that right-to-left text does not move the words and numbers around
 * it (UAX #9, 2.7). Removes its own directional controls, which could end the isolation early.
 */
export const isolated = (text: string): string => (TURNS.test(text) ? `\u2068${text.replace(ORDERS, '')}\u2069` : text);

/** Text from outside in English quotation marks. */
export const inQuotes = (text: string): string => `“${isolated(text)}”`;
