import { unlocked } from '../event/locks.ts';
import type { FieldName } from '../model/fields.ts';
import type { FieldState, LedgerEntry, Plan } from '../model/plan.ts';
import { planFor } from './detach.ts';

/**
 * Locks fields of an event: they stay as the site shows them, and their conflicts are settled in favour of the site.
 */
export function lockFields(entry: LedgerEntry, names: readonly FieldName[]): Plan {
  const fields = Object.fromEntries(names.map((name) => [name, locked(entry.fields[name])]));
  return planFor({ ...entry, fields: { ...entry.fields, ...fields } });
}

function locked(state: FieldState = { feed: null, by: 'feed' }): FieldState {
  const { conflict, ...rest } = state;
  return { ...rest, locked: true, by: conflict ? 'person' : state.by };
}

/** Unlocks fields of an event, so that the feed may change them from the next run on. */
export const unlockFields = (entry: LedgerEntry, names: readonly FieldName[]): Plan => planFor(unlocked(entry, names));
