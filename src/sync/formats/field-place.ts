import type { FieldName } from '../model/fields.ts';

/** Where a feed says something about a field of an event. */
export interface FieldPlace {
  readonly field: FieldName;
  /** The property of a calendar, or the column of a table. */
  readonly name: string;
  readonly line: number;
  /** As written, shortened, without what should not be shown. */
  readonly text: string;
}

/** At most so many lines of a feed are read for one event. */
export const EVENT_LINES_MAX = 1_000;

/** Some lines of a text, from one on that counts from 1. Lines end as in the files that editors show. */
export function linesFrom(text: string, line: number, count: number): string {
  const from = offsetAfter(text, 0, line - 1);
  return text.slice(from, offsetAfter(text, from, count));
}

function offsetAfter(text: string, from: number, lines: number): number {
  const end = text.includes('\n') ? '\n' : '\r';
  let offset = from;
  for (let left = lines; left > 0; left -= 1) {
    const at = text.indexOf(end, offset);
    if (at < 0) return text.length;
    offset = at + 1;
  }
  return offset;
}
