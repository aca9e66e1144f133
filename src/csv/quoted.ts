import { shortened } from '../html/shortened.ts';

const SHOWN_MAX = 60;

/** A text of the file as a message shows it: in quotation marks, and no longer than a line. */
export const quoted = (text: string): string => `"${shortened(text, SHOWN_MAX)}"`;
