import { looksSame } from './looks-same.ts';
import { FIELDS, isFieldName, type FieldName } from '../model/fields.ts';
import type { Json, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { sameJson } from '../model/json.ts';
import { isEditedByPerson, seenAs } from './seen.ts';

/**
 * The values last sent for fields that the site still shows unchanged. Sites render what they receive (typographic
 * quotes, formatted costs), so an undo must send these values and not the ones shown. Images are left out, because the
 * site's own copy will do.
 */
export function lastSentValues(
  fields: readonly string[],
  entry: LedgerEntry | undefined,
  onSite: SiteEvent,
): { readonly wrote?: Readonly<Record<string, Json>> } {
  if (entry === undefined) return {};
  const wrote = fields.filter(isFieldName).flatMap((field): readonly (readonly [FieldName, Json])[] => {
    const sent = lastSent(field, entry, onSite);
    return sent === undefined || sameJson(sent, onSite.values[field] ?? null) ? [] : [[field, sent]];
  });
  return wrote.length === 0 ? {} : { wrote: Object.fromEntries(wrote) };
}

/** The value we last sent for a field that the site still shows unchanged; undefined if unknown, and for links. */
function lastSent(field: FieldName, { fields, title }: LedgerEntry, onSite: SiteEvent): Json | undefined {
  const { form } = FIELDS[field];
  const state = fields[field];
  if (form === 'image' || form === 'links' || isEditedByPerson(field, state, onSite)) return undefined;
  if (state?.sent !== undefined && seenAs(field, state, onSite) === 'as-returned') return state.sent;
  // If the site's rendering of it was never seen, compare with what the feed said.
  const said = state?.feed ?? (field === 'title' ? title : undefined);
  return looksSame(field, said, onSite.values[field] ?? null) ? said : undefined;
}
