import type { FieldName } from '../model/fields.ts';

/** The place where a feed gives a field of an event. */
export interface FieldPlace {
  readonly field: FieldName;
  /** The name of the calendar property or table column. */
  readonly name: string;
  readonly line: number;
  /** As written, but shortened and safe to show. */
  readonly text: string;
}

/** The most lines of a feed that are read for one event. */
export const EVENT_LINES_MAX = 1_000;

/** Returns `count` lines of a text, beginning with number `line` (from 1), counted as editors do. */
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
