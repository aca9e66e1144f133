import { countInWords } from '../../count-in-words.ts';
import { DAY_MS, dayAfter, instantFromWall, wallFromInstant } from '../../time.ts';
import { daysBetween, weekdayOf } from '../../sync/review/days.ts';

const MONTHS = ['Jan', 'Feb', 'March', 'April', 'May', 'June', 'July', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A short name for a day: "3 Sept", or "3 Sept 2026" in another year. */
function shortDayInWords(day: string, today: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const short = `${Number(date)} ${MONTHS[Number(month) - 1] ?? month}`;
  return year === today.slice(0, 4) ? short : `${short} ${year}`;
}

/**
 * A moment as people say it: "14:20" on the same day, "yesterday 18:40", "tomorrow 08:00", "Sunday 08:15" within a
 * week, else "3 Sept" or, with `hasClock`, "3 Sept 10:00". `zone` as for time.ts.
 */
export function momentInWords(at: number, now: number, zone: string, { hasClock = false } = {}): string {
  const [wall, today] = [wallFromInstant(at, zone), wallFromInstant(now, zone).slice(0, 10)];
  const [day, time] = [wall.slice(0, 10), wall.slice(11, 16)];
  if (day === today) return time;
  if (day === dayAfter(today, -1)) return `yesterday ${time}`;
  if (day === dayAfter(today, 1)) return `tomorrow ${time}`;
  if (Math.abs(daysBetween(today, day)) < 7) return `${weekdayOf(day)} ${time}`;
  return `${shortDayInWords(day, today)}${hasClock ? ` ${time}` : ''}`;
}

/** The preposition for a moment in words: "at" 14:20, "on" Sunday 08:15, none before "tomorrow 08:00". */
export function prepositionOf(moment: string): 'at ' | 'on ' | '' {
  if (/^\d\d:\d\d/.test(moment)) return 'at ';
  return /^(?:tomorrow|yesterday) /.test(moment) ? '' : 'on ';
}

/** A moment in words with its preposition: "at 14:20", "on Sunday 08:15", "tomorrow 08:00". */
export const atMoment = (moment: string): string => `${prepositionOf(moment)}${moment}`;

/** The day of a moment as people say it: "today", "yesterday", "Sunday", "3 Sept". */
export function dayOfMoment(at: number, now: number, zone: string): string {
  const [day, today] = [wallFromInstant(at, zone).slice(0, 10), wallFromInstant(now, zone).slice(0, 10)];
  if (day === today) return 'today';
  if (day === dayAfter(today, -1)) return 'yesterday';
  return Math.abs(daysBetween(today, day)) < 7 ? weekdayOf(day) : shortDayInWords(day, today);
}

/** An approximate length of time: "3 s", "12 min", "2 h", "4 days". */
export function spanInWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1000))} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return countInWords(Math.round(ms / DAY_MS), 'day');
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/**
 * Parses a moment as a person writes it: "tomorrow", a day such as "2026-12-01" (its first minute), "2026-12-01 08:00",
 * or a time from now such as "30m", "12h", "3d", "2w". Undefined for anything else.
 */
export function momentFrom(text: string, now: number, zone: string): number | undefined {
  const said = text.trim();
  const span = /^(\d{1,5})([mhdw])$/.exec(said);
  if (span) return now + Number(span[1]) * (UNITS[span[2] ?? ''] ?? Number.NaN);
  const today = wallFromInstant(now, zone).slice(0, 10);
  const [, day = '', time = '00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?$/.exec(said === 'tomorrow' ? dayAfter(today) : said) ?? [];
  const at = day === '' ? Number.NaN : instantFromWall(`${day} ${time}:00`, zone);
  return Number.isNaN(at) ? undefined : at;
}
