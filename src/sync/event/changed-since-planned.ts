import { siteForm } from '../links/link.ts';
import { mayHaveBecome } from '../compare/looks-same.ts';
import type { Refs, RemoveEvent, SiteEvent, UpdateEvent } from '../model/plan.ts';
import { shownWhenPlanned } from '../model/values-before.ts';
import { FIELD_NAMES, type FieldName } from '../model/fields.ts';
import { sameJson } from '../model/json.ts';

/** An action on an event that is on the site. */
export type Change = UpdateEvent | RemoveEvent;

/** How the fields that an action writes differ from what the plan saw, as the site shows them just before the write. */
export interface ChangesSincePlanned {
  /** Edited since planning: the site shows neither what the plan saw nor what it will write. */
  readonly changed: readonly string[];
  /**
   * Already as the action will write them, although the plan saw something else: the site's list was out of date, or a
   * person made the same change.
   */
  readonly already: readonly string[];
}

/**
 * Compares the values that an action replaces, and the unchanged ones that it sends along, with what the site shows
 * now.
 */
export function changedSincePlanned(action: Change, onSite: SiteEvent, refs: Refs): ChangesSincePlanned {
  const idOf = (ref: string): number | undefined => refs[ref];
  const before = shownWhenPlanned(action);
  const differing = FIELD_NAMES.filter((field) => {
    const now = onSite.values[field];
    if (before[field] === undefined || action.fields[field] === undefined || now === undefined) return false;
    return !sameJson(siteForm(field, before[field], idOf) ?? null, now);
  });
  const isWanted = (field: FieldName): boolean =>
    mayHaveBecome(field, siteForm(field, action.fields[field], idOf), onSite.values[field]);
  return { changed: differing.filter((field) => !isWanted(field)), already: differing.filter(isWanted) };
}
