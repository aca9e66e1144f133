import { abbreviationAt, offsetAt, wallFromInstant } from './time.ts';

/** Writes instants for people, in one zone, which it names: "2027-01-15 13:05 CET". */
export type TimeInWords = (time: Date) => string;

/** `zone` is a name that time.ts knows; `seconds` adds the seconds. */
export const timeIn =
  (zone: string, { seconds = false } = {}): TimeInWords =>
  (time) =>
    `${wallFromInstant(time.getTime(), zone).slice(0, seconds ? 19 : 16)} ${zoneAt(time.getTime(), zone)}`;

/** The name of a zone at an instant: its usual abbreviation, else its offset from UTC. */
function zoneAt(instant: number, zone: string): string {
  const name = abbreviationAt(instant, zone);
  if (/^[A-Z]{2,5}$/.test(name)) return name;
  const offset = offsetAt(instant, zone);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return offset === 0
    ? 'UTC'
    : `UTC${offset < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}
