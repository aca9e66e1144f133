import { sql, type Kysely } from '../../db/database.ts';
import { refsIn } from '../../sync/links/link.ts';
import type { Refs } from '../../sync/model/plan.ts';
import type { Batch } from './records.ts';

/**
 * The refs in a batch's events whose creation failed in this run but is worth another attempt in the next. Excludes
 * what the site refused for good.
 */
export async function openRefs(
  query: Kysely<unknown>,
  { run, items }: Batch,
  refs: Refs,
): Promise<ReadonlySet<string>> {
  const missing = items.flatMap(({ action }) => refsIn(action)).filter((ref) => refs[ref] === undefined);
  if (missing.length === 0) return new Set();
  const { rows } = await sql<{ ref: string }>`
    select item->'action'->>'ref' as ref from calsync.batches, jsonb_array_elements(items) with ordinality as each(item, place)
    where run = ${run} and stage in ('terms', 'venues') and coalesce(outcomes->(place::integer - 1)->>'kind', 'failed') = 'failed'`.execute(
    query,
  );
  return new Set(rows.map(({ ref }) => ref).filter((ref) => missing.includes(ref)));
}
