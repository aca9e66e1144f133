// Apart from the readers, because whoever needs no more than a name should not have to load them.

/** The kinds of sources by their names in the configuration (`format`), in the order in which they are tried. */
export const FORMAT_KINDS = {
  ical: { title: 'iCalendar', mediaType: 'text/calendar' },
  csv: { title: 'CSV', mediaType: 'text/csv' },
} as const satisfies Readonly<
  Record<string, { /** The name that publishers know it by. */ readonly title: string; readonly mediaType: string }>
>;

export type FormatName = keyof typeof FORMAT_KINDS;

// The keys of FORMAT_KINDS are the format names.
export const FORMAT_NAMES = Object.keys(FORMAT_KINDS) as readonly FormatName[];

/** The format for bodies that no format recognises: its reader reports what the body is instead. */
export const DEFAULT_FORMAT: FormatName = 'ical';
