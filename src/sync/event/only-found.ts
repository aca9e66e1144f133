import type { FieldName } from '../model/fields.ts';
import type { LedgerEntry } from '../model/plan.ts';

/**
 * Whether we have no record of what we wrote to these fields: the event was found by its key while the ledger was lost.
 */
export function isOnlyFound(entry: LedgerEntry | undefined, fields: readonly FieldName[]): boolean {
  const states = fields.map((field) => entry?.fields[field]);
  if (states.some((state) => state === undefined)) return true;
  // If the feed no longer had the event then, what it showed is recorded, until we remove it ourselves.
  return (
    entry?.identity === null && states.every((state) => state?.returned !== undefined && state.returned !== 'trash')
  );
}
