import { sql, type Queryable } from '../db/database.ts';
import { openConflicts } from '../run/state/open-matters.ts';
import { loadFacts, type WatchedSource } from '../run/watch/facts.ts';
import { sourceState } from '../run/watch/source-state.ts';
import { sourceKeyOf, type SourceWithState } from './model/episode.ts';

/** The current state of the sources. `now` is in epoch milliseconds. */
export async function watchSources(
  query: Queryable,
  sources: readonly WatchedSource[],
  now: number,
): Promise<readonly SourceWithState[]> {
  const all = await loadFacts(query, sources, now);
  const notes = await loadNotes(query);
  const conflicts = Map.groupBy(
    all.some((facts) => facts.conflicts > 0) ? await openConflicts(query, sources, now) : [],
    ({ source }) => source,
  );
  return all.map((facts) => ({
    facts,
    state: sourceState(facts, now),
    conflicts: facts.conflicts > 0 ? (conflicts.get(facts.source) ?? []) : [],
    note: notes.get(sourceKeyOf(facts)) ?? null,
  }));
}

async function loadNotes(query: Queryable): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ site: string; source: string; text: string }>`
    select site, source, text from calsync.notes where text <> ''`.execute(query);
  return new Map(rows.map((row) => [sourceKeyOf(row), row.text]));
}
