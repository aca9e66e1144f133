import ICAL from 'ical.js';
import { vtimezoneLines } from '../../src/ical/write/vtimezone.ts';
import { transitionsBetween } from '../../src/ical/write/write-observances.ts';
import { offsetAt } from '../../src/time.ts';

const DAY = 86_400_000;

/** Every zone that Node.js knows, and some old names. */
export const ZONES = [
  ...Intl.supportedValuesOf('timeZone'),
  'US/Eastern',
  'Asia/Calcutta',
  'Japan',
  'CET',
  'EST5EDT',
  'Etc/GMT+5',
  'Atlantic/Faeroe',
];

/**
 * The instants at which a VTIMEZONE, as ical.js reads it, has another offset than our zone data. Instants that a clock
 * shows twice are left out.
 */
export function wrongInstants(zone: string, from: number, to: number): readonly string[] {
  const timezone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(vtimezoneLines(zone, from, to).join('\r\n'))));
  const around = transitionsBetween(zone, from, to).flatMap(({ at, before, after }) => {
    const overlap = Math.max(0, before - after) * 60_000;
    return [at - overlap - 1000, at + overlap];
  });
  const wrong: string[] = [];
  for (const instant of [from, ...around, ...monthly(zone, from, to), to]) {
    if (instant < from || instant > to) continue;
    const offset = offsetAt(instant, zone);
    const wall = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
    const read = timezone.utcOffset(ICAL.Time.fromDateTimeString(wall)) / 60;
    if (read !== offset) wrong.push(`${zone} ${wall}: ${read}, not ${offset}`);
  }
  return wrong;
}

/** Eleven in the morning, once a month: no clock changes at that hour. */
function monthly(zone: string, from: number, to: number): readonly number[] {
  const days = Array.from(
    { length: Math.floor((to - from) / (30.4 * DAY)) },
    (_, month) => Math.floor((from + month * 30.4 * DAY) / DAY) * DAY,
  );
  return days.map((day) => day + 11 * 3_600_000 - offsetAt(day, zone) * 60_000);
}
