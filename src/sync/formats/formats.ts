import { CSV } from './csv.ts';
import type { FormatName } from './format-kinds.ts';
import type { Format } from './format.ts';
import { ICAL } from './ical.ts';

/** The reader for each kind of source. */
export const FORMATS: Readonly<Record<FormatName, Format>> = { ical: ICAL, csv: CSV };
