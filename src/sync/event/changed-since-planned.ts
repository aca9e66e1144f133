import { siteForm } from '../links/link.ts';
import { mayHaveBecome } from '../compare/looks-same.ts';
import type { FieldName, Refs, RemoveEvent, SiteEvent, UpdateEvent } from '../model/plan.ts';
import { shownWhenPlanned } from '../model/values-before.ts';
import { FIELD_NAMES } from '../model/fields.ts';
import { sameJson } from '../model/json.ts';

/** An action on an event that the site has. */
export type Change = UpdateEvent | RemoveEvent;

/** How the fields that an action writes stand on the site just before it. */
export interface SincePlanned {
  /**
   * Somebody has changed them since they were planned: the site shows neither what the plan saw nor what is to be
   * written.
   */
  readonly changed: readonly string[];
  /**
   * They show what is to be written, where the plan had seen something else: an old list had hidden it, or somebody was
   * faster.
   */
  readonly already: readonly string[];
}

/**
 * Compares what an action replaces, and what it sends besides because it belongs together, with what the site shows
 * now.
 */
export function changedSincePlanned(action: Change, onSite: SiteEvent, refs: Refs): SincePlanned {
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
