import { isLinked } from './merge.ts';
import type { Action, FieldName, FieldState, LedgerChange, LedgerEntry, Outcome } from './plan.ts';

/**
 * The ledger entry after an action: null unless it was done, then the planned entry with the post id, what was sent and what the site made of it.
 * The slug stays: where a server appends to it (`-2`), the event is found by its id and key. `open` are the refs that could not be made this
 * time: fields that point to them are not handled yet, nor are those of an event that was only found.
 */
export function ledgerAfter(change: LedgerChange, action: Action, outcome: Outcome, open: ReadonlySet<string> = NONE): LedgerEntry | null {
  if (outcome.kind !== 'done') return null;
  const { entry, awaits } = change;
  const sent = new Map(Object.entries(action.fields));
  const states = awaits.map((field): [FieldName, FieldState] => {
    const before: FieldState = entry.fields[field] ?? { feed: null, by: 'feed' };
    const value = isLinked(field) ? undefined : sent.get(field);
    const isOpen = outcome.found || isLinked(field) && refsOf(action, field).some((ref) => open.has(ref));
    return [field, { ...before, ...(isOpen ? { feed: null } : {}), ...(value === undefined || outcome.found ? {} : { sent: value }), returned: outcome.values[field] ?? null }];
  });
  return { ...entry, id: outcome.id, fields: { ...entry.fields, ...Object.fromEntries(states) } };
}

const NONE: ReadonlySet<string> = new Set();

const refsOf = ({ fields }: Action, field: string): readonly string[] => {
  const refs: unknown = new Map(Object.entries(fields)).get(field);
  return Array.isArray(refs) ? refs.map(String) : [];
};
