import { clockNamedIn } from './own-clock.ts';
import { quoted } from './quoted.ts';
import type { FeedCode } from '../feed-codes.ts';
import { dayAfter, instantFromWall, wallFromInstant } from '../time.ts';
import { clockFromText, dateFromText, orderShownBy, type DateOrder, type ReadDate } from './read-date.ts';
import { spanFromText } from './read-span.ts';
import { isNoTime, timeFromCell, timeFromText, timesFromCell } from './read-time.ts';
import { isNameOf } from './columns.ts';

/**
 * The times of a row's event in wall-clock parts. For all-day events `endDay` is inclusive, unless they have an offset
 * (`timesInZone`).
 */
export interface RowTimes {
  readonly allDay: boolean;
  readonly startDay: string;
  readonly startTime: string;
  readonly startOffset: number | null;
  readonly endDay: string;
  readonly endTime: string;
  readonly endOffset: number | null;
}

/** What is wrong with a cell: the field, and a sentence. */
export interface CellFault {
  readonly code: FeedCode;
  readonly field: string;
  readonly message: string;
}

export interface TimeCells {
  readonly startDate: string;
  readonly startTime: string;
  readonly endDate: string;
  readonly endTime: string;
  /** Used if no end is given. */ readonly minutes: number | null;
  readonly allDay: boolean | null;
}

/** The times in a row's cells, or why there are none. */
export function rowTimes(written: TimeCells, order: DateOrder | null): RowTimes | CellFault {
  const cells = withEndAsSaid(written);
  const days = daysOf(cells, order);
  if (isFault(days)) return days;
  const [start, end] = days;
  // "All day" in place of a time.
  const isWholeDay = isNameOf('all_day', cells.startTime);
  // Both times are in one cell: 19:30–21:00.
  const pair = cells.endTime === '' ? timesFromCell(cells.startTime) : null;
  const [startText, endText] = pair ?? [isWholeDay ? '' : cells.startTime, cells.endTime];
  const startTime = timedCell('start_time', startText, start);
  if (isFault(startTime)) return startTime;
  const endTime = timedCell('end_time', endText, end);
  if (isFault(endTime)) return endTime;
  const isAllDay = isWholeDay || (cells.allDay ?? startTime.time === null);
  const from = { ...start, ...startTime };
  const last = endOf(from, end && { ...end, ...endTime }, endTime.time, cells.minutes, isAllDay);
  return inOrder(
    isAllDay
      ? allDayTimes(start, last.end, last.time)
      : withoutMidnights(clockTimes(from, last.end, { ...endTime, time: last.time })),
  );
}

/** If the start has a day, the end column may hold only a time, or a remark that the end is unknown. */
function withEndAsSaid(cells: TimeCells): TimeCells {
  if (isNoTime(cells.endDate)) return { ...cells, endDate: '' };
  const isHour = isNoTime(cells.endTime) && timeFromText(cells.endDate) !== null;
  return isHour ? { ...cells, endDate: '', endTime: cells.endDate } : cells;
}

/** The first and the last day; null if only one is given. The cell of the start may hold both. */
function daysOf(cells: TimeCells, order: DateOrder | null): readonly [ReadDate, ReadDate | null] | CellFault {
  const start = datedCell('start_date', cells.startDate, order);
  if (cells.endDate === '') return isFault(start) ? (spanFromText(cells.startDate, order) ?? start) : [start, null];
  if (isFault(start)) return start;
  const end = datedCell('end_date', cells.endDate, order);
  return isFault(end) ? end : [start, end];
}

interface End {
  readonly end: ReadDate | null;
  readonly time: string | null;
}

/** The end as given, else according to the duration. */
function endOf(
  from: ReadDate,
  end: ReadDate | null,
  time: string | null,
  minutes: number | null,
  isAllDay: boolean,
): End {
  const isOpen = time === null && (end === null || end.day === from.day);
  return isOpen && minutes !== null ? endAfter(from, minutes, isAllDay) : { end, time };
}

/** The end of what lasts `minutes`, by the clock; a day that has begun counts as a whole day. */
function endAfter({ day, time, offset }: ReadDate, minutes: number, isAllDay: boolean): End {
  if (isAllDay) {
    const days = Math.max(1, Math.ceil(minutes / DAY_MINUTES));
    return { end: { day: dayAfter(day, days - 1), time: null, offset }, time: null };
  }
  const [hour = 0, minute = 0, second = 0] = (time ?? MIDNIGHT).split(':').map(Number);
  const total = hour * 60 + minute + minutes;
  const left = total % DAY_MINUTES;
  const clock = [Math.floor(left / 60), left % 60, second].map((part) => String(part).padStart(2, '0')).join(':');
  return { end: { day: dayAfter(day, Math.floor(total / DAY_MINUTES)), time: clock, offset }, time: clock };
}

const DAY_MINUTES = 1440;

function inOrder(times: RowTimes): RowTimes | CellFault {
  const { startDay, startTime, endDay, endTime } = times;
  if (`${endDay} ${endTime}` >= `${startDay} ${startTime}` || times.startOffset !== times.endOffset) return times;
  return {
    code: 'row-end-before-start',
    field: 'end_date',
    message: `The event ends (${endDay} ${endTime}) before it starts (${startDay} ${startTime}).`,
  };
}

/** 24:00 is 00:00 of the next day (ISO 8601). */
function withoutMidnights(times: RowTimes): RowTimes {
  const { startDay, startTime, endDay, endTime } = times;
  return {
    ...times,
    ...(startTime === DAY_END ? { startDay: dayAfter(startDay), startTime: MIDNIGHT } : {}),
    ...(endTime === DAY_END ? { endDay: dayAfter(endDay), endTime: MIDNIGHT } : {}),
  };
}

const MIDNIGHT = '00:00:00';
const DAY_END = '24:00:00';

export const isFault = (value: unknown): value is CellFault =>
  typeof value === 'object' && value !== null && 'code' in value;

function datedCell(field: string, text: string, order: DateOrder | null): ReadDate | CellFault {
  if (text === '') return { code: 'row-date', field, message: 'The date is missing.' };
  if (order === null && orderShownBy(text) === 'either') {
    return {
      code: 'ambiguous-date',
      field,
      message:
        `${quoted(text)} is ambiguous, and nothing in the file shows which number is the day; ` +
        'write dates as 2026-04-03, or set the timezone of the source.',
    };
  }
  return (
    dateFromText(text, order) ?? {
      code: 'row-date',
      field,
      message:
        otherClock(text) ??
        severalIn(text) ??
        `${quoted(text)} ${lacksYear(text) ? 'has no year' : 'is not a date'}; write it as 2026-04-03.`,
    }
  );
}

/** Advice on the name of a clock that may mean any of several. */
function otherClock(text: string): string | undefined {
  const name = clockNamedIn(text);
  return name === undefined
    ? undefined
    : `${quoted(text)} is by a clock, ${name}, that its time zone does not have; ` +
        'write the offset, as in 2026-04-03T19:30:00-05:00, or the zone of the row in a column "Timezone".';
}

/** Whether a text becomes a date when a year is added. It does not say which year is meant, so none is assumed. */
const lacksYear = (text: string): boolean =>
  ['', ' ', ', ', '.', '/', '-'].some((sign) => dateFromText(`${text}${sign}2028`, 'day first') !== null);

/** A time of day, and its offset from UTC if the file gives one. */
type Clock = Pick<ReadDate, 'time' | 'offset'>;

/** The time in a cell, else the one that the date came with. */
function timedCell(field: string, text: string, date: ReadDate | null): Clock | CellFault {
  const { time: fromDate, offset } = date ?? { time: null, offset: null };
  if (isNoTime(text)) return { time: fromDate, offset };
  // Some tables repeat the date in the time column; spreadsheets may write the day before 1900 there.
  const time = timeFromCell(text) ?? dateFromText(text, 'month first')?.time ?? null;
  if (time !== null) return { time, offset };
  return (
    clockFromText(text) ?? {
      code: 'row-time',
      field,
      message: otherClock(text) ?? severalIn(text) ?? `${quoted(text)} is not a time of day; write it as 19:30.`,
    }
  );
}

/** Advice on a cell with several times or days; undefined if it has not. */
function severalIn(text: string): string | undefined {
  const parts = text.length > LENGTH_MAX ? [] : text.split(BETWEEN_SEVERAL);
  const isEach = (isWhen: (part: string) => boolean): boolean => parts.length > 1 && parts.every(isWhen);
  if (isEach((part) => timeFromCell(part) !== null))
    return `${quoted(text)} gives ${parts.length} times; write a row for each.`;
  if (isEach((part) => dateFromText(part, 'day first') !== null))
    return `${quoted(text)} gives ${parts.length} dates; write a row for each.`;
  return undefined;
}

const LENGTH_MAX = 200;
const BETWEEN_SEVERAL = /\s*[&+,;\n]\s*|\s+(?:and|und|et|y|e|i|a|en|og|och|ja|és|or|oder|ou|o|lub)\s+/iu;

/**
 * An instant stands for a day in its row's zone (`23:00Z`), which is determined later, unless it is midnight as
 * written, because exporters without zones write days like this (`00:00Z`).
 */
function allDayTimes(start: ReadDate, end: ReadDate | null, endTime: string | null): RowTimes {
  const last = end ?? start;
  if (start.offset === null || start.time === null || start.time === MIDNIGHT)
    return wholeDays(start.day, last.day, endTime);
  return withoutMidnights({
    allDay: true,
    startDay: start.day,
    startTime: start.time,
    startOffset: start.offset,
    endDay: last.day,
    endTime: end === null ? start.time : (endTime ?? '23:59:59'),
    endOffset: last.offset,
  });
}

/**
 * Whole days from the first to the last. Exporters that write times for all-day events (Outlook) end them at midnight
 * of the next day, others on the last day.
 */
export function wholeDays(startDay: string, last: string, endTime: string | null = null): RowTimes {
  const endDay = endTime === MIDNIGHT && last > startDay ? dayAfter(last, -1) : last;
  return {
    allDay: true,
    startDay,
    startTime: MIDNIGHT,
    startOffset: null,
    endDay,
    endTime: '23:59:59',
    endOffset: null,
  };
}

/** A row's times in its zone; all-day events that were written as instants become days. */
export function timesInZone(times: RowTimes, zone: string): RowTimes {
  if (!times.allDay || times.startOffset === null) return times;
  const startsAt = instantOf(times.startDay, times.startTime, times.startOffset, zone);
  const endsAt = Math.max(startsAt, instantOf(times.endDay, times.endTime, times.endOffset, zone));
  const [start, end] = [wallFromInstant(startsAt, zone), wallFromInstant(endsAt, zone)];
  return wholeDays(start.slice(0, 10), end.slice(0, 10), end.slice(11));
}

/** The instant of a time with an offset from UTC in minutes or, without one, in a zone. */
export const instantOf = (day: string, time: string, offset: number | null, timezone: string): number =>
  offset === null
    ? instantFromWall(`${day} ${time}`, timezone)
    : instantFromWall(`${day} ${time}`, 'UTC') - offset * 60_000;

function clockTimes(start: ReadDate, end: ReadDate | null, until: Clock): RowTimes {
  const from = start.time ?? MIDNIGHT;
  const endDay = end?.day ?? start.day;
  const common = {
    allDay: false,
    startDay: start.day,
    startTime: from,
    startOffset: start.offset,
    endOffset: until.offset ?? start.offset,
  };
  if (until.time === null) return { ...common, endDay, endTime: endDay > start.day ? '23:59:59' : from };
  return {
    ...common,
    endDay: isNight(start, from, end, until.time) ? dayAfter(start.day) : endDay,
    endTime: until.time,
  };
}

/**
 * Whether an end before the start is meant for the next day: without a date of its own, or with that of the start,
 * because many write the date of the evening twice. More than twelve hours are then rather a slip.
 */
function isNight(start: ReadDate, from: string, end: ReadDate | null, to: string): boolean {
  if (end === null) return to < from;
  const isSameDay = end.day === start.day && end.offset === null;
  return isSameDay && `${Number(to.slice(0, 2)) + 12}${to.slice(2)}` <= from;
}
