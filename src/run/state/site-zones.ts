import { sql, type Queryable } from '../../db/database.ts';
import { isZone } from '../../time.ts';
import { timeIn } from '../../time-in-words.ts';

/** Stores the time zone that a site reports. */
export async function noteSiteZone(query: Queryable, site: string, timezone: string): Promise<void> {
  await sql`insert into calsync.sites as sites (site, timezone) values (${site}, ${timezone})
    on conflict (site) do update set timezone = excluded.timezone where sites.timezone <> excluded.timezone`.execute(
    query,
  );
}

/** The stored time zones of sites, by key. */
async function siteZones(query: Queryable): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ site: string; timezone: string }>`select site, timezone from calsync.sites`.execute(
    query,
  );
  return new Map(rows.map(({ site, timezone }) => [site, timezone]));
}

/** The time zone of a site, by its key; UTC if the site has never been asked. */
export type ZoneOfSite = (site: string) => string;

/** Loads the zones of all sites; `builtinZone` is that of the built-in site. */
export async function zonesOfSites(query: Queryable, builtinZone: string): Promise<ZoneOfSite> {
  const zones = await siteZones(query);
  return (site) => {
    const zone = site === 'builtin' ? builtinZone : (zones.get(site) ?? 'UTC');
    return isZone(zone) ? zone : 'UTC';
  };
}

/** Formats instants in the zone of a site, by its key; in UTC if the site has never been asked. */
export type TimeAtSite = (site: string, time: Date, precision?: { readonly seconds?: boolean }) => string;

/** Loads the zones of all sites to format times in; `builtinZone` is that of the built-in site. */
export async function timesAtSites(query: Queryable, builtinZone: string): Promise<TimeAtSite> {
  const zoneOf = await zonesOfSites(query, builtinZone);
  return (site, time, precision) => timeIn(zoneOf(site), precision)(time);
}
