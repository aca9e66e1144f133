import { FIELD_NAMES, UNITS } from '../model/fields.ts';
import { isPersons } from '../compare/seen.ts';
import { pinnedEntry } from '../event/life.ts';
import { imageDue } from '../event/refused-image.ts';
import type { FieldName, LedgerEntry, Plan, Policy, SiteEvent } from '../model/plan.ts';

/** The fields of an event in which feed and site differ and a person has not decided. */
export const conflictsIn = ({ fields }: LedgerEntry): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => fields[field]?.conflict);

/** The fields of an event that bear a person's hand. */
export const editedIn = ({ fields }: LedgerEntry, onSite: SiteEvent | undefined): readonly FieldName[] =>
  FIELD_NAMES.filter((field) => (onSite ? isPersons(field, fields[field], onSite) : fields[field]?.by === 'person'));

/** The units that one field stands for, as they are decided together; all of `fallback` where none is named. */
export const unitOf = (field: FieldName | undefined, fallback: readonly FieldName[]): readonly FieldName[] =>
  field === undefined ? fallback : (UNITS.find((unit) => unit.includes(field)) ?? []);

/** A policy by which the feed decides about some fields, whatever else holds. */
export const feedDecides = (policy: Policy, fields: readonly FieldName[]): Policy => ({
  ...policy,
  authority: {
    ...policy.authority,
    fields: { ...policy.authority.fields, ...Object.fromEntries(fields.map((field) => [field, 'feed'])) },
  },
});

/**
 * An entry as if the feed's values of some fields had not been handled yet: conflicts, and an image that was refused.
 */
export function asUnhandled(entry: LedgerEntry, fields: readonly FieldName[]): LedgerEntry {
  const open = fields.flatMap((field) =>
    entry.fields[field]?.conflict ? [[field, { ...entry.fields[field], feed: null }] as const] : [],
  );
  const { fields: known, ...rest } = fields.includes('image') ? imageDue(entry) : entry;
  return { ...rest, fields: { ...known, ...Object.fromEntries(open) } };
}

/** The site's values stay: the conflict is settled, and the fields are a person's. */
export function siteDecides(entry: LedgerEntry, fields: readonly FieldName[]): Plan {
  const settled = fields.flatMap((field) => {
    const { conflict: _settled, ...state } = entry.fields[field] ?? { feed: null };
    return [[field, { ...state, by: 'person' as const }] as const];
  });
  const change = { entry: { ...entry, fields: { ...entry.fields, ...Object.fromEntries(settled) } }, awaits: [] };
  return { ...EMPTY_PLAN, ledger: { [entry.slug]: change } };
}

/**
 * An event that a person removed comes out of the trash as it went in; the feed does not have it any more, and is not
 * asked.
 */
export function planRestore(entry: LedgerEntry, onSite: SiteEvent): Plan {
  const fields = { status: String(entry.fields.status?.feed ?? 'publish') };
  return {
    ...EMPTY_PLAN,
    actions: [
      {
        kind: 'update',
        resource: 'events',
        slug: entry.slug,
        id: onSite.id,
        title: entry.title,
        fields,
        changes: { status: { from: onSite.status, to: fields.status } },
        because: 'restored by a person',
      },
    ],
    ledger: { [entry.slug]: { entry: { ...pinnedEntry(entry), id: onSite.id }, awaits: ['status'] } },
  };
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
