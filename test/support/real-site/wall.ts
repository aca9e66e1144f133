import { instantFromWall, offsetAt } from '../../../src/time.ts';

/** The local time of a date as the site reads it: an offset is ignored. Undefined if it is not a date. */
export function wallOf(text: string): string | undefined {
  const [, date, time = '00:00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const wall = `${date} ${time.length === 5 ? `${time}:00` : time}`;
  return Number.isNaN(instantFromWall(wall, 'UTC')) ? undefined : wall;
}

/**
 * The instant that PHP takes a local time for, in milliseconds. Its rule (timelib, tm2unixtime.c, do_adjust_timezone)
 * looks up the offset at the digits taken as UTC, then at the resulting instant. In an hour that occurs twice, zones
 * east of Greenwich therefore get the second one and zones west of it the first; times in a gap move behind it.
 */
export function instantOf(wall: string, zone: string): number {
  const digits = instantFromWall(wall, 'UTC');
  const guess = offsetAt(digits, zone);
  const actual = offsetAt(digits - guess * MINUTE_MS, zone);
  const isInGap = offsetAt(digits - actual * MINUTE_MS, zone) !== actual;
  return digits - (isInGap ? Math.min(guess, actual) : actual) * MINUTE_MS;
}

const MINUTE_MS = 60_000;

export const detailsOf = (wall: string): Record<string, string> => {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = wall.split(/[- :]/);
  return { year, month, day, hour, minutes, seconds };
};
