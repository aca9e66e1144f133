import { abbreviationAt, isZone, placeMeant } from '../time.ts';

// Abbreviations by their offset from UTC, as PHP, and thus a real site, reads them: with the same offset all year. The
// runtime reads some of them as other places (BST as Dhaka). Names in the IANA database (EST, CET …) are not listed.
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  '-11': 'sst',
  '-10': 'ahst',
  '-9': 'akst hdt yst',
  '-8': 'akdt pst ydt',
  '-7': 'pdt',
  '-6': 'cst mdt',
  '-5': 'cdt',
  '-4': 'ast edt',
  '-3.5': 'nst',
  '-3': 'adt',
  '-2.5': 'ndt',
  1: 'bst west',
  2: 'bdst cat cest eest ist mest sast wast wemt',
  3: 'cemt eat idt msk',
  4: 'msd',
  5: 'pkt',
  6: 'pkst',
  7: 'wib',
  8: 'awst hkt wita',
  8.5: 'kst',
  9: 'awdt hkst jst wit',
  9.5: 'acst',
  10: 'aest chst gst jdt',
  10.5: 'acdt',
  11: 'aedt',
  12: 'nzst',
  13: 'nzdt',
};

const offsetNames = new Map(
  Object.entries(ABBREVIATIONS).flatMap(([hours, names]) =>
    names.split(' ').map((name) => [name, `UTC${Number(hours) < 0 ? '' : '+'}${hours}`] as const),
  ),
);

/**
 * The zone to compute with for an event's `timezone`, which sites store as written: `CEST` → `UTC+2`, `Europe/Warsaw`
 * unchanged. Undefined if it does not name a zone.
 */
export function eventZone(timezone: string): string | undefined {
  const offset = offsetNames.get(timezone.toLowerCase());
  return offset ?? (isZone(timezone) ? timezone : undefined);
}

/** Whether an event's `timezone` is an abbreviation, which calendar programs do not accept as a zone. */
export const isAbbreviation = (timezone: string): boolean => offsetNames.has(timezone.toLowerCase());

/** The name of an event's clock at an instant, such as `CET`; an abbreviation keeps its name all year. */
export const clockName = (timezone: string, at: number): string =>
  isAbbreviation(timezone) ? timezone.toUpperCase() : abbreviationAt(at, timezone);

/**
 * The name to send to a site for a feed's zone. A site would read an abbreviation as one offset all year, whereas the
 * runtime has computed with a place that has summer time (PST: America/Los_Angeles).
 */
export const sentZone = (zone: string): string =>
  isAbbreviation(zone) && isZone(zone)
    ? new Intl.DateTimeFormat('en', { timeZone: placeMeant(zone) }).resolvedOptions().timeZone
    : zone;
