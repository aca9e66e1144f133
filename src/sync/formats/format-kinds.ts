// Kept apart from the readers, so that code that only needs a name does not load them.

/** The kinds of sources by their names in the configuration (`format`), in the order in which they are tried. */
export const FORMAT_KINDS = {
  ical: { title: 'iCalendar', mediaType: 'text/calendar' },
  csv: { title: 'CSV', mediaType: 'text/csv' },
} as const satisfies Readonly<
  Record<string, { /** The name that publishers use. */ readonly title: string; readonly mediaType: string }>
>;

export type FormatName = keyof typeof FORMAT_KINDS;

// The keys of FORMAT_KINDS are the format names.
export const FORMAT_NAMES = Object.keys(FORMAT_KINDS) as readonly FormatName[];

/** The format for bodies that no format recognises; its reader reports what the body is instead. */
export const DEFAULT_FORMAT: FormatName = 'ical';
