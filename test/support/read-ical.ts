import { expandCalendar, type ExpandSettings, type Expansion } from '../../src/ical/occurrences/expand-calendar.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { isoDigits } from '../../src/ical/read/time-value.ts';
import { isoFromInstant } from '../../src/time.ts';

/** A VCALENDAR around lines. */
export const calendarOf = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');

/** A VEVENT around lines; the UID is `a` where they give none. */
export const eventOf = (...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  ...(lines.some((line) => /^UID/i.test(line)) ? [] : ['UID:a']),
  ...lines,
  'END:VEVENT',
];

export const YEARS: ExpandSettings = {
  window: { from: Date.UTC(2020, 0, 1), to: Date.UTC(2030, 0, 1) },
  timezone: undefined,
  siteTimezone: 'Europe/Warsaw',
};

/**
 * What a calendar contains: each occurrence as `uid [recurrence id] start/end`, all-day ones without times, and the
 * codes of the problems.
 */
export function readIcal(
  text: string,
  settings: Partial<ExpandSettings> = {},
): { readonly occurrences: readonly string[]; readonly codes: readonly string[]; readonly expansion: Expansion } {
  const { value, problems } = parseCalendar(text);
  const expansion = expandCalendar(value, { ...YEARS, ...settings });
  const occurrences = expansion.occurrences.map(
    ({ event, recurrenceId, allDay, startsAt, endsAt, startWall, endWall }) => {
      const [start, end] = allDay
        ? [isoDigits(startWall).slice(0, 10), isoDigits(endWall).slice(0, 10)]
        : [isoFromInstant(startsAt), isoFromInstant(endsAt)];
      return [event.uid ?? '-', ...(recurrenceId === null ? [] : [recurrenceId]), `${start}/${end}`].join(' ');
    },
  );
  return { occurrences, codes: [...new Set([...problems, ...expansion.problems].map(({ code }) => code))], expansion };
}
