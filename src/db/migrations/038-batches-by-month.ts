import { sql, type Queryable } from '../database.ts';

/**
 * Batches are partitioned by the month in the name of their run (202701; 0 if there is none), so that old months can be
 * dropped as a whole. The batches of a run are deleted later than the run itself, without looking at the run.
 */
export const up = async (db: Queryable): Promise<void> => {
  await sql`alter table calsync.batches rename to former_batches`.execute(db);
  await sql`create table calsync.batches (like calsync.former_batches including defaults, month integer not null)
    partition by list (month)`.execute(db);
  await sql.raw(MAKE_MONTH).execute(db);
  await sql`select calsync.make_month(month) from (select distinct ${MONTH} as month from calsync.former_batches) as found`.execute(
    db,
  );
  await sql`insert into calsync.batches select *, ${MONTH} from calsync.former_batches`.execute(db);
  await sql`drop table calsync.former_batches`.execute(db);
  await sql`create index on calsync.batches using gin (slugs)`.execute(db);
};

const MONTH = sql.raw(`coalesce(substring(run from '-(\\d{6})\\d\\dT\\d{6}-[0-9a-f]{6}$')::integer, 0)`);

// The caller is about to write: the month is not dropped before the end of the transaction. The table is created
// separately and then attached, so that nobody who reads or writes other months has to wait.
const MAKE_MONTH = `create function calsync.make_month(wanted integer) returns void language plpgsql as $$ begin
    lock table only calsync.batches in row exclusive mode;
    if to_regclass('calsync.batches_' || wanted) is not null then return; end if;
    perform pg_advisory_xact_lock(hashtext('calsync.make_month'));
    if exists (select from pg_tables where schemaname = 'calsync' and tablename = 'batches_' || wanted) then return; end if;
    execute format('create table calsync.batches_%1$s (like calsync.batches including all, primary key (run, stage, number))', wanted);
    execute format('alter table calsync.batches attach partition calsync.batches_%1$s for values in (%1$s)', wanted);
  end $$`;
