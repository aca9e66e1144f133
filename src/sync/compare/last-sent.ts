import { looksSame } from './looks-same.ts';
import { isLinked } from '../model/fields.ts';
import type { FieldName, Json, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { sameJson } from '../model/json.ts';
import { isPersons } from './seen.ts';

/**
 * What we had sent for fields of which the site still shows what it made of that. Reads are rendered (typographic quotes, formatted costs):
 * what a site shows is not what it was given. An image is left out: the site's own copy serves as well.
 */
export function lastSentValues(
  fields: readonly string[],
  entry: LedgerEntry | undefined,
  onSite: SiteEvent,
): { readonly wrote?: Readonly<Record<string, Json>> } {
  const wrote = fields.flatMap((name): [string, Json][] => {
    // Names of fields are the keys of actions' values.
    const field = name as FieldName;
    const state = entry?.fields[field];
    const shown = onSite.values[field] ?? null;
    if (entry === undefined || field === 'image' || isLinked(field) || isPersons(field, state, onSite)) return [];
    // Where nobody heard what the site made of it, it may look like what the feed said.
    const said = state?.feed ?? (field === 'title' ? entry.title : undefined);
    const sent =
      state?.sent !== undefined && sameJson(state.returned ?? null, shown)
        ? state.sent
        : looksSame(field, said, shown)
          ? (said ?? shown)
          : shown;
    return sameJson(sent, shown) ? [] : [[field, sent]];
  });
  return wrote.length === 0 ? {} : { wrote: Object.fromEntries(wrote) };
}
