import { CSV } from './csv.ts';
import type { Format } from './format.ts';
import { ICAL } from './ical.ts';

/** Every kind of source, by its name in the configuration (`format`), in the order in which they are tried. */
export const FORMATS = { ical: ICAL, csv: CSV } as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

// The keys of FORMATS are the format names.
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The format for bodies that no format recognises: its reader reports what the body is instead. */
export const DEFAULT_FORMAT: FormatName = 'ical';
