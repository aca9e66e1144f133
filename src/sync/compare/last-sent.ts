import { looksSame } from './looks-same.ts';
import { FIELDS, isFieldName } from '../model/fields.ts';
import type { FieldName, Json, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { sameJson } from '../model/json.ts';
import { isPersons, seenAs } from './seen.ts';

/**
 * What we had sent for fields of which the site still shows what it made of that. Reads are rendered (typographic quotes, formatted costs):
 * what a site shows is not what it was given. An image is left out: the site's own copy serves as well.
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

/** What we had sent for a field, where the site still shows what came of it and it was no link; undefined where that is not known. */
function lastSent(field: FieldName, { fields, title }: LedgerEntry, onSite: SiteEvent): Json | undefined {
  const { form } = FIELDS[field];
  const state = fields[field];
  if (form === 'image' || form === 'links' || isPersons(field, state, onSite)) return undefined;
  if (state?.sent !== undefined && seenAs(field, state, onSite) === 'as-returned') return state.sent;
  // Where nobody heard what the site made of it, it may look like what the feed said.
  const said = state?.feed ?? (field === 'title' ? title : undefined);
  return looksSame(field, said, onSite.values[field] ?? null) ? said : undefined;
}
