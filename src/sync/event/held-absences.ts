import type { LedgerEntry, Plan } from '../model/plan.ts';

/**
 * The only changes that a held reading makes to the ledger: which events were missing from the feed again, and which
 * returned. A review may take days, during which every good fetch counts.
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

/** The number of consecutive good fetches without an event, including those whose plans were held. */
export const absencesOf = ({ missing, heldMissing = 0 }: Pick<LedgerEntry, 'missing' | 'heldMissing'>): number =>
  missing + heldMissing;

/** Whether a plan leaves events on the site that are missing from the feed. */
export const leavesMissing = ({ ledger }: Pick<Plan, 'ledger'>): boolean =>
  Object.values(ledger).some(({ entry: { state, missing } }) => state === 'kept' && missing > 0);

/** Whether a plan removes events that were already missing from the feed in the last good reading. */
export const removesMissing = ({ actions }: Pick<Plan, 'actions'>, ledger: ReadonlyMap<string, LedgerEntry>): boolean =>
  actions.some(
    (action) => action.resource === 'events' && action.kind === 'remove' && (ledger.get(action.slug)?.missing ?? 0) > 0,
  );
