import { createHash } from 'node:crypto';
import type { FieldState, Json } from '../model/plan.ts';

/** So many former values of a field are remembered. */
const EARLIER_MAX = 10;

/** Whether a value is one that the site had made of an earlier write of ours. */
export const showsEarlierWrite = ({ earlier }: Pick<FieldState, 'earlier'>, value: Json): boolean =>
  earlier?.includes(digestOf(value)) === true;

/** What is kept of a field's value when another one takes its place. `at`: when the site was modified by that. */
export function replaced(
  { returned, earlier = [], at: before }: FieldState,
  at: string | undefined,
): Pick<FieldState, 'earlier' | 'at'> {
  const known = returned === undefined ? earlier : [...new Set([digestOf(returned), ...earlier])].slice(0, EARLIER_MAX);
  // A list that was made before our last write shows an older time: what that wrote may still come to light.
  const when = at !== undefined && before !== undefined && at < before ? before : (at ?? before);
  return { ...(known.length === 0 ? {} : { earlier: known }), ...(when === undefined ? {} : { at: when }) };
}

const digestOf = (value: Json): string =>
  createHash('sha256').update(JSON.stringify(value), 'utf8').digest('base64url').slice(0, 12);
