import { hasTable } from '../db/has-table.ts';
import { rowOf, sql, type Queryable } from '../db/database.ts';
import type { Sequence } from './manifest.ts';

/** Our schemas with data that cannot be recreated. BullMQ's jobs can be, from the configuration. */
const SCHEMAS = ['site', 'calsync'];
const OURS = sql`any(${SCHEMAS}::text[])`;

/** Tables that a backup leaves empty, and why. All others are included, even those of later versions. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'calsync.config_versions': 'earlier versions of the configuration file, which may hold passwords',
  'calsync.processes': 'what is running now',
  'calsync.process_configs': 'the configuration of what is running now',
  'calsync.lookers': 'who looks at the console now',
  'calsync.backups': 'what backups there are',
  'site.sessions': 'who is signed in: people sign in again, so a session that has ended does not come back',
  'site.embeds': 'copies of a day',
  'site.sent_forms': 'where the forms of a day have led',
};

/** A table in the database's catalog. */
export interface Table {
  /** Including its schema. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The approximate number of rows. */
  readonly rows: number;
}

/** All tables that hold rows; for a partitioned table, its partitions. */
export async function listTables(query: Queryable): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`select nspname || '.' || relname as name, greatest(reltuples, 0)::bigint as rows,
      array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${OURS} and relkind = 'r' order by 1`.execute(query);
  return rows;
}

/** The positions of the sequences. */
export async function readSequences(query: Queryable): Promise<Readonly<Record<string, Sequence>>> {
  const { rows } = await sql<{ name: string }>`select nspname || '.' || relname as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${OURS} and relkind = 'S' order by 1`.execute(query);
  const found: Record<string, Sequence> = {};
  for (const { name } of rows)
    found[name] = rowOf(
      await sql<Sequence>`select last_value as last, is_called as called from ${sql.ref(name)}`.execute(query),
    );
  return found;
}

/** The migrations that the schema has had; none if there is no schema. */
export async function stepsDone(query: Queryable): Promise<readonly string[]> {
  if (!(await hasTable(query, 'calsyncd_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from calsyncd_migration order by name`.execute(query);
  return rows.map(({ name }) => name);
}

/** The version of the server. */
export async function serverVersion(query: Queryable): Promise<string> {
  const { rows } = await sql<{ server: string }>`select current_setting('server_version') as server`.execute(query);
  return rowOf({ rows }).server;
}

/** Removes everything that is ours, including jobs that refer to it. */
export async function dropOurs(query: Queryable): Promise<void> {
  for (const schema of [...SCHEMAS, 'bullmq'])
    await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(query);
  await sql`drop table if exists calsyncd_migration`.execute(query);
}

/** Empties what a backup leaves out and removes the jobs, in a database that was copied as a whole. */
export async function emptyLeftOut(query: Queryable): Promise<void> {
  const there = (await listTables(query)).map(({ name }) => name).filter((name) => name in LEFT_OUT);
  if (there.length > 0) await sql`truncate ${sql.join(there.map((name) => sql.ref(name)))}`.execute(query);
  await sql`drop schema if exists bullmq cascade`.execute(query);
}

/**
 * Drops the foreign keys and disables the triggers that require rows in a certain order. Returns a function that
 * restores them.
 */
export async function liftRules(query: Queryable): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ name: string; table: string; definition: string }>`
    select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where contype = 'f' and conparentid = 0 and nspname = ${OURS}`.execute(query);
  const { rows: triggered } = await sql<{ table: string }>`
    select distinct tgrelid::regclass::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    where not tgisinternal and tgparentid = 0 and nspname = ${OURS}`.execute(query);
  const each = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(query);
  };
  await each(keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`));
  await each(triggered.map(({ table }) => `alter table ${table} disable trigger user`));
  return async () => {
    await each(triggered.map(({ table }) => `alter table ${table} enable trigger user`));
    await each(keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`));
  };
}
