import { CSV } from './csv.ts';
import type { Format } from './format.ts';
import { ICAL } from './ical.ts';

/** Every kind of source, by its name in the configuration (`format`), in the order in which a body is tried. */
export const FORMATS = { ical: ICAL, csv: CSV } as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

// The keys of the table are its names.
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** What a body is taken for that no format recognises: reading it tells what it is instead. */
export const DEFAULT_FORMAT: FormatName = 'ical';
