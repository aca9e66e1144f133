import { instantFromWall, wallFromInstant } from '../../../src/time.ts';

/** The wall-clock digits of a date as the site reads them: an offset is thrown away. Undefined when it is none. */
export function wallOf(text: string): string | undefined {
  const [, date, time = '00:00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const wall = `${date} ${time.length === 5 ? `${time}:00` : time}`;
  return Number.isNaN(instantFromWall(wall, 'UTC')) ? undefined : wall;
}

/** PHP reads an overlap the second time (standard time), a gap as the hour after. */
export function instantOf(wall: string, zone: string): number {
  const first = instantFromWall(wall, zone);
  return wallFromInstant(first + 3_600_000, zone) === wall ? first + 3_600_000 : first;
}

export const detailsOf = (wall: string): Record<string, string> => {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = wall.split(/[- :]/);
  return { year, month, day, hour, minutes, seconds };
};
