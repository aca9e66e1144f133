import type { Event } from '../../contract/representation.ts';
import { sql, type Database } from '../../db/database.ts';
import { keyOfSlug, sourceKey } from '../../sync/model/slug.ts';

type Named = Pick<Event, 'id' | 'slug'>;

/**
 * Finds out which events of the site are ours, and returns their keys by id. Events missing from the map are not ours.
 */
export type OurKeys = (events: readonly Named[]) => Promise<ReadonlyMap<number, string>>;

/**
 * An event is ours if its slug is exactly as we make it for a configured source, so that an empty ledger changes no
 * UID. Otherwise it is ours if the ledger says so or, for a forgotten source, if it was exported as ours. A slug that
 * the server has extended (`-2`) is ours only if the ledger has its id, because it may be a person's copy of our event.
 */
export function ourKeysOf(database: Database, site: string, sources: () => readonly string[]): OurKeys {
  return async (events) => {
    const prefixes = new Set(sources().map((source) => sourceKey(source)));
    const candidates = events.flatMap(({ id, slug }) => {
      const key = keyOfSlug(slug);
      return key === null ? [] : [{ id, slug, key }];
    });
    const ours = candidates.filter(({ slug, key }) => slug.endsWith(key) && prefixes.has(key.slice(0, 4)));
    const rest = candidates.filter((candidate) => !ours.includes(candidate));
    const known =
      rest.length === 0
        ? []
        : await inLedger(
            database,
            site,
            rest.map(({ key }) => key),
          );
    const confirmed = rest.filter(({ id, slug, key }) =>
      known.some((entry) => entry.key === key && (entry.slug === slug || entry.id === id)),
    );
    const forgotten = rest.filter(
      (candidate) => candidate.slug.endsWith(candidate.key) && !confirmed.includes(candidate),
    );
    const given =
      forgotten.length === 0
        ? new Set()
        : await givenOut(
            database,
            site,
            forgotten.map(({ key }) => key),
          );
    return new Map(
      [...ours, ...confirmed, ...forgotten.filter(({ key }) => given.has(key))].map(({ id, key }) => [id, key]),
    );
  };
}

/** The keys that occur in UIDs which subscribers know. */
async function givenOut(database: Database, site: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    uid: string;
  }>`select uid from calsync.exported_events where site = ${site} and uid = any(${keys.map((key) => `${key}@calsyncd`)}::text[])`.execute(
    database.query(),
  );
  return new Set(rows.map(({ uid }) => uid.replace('@calsyncd', '')));
}

async function inLedger(
  database: Database,
  site: string,
  keys: readonly string[],
): Promise<readonly { key: string; slug: string; id: number | null }[]> {
  const { rows } = await sql<{ key: string; slug: string; id: number | null }>`select key, slug, id from calsync.ledger
    where site = ${site} and key = any(${[...keys]}::text[])`.execute(database.query());
  return rows;
}
