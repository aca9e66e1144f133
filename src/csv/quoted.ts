const SHOWN_MAX = 60;

/** A text of the file as a message shows it: in quotation marks, and no longer than a line. */
export const quoted = (text: string): string =>
  `"${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1).toWellFormed()}…` : text}"`;
