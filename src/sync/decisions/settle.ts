import { FIELD_NAMES, UNITS, type FieldName } from '../model/fields.ts';
import { isEditedByPerson } from '../compare/seen.ts';
import { imageDue } from '../event/refused-image.ts';
import type { LedgerEntry, Plan, Policy, SiteEvent } from '../model/plan.ts';

/** The fields of an event with an unsettled conflict between feed and site. */
export const conflictsIn = ({ fields }: LedgerEntry): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => fields[field]?.conflict);

/** The fields of an event that a person has edited. */
export const editedIn = ({ fields }: LedgerEntry, onSite: SiteEvent | undefined): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => isEditedByPerson(field, fields[field], onSite));

/** All fields of the unit of `field`, since they are decided together; `fallback` if no field is named. */
export const unitOf = (field: FieldName | undefined, fallback: readonly FieldName[]): readonly FieldName[] =>
  field === undefined ? fallback : (UNITS.find((unit) => unit.includes(field)) ?? []);

/** A policy that gives the feed authority over some fields, overriding everything else. */
export const feedDecides = (policy: Policy, fields: readonly FieldName[]): Policy => ({
  ...policy,
  authority: {
    ...policy.authority,
    fields: { ...policy.authority.fields, ...Object.fromEntries(fields.map((field) => [field, 'feed'])) },
  },
});

/** Makes the feed's values of some fields count as new again, including conflicts and refused images. */
export function asUnhandled(entry: LedgerEntry, fields: readonly FieldName[]): LedgerEntry {
  const open = fields.flatMap((field) =>
    entry.fields[field]?.conflict ? [[field, { ...entry.fields[field], feed: null }] as const] : [],
  );
  const { fields: known, ...rest } = fields.includes('image') ? imageDue(entry) : entry;
  return { ...rest, fields: { ...known, ...Object.fromEntries(open) } };
}

/** Keeps the site's values: the conflict is settled, and the fields count as a person's. */
export function siteDecides(entry: LedgerEntry, fields: readonly FieldName[]): Plan {
  const settled = fields.flatMap((field) => {
    const { conflict: _settled, ...state } = entry.fields[field] ?? { feed: null };
    return [[field, { ...state, by: 'person' as const }] as const];
  });
  const change = {
    entry: { ...entry, fields: { ...entry.fields, ...Object.fromEntries(settled) } },
    pendingFields: [],
  };
  return { ...EMPTY_PLAN, ledger: { [entry.slug]: change } };
}

export const EMPTY_PLAN: Plan = {
  actions: [],
  refs: {},
  ledger: {},
  unchanged: 0,
  skipped: 0,
  conflicts: [],
  held: null,
  problems: [],
};
