import type { Queryable } from '../../db/database.ts';
import { refsIn } from '../../sync/links/link.ts';
import { isOpen } from '../../sync/plan/report.ts';
import type { Refs } from '../../sync/model/plan.ts';
import { loadBatches, type Item } from '../state/batches.ts';

/**
 * The refs in a run's events whose creation failed in this run but is worth another attempt in the next. Excludes those
 * that the site refused for good.
 */
export async function openRefs(
  query: Queryable,
  run: string,
  items: readonly Item[],
  refs: Refs,
): Promise<ReadonlySet<string>> {
  const missing = new Set(items.flatMap(({ action }) => refsIn(action)).filter((ref) => refs[ref] === undefined));
  if (missing.size === 0) return missing;
  const open = (await loadBatches(query, run, ['terms', 'venues'])).flatMap((batch) =>
    batch.items.flatMap(({ action }, index) =>
      'ref' in action && isOpen(batch.outcomes[index] ?? null) ? [action.ref] : [],
    ),
  );
  return new Set(open.filter((ref) => missing.has(ref)));
}
