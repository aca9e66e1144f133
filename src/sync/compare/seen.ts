import { isAsReturned } from './looks-same.ts';
import type { FieldName, FieldState, SiteEvent } from '../model/plan.ts';
import { showsEarlierWrite } from './earlier-write.ts';

/**
 * What the site shows of a field, beside what it made of our writes:
 * - hidden: nothing, as of an event that is protected by a password; that says nothing about the field
 * - unseen: a value, of a field of which we never saw what the site made
 * - as-returned: what it made of our last write
 * - earlier: what it made of a write before that, in an event that nobody has modified since our last one: the site was restored
 * - other: something else, which is somebody's work
 */
export type Seen = 'hidden' | 'unseen' | 'as-returned' | 'earlier' | 'other';

/** What is known of our writes of a field. */
type Written = Pick<FieldState, 'returned' | 'at' | 'earlier'>;

/** A field of an event on the site against what we know of our writes of it. Times are the site's own, so that no two clocks are compared. */
export function seenAs(
  field: FieldName,
  state: Written | undefined,
  { modified, values }: Pick<SiteEvent, 'modified' | 'values'>,
): Seen {
  const value = values[field];
  if (value === undefined) return 'hidden';
  if (state?.returned !== undefined && isAsReturned(field, state.returned, value)) return 'as-returned';
  const isUnmodified = modified !== undefined && state?.at !== undefined && modified <= state.at;
  if (isUnmodified && showsEarlierWrite(state, value)) return 'earlier';
  return state?.returned === undefined ? 'unseen' : 'other';
}

/**
 * Whether what the site shows of a field is a person's. What a person wrote stays theirs until feed and site agree, but what a restored site
 * shows again is not.
 */
export function isPersons(field: FieldName, state: FieldState | undefined, onSite: SiteEvent): boolean {
  const seen = seenAs(field, state, onSite);
  return seen === 'other' || (seen !== 'earlier' && state?.by === 'person');
}

/** Whether a field shows an earlier write of ours, as on a site that was restored. */
export const isRestored = (field: FieldName, state: FieldState | undefined, onSite: SiteEvent): boolean =>
  seenAs(field, state, onSite) === 'earlier';
