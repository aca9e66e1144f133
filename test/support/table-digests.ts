import { listTables } from '../../src/backup/catalog.ts';
import { sql, type Queryable } from '../../src/db/database.ts';

/** The number of rows and a digest of each table. */
export async function tableDigests(query: Queryable): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {};
  for (const { name } of await listTables(query))
    all[name] = (
      await sql<{
        digest: string;
      }>`select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
        from ${sql.ref(name)} as t`.execute(query)
    ).rows[0]!.digest;
  return all;
}

/** What keeps the data consistent: constraints, triggers, indexes and columns. */
export async function tableRules(query: Queryable): Promise<readonly string[]> {
  const { rows } = await sql<{ rule: string }>`
    select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace in ('site'::regnamespace, 'calsync'::regnamespace)
    union all select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all select indexdef from pg_indexes where schemaname in ('site', 'calsync')
    union all select table_schema || '.' || table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' ||
      coalesce(column_default, '') from information_schema.columns where table_schema in ('site', 'calsync')
    order by 1`.execute(query);
  return rows.map(({ rule }) => rule);
}
