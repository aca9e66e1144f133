import { hasTable } from './has-table.ts';
import { sql, type Queryable } from './sql.ts';

/** The versions of the program that work, or have worked, on the database. */
export interface VersionsHere {
  /** The last other version that worked on it. */
  readonly before: string | undefined;
  /** Since when the version that asks has worked on it; undefined if it has not yet. */
  readonly since: Date | undefined;
}

/**
 * Records that a version works on the database; the one recorded last is the current one. Returns whether it is a
 * change.
 */
export async function noteVersion(query: Queryable, version: string): Promise<boolean> {
  const { rows } = await sql`insert into calsync.versions (version) values (${version})
    on conflict (version) do update set since = now()
    where excluded.version <> (select version from calsync.versions order by since desc limit 1)
    returning version`.execute(query);
  return rows.length > 0;
}

/** What is known about versions; nothing if the database is empty or predates this table. */
export async function versionsHere(query: Queryable, version: string): Promise<VersionsHere> {
  if (!(await hasTable(query, 'calsync.versions'))) return { before: undefined, since: undefined };
  const { rows } = await sql<{ version: string; since: Date }>`
    select version, since from calsync.versions order by since desc limit 100`.execute(query);
  return {
    before: rows.find((row) => row.version !== version)?.version,
    since: rows.find((row) => row.version === version)?.since,
  };
}
