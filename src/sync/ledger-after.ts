import { isLinked } from './merge.ts';
import type { Action, FieldName, FieldState, LedgerChange, LedgerEntry, Outcome } from './plan.ts';
import { keyOfSlug } from './slug.ts';

/**
 * The ledger entry after an action: null unless it was done, then the planned entry with the post id, the slug that the site gave,
 * what was sent and what the site made of it.
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
  return { ...entry, id: outcome.id, slug: action.kind === 'remove' ? entry.slug : slugAfter(entry, outcome.slug), fields: { ...entry.fields, ...Object.fromEntries(states) } };
}

// A server may append to a slug (`-2`); one without our key (a draft has none on some sites) is not ours to keep.
function slugAfter(entry: LedgerEntry, slug: string): string {
  const live = slug.replace(/__trashed(?:-\d+)?$/, '');
  return keyOfSlug(live) === entry.key ? live : entry.slug;
}
