import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { CONFLICT_SINCE, SHOWN_TITLE } from './ledger.ts';
import type { RunContext } from './context.ts';
import { conflictsIn } from '../../sync/decisions/settle.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';

/**
 * An upcoming event that waits for a person's decision, with the fields in conflict (none if a person removed the
 * event).
 */
export interface OpenMatter {
  readonly source: string;
  readonly slug: string;
  readonly title: string;
  readonly fields: readonly string[];
  /** Since when it has been in conflict or removed, in epoch milliseconds. */
  readonly since: number;
}

/** A source, named by the key of its site and its own name. */
interface Named {
  readonly site: string;
  readonly source: string;
}

/** The sources in the current configuration. */
export const configuredIn = ({ sources }: Pick<RunContext, 'sources'>): readonly Named[] =>
  [...sources.values()].map(({ name, site }) => ({ site: site.key, source: name }));

/**
 * SQL condition that restricts to these sources. For sources that are no longer configured, nothing can be decided
 * until they are configured again.
 */
export const ofSources = (sources: readonly Named[]): Sql =>
  sql`(site, source) in (select * from unnest(
    ${sources.map(({ site }) => site)}::text[], ${sources.map(({ source }) => source)}::text[]))`;

/** Events of these sources that have changed both in the feed and on the site. `now` is in epoch milliseconds. */
export const openConflicts = (
  query: Queryable,
  sources: readonly Named[],
  now: number,
): Promise<readonly OpenMatter[]> => matters(query, sources, now, sql`state = 'kept' and in_conflict`);

/**
 * Events of these sources that a person removed from the site and that stay removed. `now` is in epoch milliseconds.
 */
export const ignoredEvents = (
  query: Queryable,
  sources: readonly Named[],
  now: number,
): Promise<readonly OpenMatter[]> => matters(query, sources, now, sql`state = 'ignored'`);

async function matters(
  query: Queryable,
  sources: readonly Named[],
  now: number,
  which: Sql,
): Promise<readonly OpenMatter[]> {
  const { rows } = await sql<
    LedgerEntry & { source: string; since: number }
  >`select source, slug, ${SHOWN_TITLE} as title, fields, ${CONFLICT_SINCE} as since from calsync.ledger
    where ${ofSources(sources)} and ends_at > ${now} and ${which} order by source, starts_at, slug`.execute(query);
  return rows.map((entry) => ({
    source: entry.source,
    slug: entry.slug,
    title: entry.title,
    fields: conflictsIn(entry),
    since: entry.since,
  }));
}

/**
 * A text for each source that changes whenever an event gets into or out of conflict, or the feed of one in conflict
 * says something else. `now` is in epoch milliseconds.
 */
export async function conflictStamps(query: Queryable, now: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ source: string; stamp: string }>`
    select source, md5(string_agg(slug || fields::text, ' ' order by slug)) as stamp from calsync.ledger
    where ends_at > ${now} and state = 'kept' and in_conflict group by source`.execute(query);
  return new Map(rows.map(({ source, stamp }) => [source, stamp]));
}
