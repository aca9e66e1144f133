import { hash } from 'node:crypto';
import type { FieldName } from '../model/fields.ts';
import type { FieldState, Json, SiteEvent } from '../model/plan.ts';
import { isAsReturned } from './looks-same.ts';

/**
 * How a field on the site compares with what the site returned for our writes:
 * - hidden: not shown, because a password protects the event; nothing is known about the field
 * - unseen: a value, although we never saw what the site returned for our write
 * - as-returned: what the site returned for our last write
 * - earlier: what it returned for an earlier write, without a later modification, so the site was restored
 * - other: anything else, so somebody has edited it
 */
export type Seen = 'hidden' | 'unseen' | 'as-returned' | 'earlier' | 'other';

/** What is known about our writes of a field. */
type Written = Pick<FieldState, 'returned' | 'at' | 'earlier'>;

/** Compares a field on the site with what is known about our writes of it. */
export function seenAs(
  field: FieldName,
  state: Written | undefined,
  onSite: Pick<SiteEvent, 'modified' | 'values'>,
): Seen {
  const value = onSite.values[field];
  if (value === undefined) return 'hidden';
  if (state?.returned !== undefined && isAsReturned(field, state.returned, value)) return 'as-returned';
  if (isUnmodified(state, onSite) && state?.earlier?.includes(digestOf(value))) return 'earlier';
  return state?.returned === undefined ? 'unseen' : 'other';
}

/**
 * Whether an event is unmodified since our last write of a field. Both times are from the site, so one clock gave both.
 */
export const isUnmodified = (
  state: Pick<Written, 'at'> | undefined,
  { modified }: Pick<SiteEvent, 'modified'>,
): boolean => modified !== undefined && state?.at !== undefined && modified <= state.at;

/**
 * Whether a person has edited a field. An edit remains the person's until feed and site agree; values brought back by a
 * restore are not edits. An event that is not on the site hides all its fields.
 */
export function isEditedByPerson(
  field: FieldName,
  state: FieldState | undefined,
  onSite: SiteEvent | undefined,
): boolean {
  const seen = onSite ? seenAs(field, state, onSite) : 'hidden';
  return seen === 'other' || (seen !== 'earlier' && wasEditedByPerson(state));
}

/** Whether a field was a person's at the last look; used where the site's value says nothing about that. */
export const wasEditedByPerson = (state: FieldState | undefined): boolean => state?.by === 'person';

/** A person's value of a field that the trash hides, if a run has seen one; undefined if no person set it. */
export const personsChoice = (state: FieldState | undefined): Json | undefined =>
  wasEditedByPerson(state) ? (state?.shown ?? state?.returned) : undefined;

/**
 * A field's value on the site, as far as it is known: the one shown or, while a password hides it, the one returned for
 * our last write unless a person has edited it. Undefined if unknown.
 */
export function lastKnown(field: FieldName, state: FieldState | undefined, onSite: SiteEvent): Json | undefined {
  const shown = onSite.values[field];
  if (shown !== undefined) return shown;
  return isEditedByPerson(field, state, onSite) ? undefined : (state?.returned ?? undefined);
}

/** Whether a field shows an earlier write of ours, as on a restored site. */
export const isRestored = (field: FieldName, state: FieldState | undefined, onSite: SiteEvent): boolean =>
  seenAs(field, state, onSite) === 'earlier';

/** The most earlier values of a field that are remembered. */
const EARLIER_MAX = 10;

/** What to keep of a field's value when another replaces it. `at` is the site's modification time for that write. */
export function replaced(
  { returned, earlier = [], at: before }: Written,
  at: string | undefined,
): Pick<FieldState, 'earlier' | 'at'> {
  const known = returned === undefined ? earlier : [...new Set([digestOf(returned), ...earlier])].slice(0, EARLIER_MAX);
  // A list fetched before our last write has an older time, and the value of that write may show up again.
  const when = at !== undefined && before !== undefined && at < before ? before : (at ?? before);
  return { ...(known.length === 0 ? {} : { earlier: known }), ...(when === undefined ? {} : { at: when }) };
}

const digestOf = (value: Json): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 12);
