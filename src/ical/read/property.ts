import type { ContentLine } from './content-lines.ts';

/**
 * A property of a component: its name in upper case, its parameters (names in upper case, values without quotes) and
 * its value as written.
 */
export interface Property {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
  readonly line: number;
}

const NONE: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);
const PARAMETERS_MAX = 100;
const NAME = /[A-Za-z][A-Za-z0-9_-]*(?=\s*[;:])/y;
const DATED = new Set(['DTSTART', 'DTEND', 'EXDATE', 'RDATE', 'RECURRENCE-ID']);

/** Parses a content line (RFC 5545, 3.1); undefined if it is not one. Never throws, and takes linear time. */
export function propertyFromLine({ text, line }: ContentLine): Property | undefined {
  NAME.lastIndex = 0;
  if (!NAME.test(text)) return undefined;
  const upper = text.slice(0, NAME.lastIndex).toUpperCase();
  const rest = text.slice(NAME.lastIndex).trimStart();
  if (rest.startsWith(':')) return { name: upper, parameters: NONE, value: rest.slice(1), line };
  const end = endOfParameters(rest);
  if (end === -1) return undefined;
  const split = DATED.has(upper) ? repairedSplit(rest, end) : end;
  return { name: upper, parameters: parametersFrom(rest.slice(1, split)), value: rest.slice(split + 1), line };
}

/**
 * The position of the colon that ends the parameters: the first one outside quotes, or simply the first one if a quote
 * is never closed.
 */
function endOfParameters(rest: string): number {
  let quoted = false;
  for (let at = 0; at < rest.length; at += 1) {
    const code = rest.charCodeAt(at);
    if (code === 0x22) quoted = !quoted;
    else if (code === 0x3a && !quoted) return at;
  }
  return rest.indexOf(':');
}

// Outlook writes TZID=tzone://Microsoft/Utc and TZID=(UTC+01:00) Berlin without quotes, others write TZID=UTC+01:00. In
// these cases the value starts after the last colon.
function repairedSplit(rest: string, end: number): number {
  const value = rest.slice(end + 1, end + 12);
  if (/^\s*[\dP+-]/i.test(value) && !/^\d\d(?:\)|:\d{8})/.test(value)) return end;
  const last = rest.lastIndexOf(':');
  return /^\s*\d{8}/.test(rest.slice(last + 1, last + 12)) ? last : end;
}

function parametersFrom(text: string): Readonly<Record<string, string>> {
  const parameters = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const part of unquotedParts(text, ';')) {
    const equals = part.indexOf('=');
    // vCalendar 1.0 omits the name of this parameter.
    if (equals < 0 && part.trim().toUpperCase() === 'QUOTED-PRINTABLE') parameters['ENCODING'] = part.trim();
    if (equals < 1) continue;
    if ((count += 1) > PARAMETERS_MAX) break;
    parameters[part.slice(0, equals).trim().toUpperCase()] = withoutCarets(
      part
        .slice(equals + 1)
        .trim()
        .replaceAll('"', ''),
    );
  }
  return parameters;
}

/** RFC 6868: `^n`, `^^` and `^'`. */
const withoutCarets = (value: string): string =>
  value.includes('^') ? value.replace(/\^[n^']/g, (code) => CARETS[code] ?? code) : value;
const CARETS: Readonly<Record<string, string>> = { '^n': '\n', '^^': '^', "^'": '"' };

function unquotedParts(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator, PARAMETERS_MAX * 2);
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at <= text.length && parts.length < PARAMETERS_MAX * 2; at += 1) {
    if (text[at] === '"') quoted = !quoted;
    if (at === text.length || (text[at] === separator && !quoted)) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return parts;
}
