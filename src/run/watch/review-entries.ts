import { sql, type Queryable } from '../../db/database.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { ENTRY_COLUMNS, entriesFromRows, type EntryRow } from '../state/ledger.ts';

/** For a page, no more events of a source than this are compared one by one. */
const ENTRIES_MAX = 20_000;

/**
 * The ledger entries of a plan's events and of the other upcoming events, by slug; if there are very many of the
 * latter, only the first ones.
 */
export async function reviewEntries(
  query: Queryable,
  { site, source }: { readonly site: string; readonly source: string },
  slugs: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const { rows } = await sql<EntryRow>`
    (select ${ENTRY_COLUMNS} from calsync.ledger where site = ${site} and source = ${source} and slug = any(${[...slugs]}::text[]))
    union all
    (select ${ENTRY_COLUMNS} from calsync.ledger where site = ${site} and source = ${source} and state = 'kept'
      and ends_at > ${now} and slug <> all(${[...slugs]}::text[]) order by starts_at limit ${ENTRIES_MAX})`.execute(
    query,
  );
  return entriesFromRows(rows);
}
