import type { Component } from './component.ts';
import type { ProblemList } from './problem-list.ts';
import nodeIcal from 'node-ical';
import type { Property } from './property.ts';

/** A value of a property, with its parameters. */
export interface TextValue {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly line: number;
}

/** What node-ical reads from one component. Keys that were not written are missing. */
export interface ComponentValues {
  readonly texts: Readonly<Record<string, readonly TextValue[]>>;
  readonly categories: readonly string[];
  readonly geo: { readonly lat: number; readonly lon: number } | null;
  readonly sequence: number;
}

// node-ical has handlers for these names; others it stores under names that it makes up.
const TEXTS = [
  'SUMMARY',
  'DESCRIPTION',
  'LOCATION',
  'URL',
  'CLASS',
  'STATUS',
  'TRANSP',
  'ORGANIZER',
  'CONTACT',
  'ATTACH',
  'LINK',
  'IMAGE',
  'CONFERENCE',
  'COMMENT',
  'NAME',
  'TZID',
  'COLOR',
  'METHOD',
  'PRODID',
  'SOURCE',
  'STYLED-DESCRIPTION',
  'STREET-ADDRESS',
  'EXTENDED-ADDRESS',
  'LOCALITY',
  'REGION',
  'COUNTRY',
  'POSTAL-CODE',
  'ADDRESS',
  'CITY',
  'POSTALCODE',
  'TEL',
  'LOCATION-TYPE',
] as const;
const HANDLED = new Set<string>([...TEXTS, 'CATEGORIES', 'GEO', 'SEQUENCE']);
const VALUES_PER_NAME = 200;

/**
 * The values of one component's properties, read by node-ical from canonical lines, so that a bad component does not
 * affect others. Works around defects of node-ical: parameters are not passed on (a quoted `;` breaks it), and
 * characters that it misreads are replaced by marks and restored afterwards. Throws whatever node-ical throws; the
 * caller reports the component.
 */
export function valuesFromProperties(properties: readonly Property[]): ComponentValues {
  const handled = firstValues(properties.filter(({ name }) => HANDLED.has(name) || name.startsWith('X-')));
  const lines = handled.map((property, index) => `${keyOf(property.name, index)}:${marked(property)}`);
  const read = nodeIcal.sync.parseICS(['BEGIN:VEVENT', 'UID:event', ...lines, 'END:VEVENT'].join('\n')) as Record<
    string,
    Record<string, unknown>
  >;
  const event = read['event'] ?? {};
  const texts = Object.create(null) as Record<string, TextValue[]>;
  for (const [index, property] of handled.entries()) {
    const value = event[`V${index}`];
    if (typeof value === 'string')
      (texts[property.name] ??= []).push({
        text: restored(value),
        parameters: property.parameters,
        line: property.line,
      });
  }
  return {
    texts,
    categories: categoriesFrom(event['categories']),
    geo: geoFrom(event['geo']),
    sequence: sequenceFrom(event['sequence']),
  };
}

// Text properties get a numbered extension name, so that each value comes back separately, in order and as a string.
const keyOf = (name: string, index: number): string =>
  name === 'CATEGORIES' || name === 'GEO' || name === 'SEQUENCE' ? name : `X-V${index}`;

function firstValues(properties: readonly Property[]): Property[] {
  const counts = new Map<string, number>();
  return properties.filter(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    // GEO and SEQUENCE may occur only once: the first one counts.
    return count <= (name === 'GEO' || name === 'SEQUENCE' ? 1 : VALUES_PER_NAME);
  });
}

// Noncharacters, which src/ical/read/decode.ts removes from every feed.
const BACKSLASH = '\uFDD0';
const QUOTE = '\uFDD1';
const LINE_SEPARATOR = '\uFDD2';
const PARAGRAPH_SEPARATOR = '\uFDD3';
const TZID_WORD = '\uFDD4';
const MISTAKEN = /\\\\|["\r\n\u2028\u2029]|TZID=/g;
const MARKS: Readonly<Record<string, string>> = {
  '\\\\': BACKSLASH,
  '"': QUOTE,
  '\r': '',
  '\n': '\\n',
  '\u2028': LINE_SEPARATOR,
  '\u2029': PARAGRAPH_SEPARATOR,
  'TZID=': TZID_WORD,
};
const RESTORED: Readonly<Record<string, string>> = {
  [BACKSLASH]: '\\',
  [QUOTE]: '"',
  [LINE_SEPARATOR]: '\u2028',
  [PARAGRAPH_SEPARATOR]: '\u2029',
  [TZID_WORD]: 'TZID=',
};

function marked(property: Property): string {
  const value =
    property.parameters['ENCODING']?.toUpperCase() === 'QUOTED-PRINTABLE'
      ? fromQuotedPrintable(property)
      : property.value;
  const plain = property.name === 'CATEGORIES' ? unquotedList(value) : value;
  return plain.replace(MISTAKEN, (mistaken) => MARKS[mistaken] ?? mistaken);
}

/**
 * Removes the quotation marks from a list whose names are quoted as in CSV, commas included, and escapes the commas as
 * RFC 5545 (3.3.11) requires.
 */
const unquotedList = (value: string): string =>
  value.replace(/(?<=^|,)\s*"([^"]+)"\s*(?=,|$)/g, (_, name: string) => name.replace(/(?<!\\),/g, '\\,'));

/**
 * Some programs escape characters that need no backslash (3.3.11). At this point, quotation marks have become marks.
 */
const restored = (value: string): string =>
  value.replace(/\\([:'=\uFDD1])/g, '$1').replace(/[\uFDD0-\uFDD4]/g, (mark) => RESTORED[mark] ?? mark);

/** vCalendar 1.0: `=C3=BC` are octets in the property's charset; any other `=` is a soft line break (RFC 2045, 6.7). */
function fromQuotedPrintable({ value, parameters }: Property): string {
  const octets = value.replace(/=([0-9A-F]{2})?/gi, (_, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (/[^\0-\u00ff]/.test(octets)) return octets;
  const bytes = Uint8Array.from(octets, (character) => character.charCodeAt(0));
  return decoded(bytes, parameters['CHARSET']).replace(/\r?\n/g, '\\n');
}

/** Decodes octets in the given charset. If it is missing or unknown, tries UTF-8 or uses windows-1252. */
function decoded(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8', { fatal: charset === undefined }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const categoriesFrom = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .slice(0, VALUES_PER_NAME)
        .map((name) => restored(String(name)).trim())
        .filter((name) => name !== '')
    : [];

function geoFrom(value: unknown): ComponentValues['geo'] {
  const { lat, lon } = (value ?? {}) as { lat?: number; lon?: number };
  const isPlace =
    lat !== undefined && lon !== undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0);
  return isPlace ? { lat, lon } : null;
}

const sequenceFrom = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) ? value : 0);

/** The text of the first of the named properties that a VCALENDAR has. */
export function textIn({ properties }: Component, problems: ProblemList, ...names: readonly string[]): string | null {
  const property = names
    .map((name) => properties.find((candidate) => candidate.name === name))
    .find((found) => found !== undefined);
  if (property === undefined) return null;
  try {
    return valuesFromProperties([{ ...property, name: 'X-HEAD' }]).texts['X-HEAD']?.[0]?.text.trim() || null;
  } catch (error) {
    problems.add('property-unreadable', `${property.name} could not be read: ${String(error)}.`, {
      line: property.line,
    });
    return null;
  }
}
