import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { LedgerEntry, Refs, SiteEvent } from '../../sync/model/plan.ts';
import { unansweredOf, type CarriedOutWrite, type Unanswered } from '../../sync/event/late-answers.ts';
import { noteDone, type Batch } from './batches.ts';
import type { SourceSetup } from './context.ts';
import { entryFromStored, saveEntries } from './ledger.ts';

type Query = Queryable;

/** A write that a run gave up without an answer. */
export interface Question extends Unanswered {
  readonly run: string;
}

/** The writes of a source that earlier runs gave up without an answer, in the order in which they were given up. */
export async function loadUnanswered(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
): Promise<readonly Question[]> {
  const { rows } =
    await sql<Question>`select run, action, change, refs from calsync.unanswered where site = ${site.key} and source = ${name} order by at, slug`.execute(
      query,
    );
  return rows.map((row) => ({ ...row, change: { ...row.change, entry: entryFromStored(row.change.entry) } }));
}

/**
 * SQL that stores writes that a run gave up without an answer, if `condition` is true. The next run asks about them
 * first, however long the site was away.
 */
export const insertOfUnanswered = (
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  run: string,
  unanswered: readonly Unanswered[],
  condition: Sql = sql`true`,
): Sql => sql`
    insert into calsync.unanswered (site, source, slug, run, action, change, refs)
    select ${site.key}, ${name}, change->'entry'->>'slug', ${run}, action, change, refs
    from jsonb_to_recordset(${jsonb(unanswered)}) as given(action jsonb, change jsonb, refs jsonb) where ${condition}
    on conflict (site, slug, run) do update set refs = excluded.refs`;

/** Stores the writes that a dead process was sending; they have no outcome, and are not repeated. */
export async function saveWithoutOutcome(
  query: Query,
  setup: Pick<SourceSetup, 'site' | 'name'>,
  batches: readonly Batch[],
  refs: Refs,
): Promise<void> {
  for (const { run, items, outcomes } of batches.filter(({ attempts }) => attempts > 0)) {
    const open = items.filter((_, index) => outcomes[index] === null);
    await insertOfUnanswered(
      setup,
      run,
      open.flatMap(({ action, change }) =>
        action.resource === 'events' && change ? [unansweredOf(action, change, refs)] : [],
      ),
    ).execute(query);
  }
}

/** SQL that removes writes that a later attempt of the same run got an answer to, if `condition` is true. */
export const deleteOfAnswered = (
  { site }: Pick<SourceSetup, 'site'>,
  run: string,
  slugs: readonly string[],
  condition: Sql,
): Sql => sql`
    delete from calsync.unanswered
    where site = ${site.key} and run = ${run} and slug = any(${[...slugs]}::text[]) and ${condition}`;

/** Removes all open writes of a source after the site was asked, except the given ones. */
export async function forgetUnanswered(
  query: Query,
  site: string,
  source: string,
  except: readonly string[] = [],
): Promise<void> {
  await sql`delete from calsync.unanswered where site = ${site} and source = ${source} and slug <> all(${[...except]}::text[])`.execute(
    query,
  );
}

/** What the site shows about the writes that were given up. */
export interface LostAnswers {
  /** Writes that were carried out, with the resulting ledger entries. */
  readonly done: readonly CarriedOutWrite<Question>[];
  /**
   * Duplicates created beside events of ours, by the slug of our event. The write stays open until the duplicate is
   * gone.
   */
  readonly twins: ReadonlyMap<string, SiteEvent>;
}

/** Updates a ledger with the writes that proved to have been carried out. */
export const withLostAnswers = (
  ledger: ReadonlyMap<string, LedgerEntry>,
  { done }: LostAnswers,
): ReadonlyMap<string, LedgerEntry> => new Map([...ledger, ...done.map(({ entry }) => [entry.slug, entry] as const)]);

/**
 * Stores the results: the entries, and the outcomes in the runs that made the writes, so that these can be undone.
 * Writes with a duplicate stay open.
 */
export async function storeLostAnswers(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  { done, twins }: LostAnswers,
): Promise<void> {
  await saveEntries(query, site.key, name, [...new Map(done.map(({ entry }) => [entry.slug, entry])).values()]);
  for (const [run, own] of Map.groupBy(done, ({ asked }) => asked.run))
    await noteDone(query, run, new Map(own.map(({ entry, outcome }) => [entry.slug, outcome])));
  await forgetUnanswered(query, site.key, name, [...twins.keys()]);
}
