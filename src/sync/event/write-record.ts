import type { FieldName } from '../model/fields.ts';
import type { LedgerEntry } from '../model/plan.ts';

/**
 * Whether we have no record of what we wrote to these fields: the event was found by its key after the ledger was lost.
 */
export function lacksWriteRecord(entry: LedgerEntry | undefined, fields: readonly FieldName[]): boolean {
  if (!entry) return true;
  for (const field of fields) if (entry.fields[field] === undefined) return true;
  // If the feed lacked the event at that time, what the site showed is recorded until we remove the event ourselves.
  return (
    entry.identity === null &&
    fields.every((field) => {
      const returned = entry.fields[field]?.returned;
      return returned !== undefined && returned !== 'trash';
    })
  );
}
