import type { LedgerEntry, Plan } from '../model/plan.ts';

/**
 * What a held reading adds to the ledger: nothing of its plan, but that events were missing from the feed once more, or
 * are in it again. A
 * person may take days to look at what holds the plan, and the feed was whole all that time.
 */
export function heldAbsences(
  { ledger: planned }: Pick<Plan, 'ledger'>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): readonly LedgerEntry[] {
  return [...ledger.values()].flatMap(({ heldMissing = 0, ...entry }): readonly LedgerEntry[] => {
    const after = planned[entry.slug]?.entry;
    if (after === undefined || entry.state !== 'kept' || entry.pinned) return [];
    if (after.missing === absencesOf({ ...entry, heldMissing }) + 1)
      return [{ ...entry, heldMissing: heldMissing + 1 }];
    return after.missing === 0 && heldMissing > 0 ? [entry] : [];
  });
}

/** Good fetches in a row without an event, those of held plans too. */
export const absencesOf = ({ missing, heldMissing = 0 }: Pick<LedgerEntry, 'missing' | 'heldMissing'>): number =>
  missing + heldMissing;
