import { sql, type Database, type Queryable } from '../../db/database.ts';
import type { Actor } from './acts.ts';

/** The number of good versions of the configuration file that are kept. */
const KEPT = 10;

/** A version of the configuration file that was usable. */
export interface ConfigVersion {
  readonly id: number;
  readonly hash: string;
  readonly at: Date;
  readonly by: Actor;
  /** What it changed, in words; '' for the first version. */
  readonly changes: string;
}

const VERSION = sql.raw('id, hash, stored_at as at, name, via, address, changes');

interface Row extends Omit<ConfigVersion, 'by'> {
  readonly name: string;
  readonly via: Actor['from'];
  readonly address: string | null;
}

const versionOf = ({ name, via, address, ...version }: Row): ConfigVersion => ({
  ...version,
  by: { name, from: via, ...(address === null ? {} : { address }) },
});

/** A version to be kept. */
export interface NewVersion {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly by: Actor;
  readonly changes: string;
}

/**
 * Keeps a version, unless it equals the last one kept: all processes that read a file offer it, and one of them is
 * first. Only for that one, `also` is run in the same transaction. Returns the version's number.
 */
export async function keepVersion(
  database: Database,
  { bytes, hash, by, changes }: NewVersion,
  also: (query: Queryable) => Promise<void>,
): Promise<number> {
  return database.query().transaction(async (query) => {
    await sql`lock table calsync.config_versions in share row exclusive mode`.execute(query);
    const { rows } = await sql<{
      id: number;
    }>`insert into calsync.config_versions (hash, bytes, name, via, address, changes)
        select ${hash}, ${bytes}, ${by.name}, ${by.from}, ${by.address ?? null}, ${changes}
        where ${hash} is distinct from (select hash from calsync.config_versions order by id desc limit 1)
        returning id`.execute(query);
    const [kept] = rows;
    if (!kept) return lastId(query);
    await sql`delete from calsync.config_versions where id not in
        (select id from calsync.config_versions order by id desc limit ${KEPT})`.execute(query);
    await also(query);
    return kept.id;
  });
}

async function lastId(query: Queryable): Promise<number> {
  const { rows } = await sql<{ id: number }>`select max(id) as id from calsync.config_versions`.execute(query);
  return rows[0]?.id ?? 0;
}

/** The versions kept, latest first. */
export async function listVersions(query: Queryable): Promise<readonly ConfigVersion[]> {
  const { rows } = await sql<Row>`select ${VERSION} from calsync.config_versions order by id desc`.execute(query);
  return rows.map(versionOf);
}

/** A version with its bytes; undefined if it is not kept. */
export async function findVersion(
  query: Queryable,
  id: number,
): Promise<(ConfigVersion & { readonly bytes: Buffer }) | undefined> {
  const { rows } = await sql<
    Row & { bytes: Buffer }
  >`select ${VERSION}, bytes from calsync.config_versions where id = ${id}`.execute(query);
  const [row] = rows;
  if (!row) return undefined;
  const { bytes, ...version } = row;
  return { ...versionOf(version), bytes };
}
