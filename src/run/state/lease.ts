import { sql, type Database, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Cause } from './causes.ts';
import { deadOwner } from './process.ts';

export interface Lease {
  readonly site: string;
  readonly source: string;
  readonly run: string;
}

/** Takes the lease of a source for a run; false if a living process holds it. */
export async function acquireLease(database: Database, lease: Lease, owner: number): Promise<boolean> {
  const { rows } = await sql`
    insert into calsync.leases as leases (site, source, run, owner) values (${lease.site}, ${lease.source}, ${lease.run}, ${owner})
    on conflict (site, source) do nothing returning run`.execute(database.query());
  return rows.length > 0;
}

/** Takes the lease of a source for a new run, and records the run; false if a living process holds the lease. */
export async function beginRun(database: Database, lease: Lease, cause: Cause, owner: number): Promise<boolean> {
  const { rows } = await sql`
    with taken as (
      insert into calsync.leases as leases (site, source, run, owner) values (${lease.site}, ${lease.source}, ${lease.run}, ${owner})
      on conflict (site, source) do nothing returning site, source, run)
    insert into calsync.runs (run, site, source, cause, state) select run, site, source, ${jsonb(cause)}, 'reading' from taken
    returning run`.execute(database.query());
  return rows.length > 0;
}

/** Whether this owner still holds a run's lease, that is, nobody has taken the run over. */
export async function holdsLease(database: Database, run: string, owner: number): Promise<boolean> {
  const { rows } = await sql`select run from calsync.leases where run = ${run} and owner = ${owner}`.execute(
    database.query(),
  );
  return rows.length > 0;
}

/**
 * Makes `owner` the owner of a run's lease, since the process that last worked on a run is responsible for it. False if
 * the run has no lease any more.
 */
export async function keepLease(database: Database, run: string, owner: number): Promise<boolean> {
  const { rows } = await sql`update calsync.leases set owner = ${owner} where run = ${run} returning run`.execute(
    database.query(),
  );
  return rows.length > 0;
}

export async function releaseLease(database: Database, run: string): Promise<void> {
  await sql`delete from calsync.leases where run = ${run}`.execute(database.query());
}

/**
 * Gives up a run that cannot continue now, and counts this. The next process that looks for dead runs takes it over.
 */
export async function abandonLease(database: Database, run: string): Promise<void> {
  await sql`
    with abandoned as (update calsync.leases set owner = ${NO_OWNER} where run = ${run} returning run)
    update calsync.runs set cut_offs = cut_offs + 1 from abandoned where runs.run = abandoned.run`.execute(
    database.query(),
  );
}

/** Gives up the run of a source that this owner is reading because it was asked to stop; this is not a failure. */
export async function leaveReading(database: Database, site: string, source: string, owner: number): Promise<void> {
  await sql`update calsync.leases as leases set owner = ${NO_OWNER} from calsync.runs as runs
    where leases.site = ${site} and leases.source = ${source} and leases.owner = ${owner}
      and runs.run = leases.run and runs.state = 'reading'`.execute(database.query());
}

/** The owner of a lease that was given up; process ids start at 1. */
export const NO_OWNER = 0;

export interface TakenLease extends Lease {
  /** The former owner; `NO_OWNER` if that process gave the run up itself. */
  readonly formerOwner: number;
}

/**
 * Takes over leases whose owner is gone, and counts this unless the owner gave them up itself; `owner` must continue
 * their runs. A run that is being written is left to a process that has its source, unless it is one of `decided`; any
 * other run can end without loss.
 */
export async function takeOverDeadLeases(
  database: Database,
  owner: number,
  sources: readonly string[],
  decided: readonly string[],
): Promise<readonly TakenLease[]> {
  const { rows } = await sql<TakenLease>`
    with dead as (select site, source, owner from calsync.leases as leases
      where owner <> ${owner} and ${deadOwner} and (run = any(${[...decided]}::text[]) or not ${isLeft(sources)}) for update),
    taken as (update calsync.leases as leases set owner = ${owner} from dead
      where leases.site = dead.site and leases.source = dead.source
      returning leases.site, leases.source, leases.run, dead.owner as "formerOwner"),
    counted as (update calsync.runs set cut_offs = cut_offs + 1
      from taken where runs.run = taken.run and taken."formerOwner" <> ${NO_OWNER})
    select * from taken`.execute(database.query());
  return rows;
}

/** Dead runs that were being written and that nobody with these sources can continue. */
export async function leasesToLeave(database: Database, sources: readonly string[]): Promise<readonly Lease[]> {
  const { rows } = await sql<Lease>`select site, source, run from calsync.leases as leases
    where ${deadOwner} and ${isLeft(sources)} order by run`.execute(database.query());
  return rows;
}

const isLeft = (sources: readonly string[]): Sql<boolean> => sql`(source <> all(${[...sources]}::text[])
  and exists (select 1 from calsync.runs as cut where cut.run = leases.run and cut.state = 'writing'))`;

/** Takes over the lease of one source if its owner is gone; undefined if a living process holds it or there is none. */
export async function takeOverDeadLease(
  database: Database,
  owner: number,
  site: string,
  source: string,
): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update calsync.leases as leases set owner = ${owner}
    where site = ${site} and source = ${source} and ${deadOwner} returning site, source, run`.execute(database.query());
  return rows[0];
}

/** The leases of one owner. */
export async function leasesOf(database: Database, owner: number): Promise<readonly Lease[]> {
  const { rows } = await sql<Lease>`select site, source, run from calsync.leases where owner = ${owner}`.execute(
    database.query(),
  );
  return rows;
}

/** The lease of a source, whoever holds it. */
export async function leaseOf(database: Database, site: string, source: string): Promise<Lease | undefined> {
  const { rows } =
    await sql<Lease>`select site, source, run from calsync.leases where site = ${site} and source = ${source}`.execute(
      database.query(),
    );
  return rows[0];
}

/**
 * Runs `work` in one transaction, during which no run of the source can begin. False, without doing anything, if a run
 * is under way.
 */
export const whileIdle = (
  database: Database,
  { site, source }: Pick<Lease, 'site' | 'source'>,
  work: (query: Queryable) => Promise<void>,
): Promise<boolean> =>
  database.query().transaction(async (query) => {
    // Nobody sees this lease, but others who want it wait for the end of the transaction.
    const { rows } = await sql`
      insert into calsync.leases (site, source, run, owner) values (${site}, ${source}, '', ${NO_OWNER})
      on conflict (site, source) do nothing returning run`.execute(query);
    if (rows.length === 0) return false;
    await work(query);
    await sql`delete from calsync.leases where site = ${site} and source = ${source}`.execute(query);
    return true;
  });
