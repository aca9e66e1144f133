import type { LedgerEntry, Plan } from '../model/plan.ts';
import { unsettled } from '../model/settled.ts';
import { EMPTY_PLAN } from './settle.ts';

/** An event that its source neither changes nor removes from here on. Nothing is written: it stays as it is. */
export const detached = (entry: LedgerEntry): Plan => planFor(detachedEntry(entry));

/** The entry of such an event. */
export function detachedEntry(entry: LedgerEntry): LedgerEntry {
  const { pinned: _pinned, heldMissing: _held, ...own } = unsettled(entry);
  return { ...own, state: 'detached', missing: 0 };
}

/** The entry of an event that its source has again, as if it had never been without it. */
export const attached = (entry: LedgerEntry): LedgerEntry => ({ ...entry, state: 'kept', missing: 0 });

/** The ledger alone changes. */
export const planFor = (entry: LedgerEntry): Plan => ({
  ...EMPTY_PLAN,
  ledger: { [entry.slug]: { entry, pendingFields: [] } },
});
