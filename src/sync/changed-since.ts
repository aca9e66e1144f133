import { siteForm } from './approve-plan.ts';
import { mayHaveBecome } from './looks-same.ts';
import type { Action, FieldName, Json, Refs, SiteEvent } from './plan.ts';
import { sameJson } from './same-json.ts';

/** An action on an event that the site has. */
export type Change = Extract<Action, { id: number }>;

/** Fields that an action writes and that somebody has changed since it was planned: the site shows neither what the plan saw nor what is to be written. */
export function changedSince(action: Change, onSite: SiteEvent, refs: Refs): readonly string[] {
  return Object.entries(seenBefore(action)).filter(([field, before]) => {
    const now = onSite.values[field as FieldName];
    return now !== undefined && !sameJson(siteForm(field, before, refs) ?? null, now) && !mayHaveBecome(field as FieldName, siteForm(field, action.fields[field], refs), now);
  }).map(([field]) => field);
}

// An update says of each change what it replaces; a removal or a return says what it found.
const seenBefore = (action: Change): Readonly<Record<string, Json>> => (action.kind === 'update'
  ? Object.fromEntries(Object.entries(action.changes).map(([field, { from }]) => [field, from]))
  : Object.fromEntries(Object.keys(action.fields).flatMap((field) => (action.before[field] === undefined ? [] : [[field, action.before[field]]]))));
