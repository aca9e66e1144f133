import { dateFromText } from '../../csv/read-date.ts';
import type { RowEvent } from '../../csv/row-events.ts';
import { expandCalendar } from '../../ical/occurrences/expand-calendar.ts';
import { parseCalendar } from '../../ical/read/parse-calendar.ts';
import { isoDigits } from '../../ical/read/time-value.ts';
import type { Problem } from '../../problem.ts';
import { dayAfter } from '../../time.ts';
import type { DraftSettings } from '../model/draft.ts';

/** A row with a recurrence rule, and its first occurrence as wall-clock times in a zone. */
export interface RepeatingRow {
  readonly event: RowEvent;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
}

export interface RepeatedRows {
  /** One row for each occurrence. */
  readonly events: readonly RowEvent[];
  readonly unread: readonly RowEvent[];
  readonly outside: readonly RowEvent[];
  readonly coversUntil: number;
  readonly problems: readonly Problem[];
}

/**
 * Expands rows with an RRULE (RFC 5545, 3.8.5.3) into their occurrences in the window. Each row is read as the
 * equivalent VEVENT, under the same limits.
 */
export function repeatRows(rows: readonly RepeatingRow[], settings: DraftSettings): RepeatedRows {
  if (rows.length === 0) return { events: [], unread: [], outside: [], coversUntil: 0, problems: [] };
  const { value, problems: misread } = parseCalendar(
    ['BEGIN:VCALENDAR', ...rows.flatMap(linesOf), 'END:VCALENDAR'].join('\r\n'),
  );
  const { occurrences, outside, unread, coversUntil, problems } = expandCalendar(value, {
    window: settings.window,
    timezone: settings.timezone,
    siteTimezone: settings.siteTimezone,
  });
  const rowOf = (uid: string | null | undefined): RowEvent | undefined => rows[Number(uid)]?.event;
  const said = (where: Problem['where']): RowEvent | undefined =>
    rowOf(where.uid ?? value.events.findLast(({ line }) => line <= (where.line ?? 0))?.uid);
  return {
    events: occurrences.flatMap(({ event, recurrenceId, allDay, startWall, endWall }) => {
      const row = rowOf(event.uid);
      return row
        ? [{ ...row, occurrence: recurrenceId, times: timesFrom(isoDigits(startWall), isoDigits(endWall), allDay) }]
        : [];
    }),
    unread: unread.flatMap((where) => said(where) ?? []),
    outside: outside.flatMap((uid) => rowOf(uid) ?? []),
    coversUntil,
    problems: [...misread, ...problems].map(({ code, message, where }) => {
      const row = said(where);
      return { code, message, where: row ? { row: row.row, line: row.line, field: 'recurrence' } : {} };
    }),
  };
}

function linesOf(
  {
    event: {
      times: { allDay },
      rule,
      text,
    },
    timezone,
    start,
    end,
  }: RepeatingRow,
  index: number,
): readonly string[] {
  const [from, to] = allDay ? [start.slice(0, 10), dayAfter(end.slice(0, 10))] : [start, end];
  const kind = allDay ? 'VALUE=DATE' : `TZID=${timezone}`;
  const days = (text('exdates') ?? '').split(/[,;|\n]/).flatMap((part) => dateFromText(part.trim(), null)?.day ?? []);
  return [
    'BEGIN:VEVENT',
    `UID:${index}`,
    `DTSTART;${kind}:${digits(from)}`,
    `DTEND;${kind}:${digits(to)}`,
    `RRULE:${oneLine(rule ?? '')}`,
    ...(days.length > 0 ? [`EXDATE;VALUE=DATE:${days.map(digits).join(',')}`] : []),
    'END:VEVENT',
  ];
}

/** The rule alone, without its property name or whatever else the cell contains. */
const oneLine = (rule: string): string =>
  (/(?:^|\s|:)(FREQ\s*=[^\r\n]*|[A-Z]+\s*=[^\r\n]*FREQ\s*=[^\r\n]*)/i.exec(rule)?.[1] ?? '').replace(/\s+/g, '');

/** Converts `2027-01-10 18:00:00` to `20270110T180000`. */
const digits = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T');

function timesFrom(start: string, end: string, allDay: boolean): RowEvent['times'] {
  const [startDay = '', startTime = ''] = start.split('T');
  const [endDay = '', endTime = ''] = end.split('T');
  return allDay
    ? {
        allDay,
        startDay,
        startTime: '00:00:00',
        startOffset: null,
        endDay: dayAfter(endDay, -1),
        endTime: '23:59:59',
        endOffset: null,
      }
    : { allDay, startDay, startTime, startOffset: null, endDay, endTime, endOffset: null };
}
