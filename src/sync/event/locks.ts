import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import type { Authority, LedgerEntry, Policy } from '../model/plan.ts';

/** The fields of an event that a person has locked: no plan for its feed writes them. */
export const lockedIn = ({ fields }: Pick<LedgerEntry, 'fields'>): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => fields[field]?.locked);

/** A policy for one event, in which the site decides about the fields that a person has locked. */
export function withLocks(policy: Policy, entry: Pick<LedgerEntry, 'fields'> | undefined): Policy {
  const locked = entry ? lockedIn(entry) : [];
  if (locked.length === 0) return policy;
  const fields: Readonly<Record<string, Authority>> = Object.fromEntries(locked.map((field) => [field, 'site']));
  return { ...policy, authority: { ...policy.authority, fields: { ...policy.authority.fields, ...fields } } };
}
