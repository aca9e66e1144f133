import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import type { Authority, LedgerEntry, Policy } from '../model/plan.ts';

/** The fields of an event that a person has locked; its feed never changes them. */
export const lockedIn = ({ fields }: Pick<LedgerEntry, 'fields'>): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => fields[field]?.locked);

/** The policy for one event, with authority `site` for the fields that a person has locked. */
export function withLocks(policy: Policy, entry: Pick<LedgerEntry, 'fields'> | undefined): Policy {
  const locked = entry ? lockedIn(entry) : [];
  if (locked.length === 0) return policy;
  const fields: Readonly<Record<string, Authority>> = Object.fromEntries(locked.map((field) => [field, 'site']));
  return { ...policy, authority: { ...policy.authority, fields: { ...policy.authority.fields, ...fields } } };
}

/**
 * Unlocks fields of an entry. A field that nobody has edited, not even on the site since, gets the feed's current
 * value; an edited one stays until the feed changes.
 */
export function unlocked(entry: LedgerEntry, fields: readonly FieldName[]): LedgerEntry {
  const open = lockedIn(entry)
    .filter((field) => fields.includes(field))
    .map((field) => {
      const { locked: _locked, ...state } = entry.fields[field] ?? { feed: null, by: 'feed' };
      return [
        field,
        state.by === 'feed' && state.feed !== null ? { ...state, unlocked: true as const } : state,
      ] as const;
    });
  return open.length === 0 ? entry : { ...entry, fields: { ...entry.fields, ...Object.fromEntries(open) } };
}
