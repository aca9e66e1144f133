import { siteForm } from '../links/link.ts';
import { mayHaveBecome } from '../compare/looks-same.ts';
import type { FieldName, Refs, RemoveEvent, SiteEvent, UpdateEvent } from '../model/plan.ts';
import { shownWhenPlanned } from '../model/values-before.ts';
import { sameJson } from '../model/json.ts';

/** An action on an event that the site has. */
export type Change = UpdateEvent | RemoveEvent;

/** How the fields that an action writes stand on the site just before it. */
export interface SincePlanned {
  /** Somebody has changed them since they were planned: the site shows neither what the plan saw nor what is to be written. */
  readonly changed: readonly string[];
  /** They show what is to be written, where the plan had seen something else: an old list had hidden it, or somebody was faster. */
  readonly already: readonly string[];
}

/** Compares what an action replaces, and what it sends besides because it belongs together, with what the site shows now. */
export function changedSincePlanned(action: Change, onSite: SiteEvent, refs: Refs): SincePlanned {
  const idOf = (ref: string): number | undefined => refs[ref];
  const differing = Object.entries(shownWhenPlanned(action))
    .filter(([field, before]) => {
      if (action.fields[field] === undefined) return false;
      const now = onSite.values[field as FieldName];
      return now !== undefined && !sameJson(siteForm(field, before, idOf) ?? null, now);
    })
    .map(([field]) => field);
  const isWanted = (field: string): boolean =>
    mayHaveBecome(field as FieldName, siteForm(field, action.fields[field], idOf), onSite.values[field as FieldName]);
  return { changed: differing.filter((field) => !isWanted(field)), already: differing.filter(isWanted) };
}
