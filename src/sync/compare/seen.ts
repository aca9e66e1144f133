import { createHash } from 'node:crypto';
import type { FieldName, FieldState, Json, SiteEvent } from '../model/plan.ts';
import { isAsReturned } from './looks-same.ts';

/**
 * What the site shows of a field, beside what it made of our writes:
 * - hidden: nothing, as of an event that is protected by a password; that says nothing about the field
 * - unseen: a value, of a field of which we never saw what the site made
 * - as-returned: what it made of our last write
 * - earlier: what it made of a write before that, though nobody has modified the event since: the site was restored
 * - other: something else, which is somebody's work
 */
export type Seen = 'hidden' | 'unseen' | 'as-returned' | 'earlier' | 'other';

/** What is known of our writes of a field. */
type Written = Pick<FieldState, 'returned' | 'at' | 'earlier'>;

/** A field of an event on the site against what we know of our writes of it. */
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

/** Whether nobody has modified an event since our last write of a field. Both times are the site's own: one clock. */
export const isUnmodified = (
  state: Pick<Written, 'at'> | undefined,
  { modified }: Pick<SiteEvent, 'modified'>,
): boolean => modified !== undefined && state?.at !== undefined && modified <= state.at;

/**
 * Whether a field shows a person's work. What a person wrote stays theirs until feed and site agree; what a restored
 * site
 * shows again is not theirs.
 */
export function isPersons(field: FieldName, state: FieldState | undefined, onSite: SiteEvent): boolean {
  const seen = seenAs(field, state, onSite);
  return seen === 'other' || (seen !== 'earlier' && state?.by === 'person');
}

/** Whether a field shows an earlier write of ours, as on a site that was restored. */
export const isRestored = (field: FieldName, state: FieldState | undefined, onSite: SiteEvent): boolean =>
  seenAs(field, state, onSite) === 'earlier';

/** So many former values of a field are remembered. */
const EARLIER_MAX = 10;

/** What is kept of a field's value when another one takes its place. `at`: when the site was modified by that. */
export function replaced(
  { returned, earlier = [], at: before }: Written,
  at: string | undefined,
): Pick<FieldState, 'earlier' | 'at'> {
  const known = returned === undefined ? earlier : [...new Set([digestOf(returned), ...earlier])].slice(0, EARLIER_MAX);
  // A list that was made before our last write shows an older time: what that wrote may still come to light.
  const when = at !== undefined && before !== undefined && at < before ? before : (at ?? before);
  return { ...(known.length === 0 ? {} : { earlier: known }), ...(when === undefined ? {} : { at: when }) };
}

const digestOf = (value: Json): string =>
  createHash('sha256').update(JSON.stringify(value), 'utf8').digest('base64url').slice(0, 12);
