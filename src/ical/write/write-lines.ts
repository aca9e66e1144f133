const OCTETS_MAX = 75;

/**
 * Joins content lines into a text. Each is folded at 75 octets (RFC 5545, 3.1), never inside a UTF-8 sequence, a
 * surrogate pair or an escape, and ends with CRLF.
 */
export function textOfLines(lines: readonly string[]): string {
  let text = '';
  for (const line of lines)
    text += line.length <= OCTETS_MAX / 3 || isShortAscii(line) ? `${line}\r\n` : `${folded(line)}\r\n`;
  return text;
}

const isShortAscii = (line: string): boolean =>
  line.length <= OCTETS_MAX && octetsFrom(line, 0, line.length) === line.length;

function folded(line: string): string {
  if (octetsFrom(line, 0, line.length) <= OCTETS_MAX) return line;
  const parts: string[] = [];
  // Continuation lines start with a space, which counts, too.
  for (let start = 0, room = OCTETS_MAX; start < line.length; room = OCTETS_MAX - 1) {
    const end = breakAfter(line, start, room);
    parts.push(line.slice(start, end));
    start = end;
  }
  return parts.join('\r\n ');
}

/** The end of the longest piece that begins at `start` and fits into `room` octets. */
function breakAfter(line: string, start: number, room: number): number {
  let end = start;
  for (let octets = 0; end < line.length;) {
    // Escapes are kept together: a backslash and the character after it.
    const width = line[end] === '\\' && end + 1 < line.length ? 1 + unitsAt(line, end + 1) : unitsAt(line, end);
    octets += octetsFrom(line, end, end + width);
    if (octets > room) break;
    end += width;
  }
  return end;
}

const unitsAt = (line: string, index: number): number => ((line.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1);

function octetsFrom(line: string, start: number, end: number): number {
  let octets = 0;
  for (let index = start; index < end; index++) octets += octetsOf(line.charCodeAt(index));
  return octets;
}

/** The number of octets of a UTF-16 unit in UTF-8; each half of a surrogate pair counts as two of its four. */
function octetsOf(unit: number): number {
  if (unit < 0x80) return 1;
  const isHalf = unit >= 0xd8_00 && unit <= 0xdf_ff;
  return unit < 0x8_00 || isHalf ? 2 : 3;
}

/**
 * Text that a content line can hold: LF as line break, no control characters except tabs (RFC 5545, 3.1), no lone
 * surrogates.
 */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\ufffe\uffff]/g, '');

/** Text on one line: white space, including line breaks, becomes single spaces. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** A TEXT value (RFC 5545, 3.3.11). */
export const escapeText = (text: string): string =>
  cleanText(text)
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);

/**
 * Text for a quoted parameter value (RFC 5545, 3.2), which cannot contain quotation marks. Backslashes are replaced
 * because some readers treat them as escapes.
 */
export const parameterText = (text: string): string => oneLine(text).replaceAll('"', "'").replaceAll('\\', '/');

/**
 * An absolute http(s) URL in which characters that a URI must not contain are percent-encoded; undefined if the text is
 * not such a URL.
 */
export function uriValue(address: string): string | undefined {
  const trimmed = address.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  return new URL(trimmed).href.replace(/[^\u0021-\u007e]|["<>\\^`{|}]/g, (character) => encodeURIComponent(character));
}
