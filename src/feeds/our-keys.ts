import type { Event } from '../contract/representation.ts';
import { sql, type Database } from '../db/database.ts';
import { keyOfSlug, sourceKey } from '../sync/slug.ts';

type Named = Pick<Event, 'id' | 'slug'>;

/** Which of some events of the site are ours: their keys, by id. An event that is not in the map is somebody else's. */
export type OurKeys = (events: readonly Named[]) => Promise<ReadonlyMap<number, string>>;

/** Known by the ledger, or by a slug that is just as we make it for a configured source, so that an empty ledger changes no UID.
 * A slug to which the server added something (`-2`) is ours only by the ledger: it may be a person's copy of our event. */
export function ourKeysOf(database: Database, site: string, sources: readonly string[]): OurKeys {
  const prefixes = new Set(sources.map((source) => sourceKey(source)));
  return async (events) => {
    const candidates = events.flatMap(({ id, slug }) => { const key = keyOfSlug(slug); return key === null ? [] : [{ id, slug, key }]; });
    const ours = candidates.filter(({ slug, key }) => slug.endsWith(key) && prefixes.has(key.slice(0, 4)));
    const rest = candidates.filter((candidate) => !ours.includes(candidate));
    const known = rest.length === 0 ? new Set<string>() : await ledgerPairs(database, site, rest.map(({ key }) => key));
    return new Map([...ours, ...rest.filter(({ id, key }) => known.has(`${key} ${id}`))].map(({ id, key }) => [id, key]));
  };
}

async function ledgerPairs(database: Database, site: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ pair: string }>`select key || ' ' || id as pair from calsync.ledger
    where site = ${site} and key = any(${[...keys]}::text[]) and id is not null`.execute(database.query<unknown>());
  return new Set(rows.map(({ pair }) => pair));
}
