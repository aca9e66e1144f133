import { shortened } from '../html/shortened.ts';

const SHOWN_MAX = 60;

/** A text of the file as shown in messages: in quotation marks, shortened to a line. */
export const quoted = (text: string): string => `"${shortened(text, SHOWN_MAX)}"`;
