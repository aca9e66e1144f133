import { sql, type Kysely } from '../../db/database.ts';

/** Stores the time zone that a site has given. */
export async function noteSiteZone(query: Kysely<unknown>, site: string, timezone: string): Promise<void> {
  await sql`insert into calsync.sites as sites (site, timezone) values (${site}, ${timezone})
    on conflict (site) do update set timezone = excluded.timezone where sites.timezone <> excluded.timezone`.execute(
    query,
  );
}

/** The stored time zones of sites, by key. */
export async function siteZones(query: Kysely<unknown>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ site: string; timezone: string }>`select site, timezone from calsync.sites`.execute(
    query,
  );
  return new Map(rows.map(({ site, timezone }) => [site, timezone]));
}
