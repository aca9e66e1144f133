import { rowOf } from './database.ts';
import { sql, type Queryable } from './sql.ts';

/** Which version of the program works on the database now, and which did before. */
export interface VersionsHere {
  /** The last other one that has worked on it. */
  readonly before: string | undefined;
  /** Since when the one that asks has; undefined if it has not yet. */
  readonly since: Date | undefined;
}

/**
 * Notes that a version works on the database: the latest is the one that was noted last. Returns whether that is news.
 */
export async function noteVersion(query: Queryable, version: string): Promise<boolean> {
  const { rows } = await sql`insert into calsync.versions (version) values (${version})
    on conflict (version) do update set since = now()
    where excluded.version <> (select version from calsync.versions order by since desc limit 1)
    returning version`.execute(query);
  return rows.length > 0;
}

/** What is known of versions; nothing in a database that is empty, or older than this. */
export async function versionsHere(query: Queryable, version: string): Promise<VersionsHere> {
  const { there } = rowOf(
    await sql<{ there: boolean }>`select to_regclass('calsync.versions') is not null as there`.execute(query),
  );
  if (!there) return { before: undefined, since: undefined };
  const { rows } = await sql<{ version: string; since: Date }>`
    select version, since from calsync.versions order by since desc limit 100`.execute(query);
  return {
    before: rows.find((row) => row.version !== version)?.version,
    since: rows.find((row) => row.version === version)?.since,
  };
}
