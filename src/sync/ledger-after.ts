import { isLinked } from './merge.ts';
import type { Action, FieldName, FieldState, LedgerChange, LedgerEntry, Outcome } from './plan.ts';

/**
 * The ledger entry after an action: null unless it was done, then the planned entry with the post id, what was sent and what the site made of it.
 * The slug stays: where a server appends to it (`-2`), the event is found by its id and key.
 */
export function ledgerAfter(change: LedgerChange, action: Action, outcome: Outcome): LedgerEntry | null {
  if (outcome.kind !== 'done') return null;
  const { entry, awaits } = change;
  const sent = new Map(Object.entries(action.fields));
  const states = awaits.map((field): [FieldName, FieldState] => {
    const before: FieldState = entry.fields[field] ?? { feed: null, by: 'feed' };
    const value = isLinked(field) ? undefined : sent.get(field);
    return [field, { ...before, ...(value === undefined ? {} : { sent: value }), returned: outcome.values[field] ?? null }];
  });
  return { ...entry, id: outcome.id, fields: { ...entry.fields, ...Object.fromEntries(states) } };
}
