import type { DateTime } from '../../contract/date-time.ts';
import type { DateDetails } from '../../contract/event-parts.ts';
import { eventZone } from '../../contract/event-zone.ts';
import { instantFromWall, lastInstantFromWall, wallFromInstant, type Wall } from '../../time.ts';

/** When an event takes place: wall-clock times in its own zone, and the same as instants (epoch milliseconds). */
export interface EventTimes {
  readonly startWall: Wall;
  readonly endWall: Wall;
  readonly startAt: number;
  readonly endAt: number;
  readonly timezone: string;
  readonly allDay: boolean;
}

/** What a request says about the times of an event. */
export interface TimesAsked {
  readonly start_date?: DateTime;
  readonly end_date?: DateTime;
  readonly timezone?: string;
  readonly all_day?: boolean;
}

/** A parameter that is wrong, and a sentence about why. */
interface WrongDate {
  readonly wrong: 'start_date' | 'end_date';
  readonly why: string;
}

/**
 * Computes the times of an event from the request and its former times. Each date is independent of the other.
 * Wall-clock times stay when only the zone changes. A date's offset is honoured; without one, a time equal to the
 * former one keeps its instant. If a parameter is wrong, for example if the end is before the start, returns its name
 * and why.
 */
export function eventTimes(asked: TimesAsked, siteTimezone: string, former?: EventTimes): EventTimes | WrongDate {
  const timezone = timezoneOf(asked, siteTimezone, former);
  const zone = eventZone(timezone) ?? siteTimezone;
  const allDay = asked.all_day ?? former?.allDay ?? false;
  const start = wallIn(zone, asked.start_date) ?? former?.startWall;
  const end = wallIn(zone, asked.end_date) ?? former?.endWall;
  if (start === undefined) return { wrong: 'start_date', why: 'An event has a start.' };
  if (end === undefined) return { wrong: 'end_date', why: 'An event has an end.' };
  const onDay = (wall: Wall, time: string): Wall => (allDay ? `${wall.slice(0, 10)} ${time}` : wall);
  const was = formerTimes(former, (name) => (eventZone(name) ?? siteTimezone) === zone);
  const from = settled(onDay(start, '00:00:00'), zone, asked.start_date, was.start);
  const to = notBefore(from, settled(onDay(end, '23:59:59'), zone, asked.end_date, was.end), zone, asked.end_date);
  const wrong = wrongDate(from, to, asked);
  return wrong ?? { startWall: from.wall, endWall: to.wall, startAt: from.at, endAt: to.at, timezone, allDay };
}

/** The former times, if their zone equals the new one. */
const formerTimes = (
  former: EventTimes | undefined,
  isZone: (timezone: string) => boolean,
): { readonly start?: Settled; readonly end?: Settled } =>
  former && isZone(former.timezone)
    ? { start: { wall: former.startWall, at: former.startAt }, end: { wall: former.endWall, at: former.endAt } }
    : {};

/** An empty zone means the site's. */
function timezoneOf({ timezone }: TimesAsked, siteTimezone: string, former: EventTimes | undefined): string {
  if (timezone !== undefined) return timezone || siteTimezone;
  return former?.timezone ?? siteTimezone;
}

function wrongDate(from: Settled, to: Settled, asked: TimesAsked): WrongDate | undefined {
  if (!isWritable(from)) return { wrong: 'start_date', why: OUTSIDE };
  if (!isWritable(to)) return { wrong: 'end_date', why: OUTSIDE };
  if (to.at >= from.at) return undefined;
  const wrong = asked.end_date === undefined && asked.start_date !== undefined ? 'start_date' : 'end_date';
  return { wrong, why: `The event would end (${to.wall}) before it begins (${from.wall}).` };
}

const OUTSIDE = 'Expected a date in the years 1 to 9999.';

/** The wall-clock time of a date in a zone: as written, or converted if it has an offset. */
export function wallIn(timezone: string, date: DateTime | undefined): Wall | undefined {
  if (date?.offsetMinutes === undefined) return date?.wall;
  return wallFromInstant(instantOf(date, timezone), timezone);
}

/** The instant of a date; without an offset it is read in `timezone`. */
export const instantOf = ({ wall, offsetMinutes }: DateTime, timezone: string): number =>
  offsetMinutes === undefined
    ? instantFromWall(wall, timezone)
    : Date.parse(`${wall.replace(' ', 'T')}Z`) - offsetMinutes * 60_000;

/** `year`, `month` … of a wall-clock time, as strings. */
export function dateDetails(wall: Wall): DateDetails {
  // Years have four digits, and five after 9999.
  const end = wall.indexOf('-');
  const part = (at: number): string => wall.slice(end + at, end + at + 2);
  return {
    year: wall.slice(0, end),
    month: part(1),
    day: part(4),
    hour: part(7),
    minutes: part(10),
    seconds: part(13),
  };
}

interface Settled {
  readonly wall: Wall;
  readonly at: number;
}

// Late enough that the year is at least 1 in UTC, too.
const EARLIEST = Date.parse('0001-01-02T00:00:00Z');
const isWritable = ({ wall, at }: Settled): boolean => at >= EARLIEST && /^\d{4}-/.test(wall);

/**
 * Pairs a wall-clock time with its instant; times in a gap (clocks put forward) move to after it. If `former` has this
 * wall-clock time, it keeps its instant unless an offset names another, because clients send back what they have read.
 */
function settled(wall: Wall, timezone: string, date: DateTime | undefined, former: Settled | undefined): Settled {
  if (date?.offsetMinutes === undefined && former?.wall === wall) return former;
  // In an hour that occurs twice, an offset says which of the two is meant.
  const exact = date?.offsetMinutes === undefined ? undefined : instantOf(date, timezone);
  const at = exact !== undefined && wallFromInstant(exact, timezone) === wall ? exact : instantFromWall(wall, timezone);
  return { wall: wallFromInstant(at, timezone), at };
}

/**
 * If an end falls into an hour that occurs twice, picks the second one if the first is over before the event begins.
 */
function notBefore(from: Settled, to: Settled, timezone: string, date: DateTime | undefined): Settled {
  if (to.at >= from.at || date?.offsetMinutes !== undefined) return to;
  const second = lastInstantFromWall(to.wall, timezone);
  return second >= from.at ? { wall: to.wall, at: second } : to;
}
