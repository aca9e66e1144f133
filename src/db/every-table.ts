import { sql, type Database } from './database.ts';

interface Table {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Reads all pages of all tables, including the server's own, so that the server compares each page with its checksum.
 * Throws the server's error about a damaged one.
 */
export async function readEveryTable(
  database: Database,
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  await database.query().transaction(async (query) => {
    await sql`set local enable_indexscan = off; set local enable_indexonlyscan = off;
      set local enable_bitmapscan = off`.execute(query);
    // Long values are in separate tables (t).
    const { rows } = await sql<Table>`select oid::regclass::text as name, pg_relation_size(oid) as bytes
      from pg_class where relkind in ('r', 't', 'm') order by bytes, name`.execute(query);
    const of = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const { name, bytes } of rows) {
      onProgress(done, of);
      await sql`select count(*) from only ${sql.raw(name)}`.execute(query);
      done += bytes;
    }
    onProgress(of, of);
  });
}
