/** An unfolded content line (RFC 5545, 3.1), not parsed yet: `NAME;PARAM=x:value`. `line` counts from 1 in the text. */
export interface ContentLine {
  readonly text: string;
  readonly line: number;
}

/** Whole lines of a longer text; `line` is the number of the first of them there. */
export interface Section {
  readonly text: string;
  readonly line: number;
}

/**
 * Splits text into content lines. Handles CRLF, LF or CR, folds, the soft line breaks of vCalendar 1.0, blank lines,
 * byte order marks and stray carriage returns. If a text comes in sections, only the first one decides whether it is
 * indented.
 */
export function* contentLines(text: string | readonly Section[]): Generator<ContentLine> {
  const sections = typeof text === 'string' ? [{ text, line: 1 }] : text;
  let isContinuation: typeof continues | undefined;
  // Joined only once, to avoid copying a line of ten thousand folds again and again.
  let parts: string[] = [];
  let from = 0;
  for (const section of sections) {
    const physical = physicalLines(section.text);
    isContinuation ??= isIndented(physical) ? continuesIndented : continues;
    let line = section.line - 1;
    for (const raw of physical) {
      line += 1;
      // A blank line does not end a content line, because some programs put one inside a fold.
      if (raw === '' || isTakenIn(parts, raw, isContinuation)) continue;
      if (parts.length > 0) yield { text: parts.join(''), line: from };
      parts = [raw.trimStart().replace(/^\uFEFF+/, '')];
      from = line;
    }
  }
  if (parts.length > 0) yield { text: parts.join(''), line: from };
}

/** Adds a physical line to the parts of the content line that it continues; false if it begins another. */
function isTakenIn(parts: string[], raw: string, isContinuation: typeof continues): boolean {
  const [first] = parts;
  if (first === undefined) return false;
  if (isContinuation(raw)) parts.push(raw.slice(1));
  else if (parts.at(-1)?.endsWith('=') && QUOTED_PRINTABLE.test(first))
    parts.push((parts.pop() ?? '').slice(0, -1), raw);
  else return false;
  return true;
}

/** A property whose lines continue in the next one if they end with "=" (RFC 2045, 6.7; vCalendar 1.0). */
const QUOTED_PRINTABLE = /^[^:]{1,200};(?:ENCODING=)?"?QUOTED-PRINTABLE"?[;:]/i;

function physicalLines(text: string): string[] {
  if (!text.includes('\r')) return text.split('\n');
  if (!text.includes('\n')) return text.split('\r');
  const lines = text.split(/\r*\n/);
  return lines.some((line) => line.includes('\r')) ? lines.flatMap(linesAtStrayReturns) : lines;
}

// A lone CR among LFs ends a line only if a content line or a fold follows; otherwise it is noise in a value.
const linesAtStrayReturns = (line: string): string[] =>
  line.includes('\r')
    ? line.split(/\r+(?=[ \t]|[A-Za-z][A-Za-z0-9-]*[;:])/).map((part) => part.replaceAll('\r', ''))
    : [line];

const continues = (raw: string): boolean => raw.charCodeAt(0) === 0x20 || raw.charCodeAt(0) === 0x09;

const continuesIndented = (raw: string): boolean => continues(raw) && !/^[ \t]+[A-Za-z][A-Za-z0-9-]*[;:]/.test(raw);

/** The number of lines that decide whether a calendar is indented. */
const FIRST_LINES = 200;

/** Whether a calendar is indented like source code, which changes how its folds are read. */
export const isIndentedText = (text: string): boolean =>
  isIndented(physicalLines(text.split('\n', FIRST_LINES + 1).join('\n')));

// A BEGIN line is never long enough to be folded, so an indented line after it is not a fold.
const isIndented = (physical: readonly string[]): boolean =>
  physical
    .slice(0, FIRST_LINES)
    .some((raw, index) => /^\s*BEGIN:\w+\s*$/i.test(raw) && /^[ \t]+[A-Z][A-Z-]*[;:]/i.test(physical[index + 1] ?? ''));
