import type { FieldName, LedgerEntry } from '../model/plan.ts';

/**
 * Whether we know nothing of what we once wrote into these fields: the event was found by its key, with the ledger
 * lost.
 */
export function isOnlyFound(entry: LedgerEntry | undefined, fields: readonly FieldName[]): boolean {
  const states = fields.map((field) => entry?.fields[field]);
  if (states.some((state) => state === undefined)) return true;
  // Of one that the feed had left by then, what it showed is known, until we have removed it ourselves.
  return (
    entry?.identity === null && states.every((state) => state?.returned !== undefined && state.returned !== 'trash')
  );
}
