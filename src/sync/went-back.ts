import { createHash } from 'node:crypto';
import type { FieldName, FieldState, Json, SiteEvent } from './plan.ts';
import { sameJson } from './same-json.ts';

/** So many former values of a field are remembered. */
const EARLIER_MAX = 10;

/**
 * Whether a field shows what the site made of an earlier write of ours, in an event that was not modified after our last write of this field:
 * then nobody has edited it since, but the site was restored to an older state. Both times are the site's own, so that no two clocks are
 * compared; and a value that was never there by our hand is a person's, whatever the times say.
 * What the last write made again of it (an undo) is as it should be.
 */
export function wentBack(field: FieldName, state: FieldState | undefined, { modified, values }: SiteEvent): boolean {
  const value = values[field];
  if (state?.returned !== undefined && value !== undefined && sameJson(state.returned, value)) return false;
  return modified !== undefined && state?.at !== undefined && modified <= state.at && value !== undefined && isEarlier(state, value);
}

/** Whether a value is one that the site had made of an earlier write of ours. */
export const isEarlier = ({ earlier }: FieldState, value: Json): boolean => earlier?.includes(digestOf(value)) === true;

/** What is kept of a field's value when another one takes its place. `at`: when the site was modified by that. */
export function replaced({ returned, earlier = [], at: before }: FieldState, at: string | undefined): Pick<FieldState, 'earlier' | 'at'> {
  const known = returned === undefined ? earlier : [...new Set([digestOf(returned), ...earlier])].slice(0, EARLIER_MAX);
  // A list that was made before our last write shows an older time: what that wrote may still come to light.
  const when = at !== undefined && before !== undefined && at < before ? before : at ?? before;
  return { ...(known.length === 0 ? {} : { earlier: known }), ...(when === undefined ? {} : { at: when }) };
}

const digestOf = (value: Json): string => createHash('sha256').update(JSON.stringify(value), 'utf8').digest('base64url').slice(0, 12);
