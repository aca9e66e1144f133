import { sql, type Queryable } from '../../db/database.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { ENTRY_COLUMNS, entriesFromRows, type EntryRow } from '../state/ledger.ts';

/** More events of a source than this are not compared one by one for a page. */
const ENTRIES_MAX = 20_000;

/**
 * The ledger's entries of the events of a plan, and of what else is still to come, by slug; of the latter the first ones
 * only, if they are very many.
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
