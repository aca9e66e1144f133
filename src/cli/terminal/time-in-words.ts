import type { Config } from '../../config/config.ts';
import type { Kysely } from '../../db/database.ts';
import { siteZones } from '../../run/state/site-zones.ts';
import { abbreviationAt, isZone, offsetAt, wallFromInstant } from '../../time.ts';

/** Writes instants for people in one zone, which is named: "2027-01-15 13:05 CET". */
export type TimeInWords = (time: Date) => string;

/** `zone` as time.ts knows it; with `seconds` to the second. */
export const timeIn =
  (zone: string, { seconds = false } = {}): TimeInWords =>
  (time) =>
    `${wallFromInstant(time.getTime(), zone).slice(0, seconds ? 19 : 16)} ${zoneAt(time.getTime(), zone)}`;

/** What a zone is called at an instant: its usual letters, else its offset from UTC. */
export function zoneAt(instant: number, zone: string): string {
  const name = abbreviationAt(instant, zone);
  if (/^[A-Z]{2,5}$/.test(name)) return name;
  const offset = offsetAt(instant, zone);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return offset === 0
    ? 'UTC'
    : `UTC${offset < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

/** Writes instants in the zone of a site, by the site's key; in UTC where the site has never been asked. */
export type TimeAtSite = (site: string, time: Date, precision?: { readonly seconds?: boolean }) => string;

export async function timesAtSites(query: Kysely<unknown>, { builtin }: Config): Promise<TimeAtSite> {
  const zones = await siteZones(query);
  return (site, time, precision) => {
    const zone = site === 'builtin' ? builtin.timezone : (zones.get(site) ?? 'UTC');
    return timeIn(isZone(zone) ? zone : 'UTC', precision)(time);
  };
}
