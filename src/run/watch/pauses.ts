import { sql, type Queryable } from '../../db/database.ts';
import { recordAct, type Actor } from './acts.ts';

type Query = Queryable;

/** A configured source, named by the key of its site and its own name. */
export interface SourceName {
  readonly site: string;
  readonly source: string;
}

/** Until when a source is not read automatically, and why. */
export interface PauseWish {
  /** In epoch milliseconds; null until a person resumes it. */
  readonly until: number | null;
  readonly reason?: string | undefined;
}

/** Pauses a source: no schedule, start or retry reads it, but a person may. Replaces an existing pause. */
export async function pauseSource(
  query: Query,
  { site, source }: SourceName,
  { until, reason }: PauseWish,
  by: Actor,
): Promise<void> {
  const why = reason?.trim() || null;
  const end = until === null ? null : new Date(until);
  await query.transaction(async (transaction) => {
    await sql`insert into calsync.pauses (site, source, until, reason, name) values (${site}, ${source}, ${end}, ${why}, ${by.name})
      on conflict (site, source) do update set since = now(), until = excluded.until, reason = excluded.reason, name = excluded.name`.execute(
      transaction,
    );
    await recordAct(transaction, by, {
      kind: 'pause',
      site,
      source,
      reason,
      details: { until: end?.toISOString() ?? null },
    });
  });
}

/** Ends a pause; false if the source is not paused. */
export async function resumeSource(
  query: Query,
  { site, source }: SourceName,
  by: Actor,
  reason?: string,
): Promise<boolean> {
  return query.transaction(async (transaction) => {
    // The row keeps the time of its end, so that the source does not count as overdue since before.
    const { rows } = await sql`update calsync.pauses set until = now()
      where site = ${site} and source = ${source} and ${isActive} returning site`.execute(transaction);
    if (rows.length === 0) return false;
    await recordAct(transaction, by, { kind: 'resume', site, source, reason });
    return true;
  });
}

const isActive = sql<boolean>`(until is null or until > now())`;

/** The sources that no person has paused. */
export async function notPaused<T extends { readonly site: { readonly key: string }; readonly name: string }>(
  query: Query,
  setups: readonly T[],
): Promise<readonly T[]> {
  const { rows } = await sql<SourceName>`select site, source from calsync.pauses where ${isActive}`.execute(query);
  return setups.filter(({ site, name }) => !rows.some((row) => row.site === site.key && row.source === name));
}

/** Whether a person has paused a source. */
export async function isPaused(query: Query, { site, source }: SourceName): Promise<boolean> {
  const { rows } =
    await sql`select from calsync.pauses where site = ${site} and source = ${source} and ${isActive}`.execute(query);
  return rows.length > 0;
}

/**
 * The tables of people's settings for a source and of what they were told about it, with the columns that tell several
 * rows of a source apart.
 */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  pauses: [],
  notes: [],
  first_runs: [],
  publisher_links: [],
  publisher_stops: ['address'],
  alerts_told: ['receiver', 'kind', 'about'],
};
const HISTORY = ['acts', 'publisher_answers'];

/** Moves people's settings, acts and what they were told to a source's new name or site. */
export async function moveWishes(query: Query, from: SourceName, to: SourceName): Promise<void> {
  for (const [name, others] of Object.entries(KEPT)) {
    const table = sql.raw(`calsync.${name}`);
    const isSame = sql.raw(others.map((column) => ` and there.${column} = own.${column}`).join(''));
    await sql`update ${table} as own set site = ${to.site}, source = ${to.source} where site = ${from.site} and source = ${from.source}
      and not exists (select from ${table} as there where there.site = ${to.site} and there.source = ${to.source}${isSame})`.execute(
      query,
    );
  }
  for (const name of HISTORY)
    await sql`update ${sql.raw(`calsync.${name}`)} set site = ${to.site}, source = ${to.source} where site = ${from.site} and source = ${from.source}`.execute(
      query,
    );
}

const FORGOTTEN = ['pauses', 'notes', 'first_runs', 'publisher_links', 'publisher_answers'];

/** Forgets people's settings for a source, except that those who want no letters about it still get none. */
export async function forgetWishes(query: Query, { site, source }: SourceName): Promise<void> {
  for (const name of FORGOTTEN)
    await sql`delete from ${sql.raw(`calsync.${name}`)} where site = ${site} and source = ${source}`.execute(query);
}
