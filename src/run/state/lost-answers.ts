import { sql, type Kysely } from '../../db/database.ts';
import type { LedgerEntry, Refs, SiteEvent } from '../../sync/model/plan.ts';
import { unansweredOf, type Carried, type Unanswered } from '../../sync/event/late-answers.ts';
import { noteDone } from './batches.ts';
import type { SourceSetup } from './context.ts';
import { entryFromStored, saveEntries } from './ledger.ts';
import type { Batch } from './records.ts';

type Query = Kysely<unknown>;

/** With the run that gave it up. */
export interface Question extends Unanswered {
  readonly run: string;
}

/** What earlier runs of a source gave up without an answer, in the order in which it was written. */
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

/** Remembers what a run could not learn. It is asked first by the next one, however long the site is away. */
export async function saveUnanswered(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  run: string,
  unanswered: readonly Unanswered[],
): Promise<void> {
  for (const { action, change, refs } of unanswered) {
    await sql`insert into calsync.unanswered (site, source, slug, run, action, change, refs)
      values (${site.key}, ${name}, ${change.entry.slug}, ${run}, ${JSON.stringify(action)}::jsonb, ${JSON.stringify(change)}::jsonb, ${JSON.stringify(refs)}::jsonb)
      on conflict (site, slug, run) do update set refs = excluded.refs`.execute(query);
  }
}

/** The same for a run that ends before it has tried again what a process was at when it died. */
export async function saveUnheard(
  query: Query,
  setup: Pick<SourceSetup, 'site' | 'name'>,
  batches: readonly Batch[],
  refs: Refs,
): Promise<void> {
  for (const { run, items, outcomes } of batches.filter(({ attempts }) => attempts > 0)) {
    const unheard = items.filter((_, index) => outcomes[index] === null);
    await saveUnanswered(
      query,
      setup,
      run,
      unheard.flatMap(({ action, change }) =>
        action.resource === 'events' && change ? [unansweredOf(action, change, refs)] : [],
      ),
    );
  }
}

/** The answer has come with a later attempt of the same run. */
export async function forgetAnswered(
  query: Query,
  { site }: Pick<SourceSetup, 'site'>,
  run: string,
  slugs: readonly string[],
): Promise<void> {
  await sql`delete from calsync.unanswered where site = ${site.key} and run = ${run} and slug = any(${[...slugs]}::text[])`.execute(
    query,
  );
}

/** The site has been asked about all that was open, except what is said. */
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

/** What a site shows now of what was given up. */
export interface LostAnswers {
  /** What was carried out, with the ledger entries that follow from it. */
  readonly done: readonly Carried<Question>[];
  /** What was made beside an event of ours, under the slug of that: its question stays open until it is gone. */
  readonly twins: ReadonlyMap<string, SiteEvent>;
}

/** A ledger with what was heard. */
export const withLostAnswers = (
  ledger: ReadonlyMap<string, LedgerEntry>,
  { done }: LostAnswers,
): ReadonlyMap<string, LedgerEntry> => new Map([...ledger, ...done.map(({ entry }) => [entry.slug, entry] as const)]);

/**
 * Stores what was heard: the entries, and that those runs did it, so that they can be taken back. What was made twice
 * stays open.
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
