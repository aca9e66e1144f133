import type { Problem } from '../../problem.ts';
import { isLinked } from '../model/fields.ts';
import type { EventAction } from '../model/plan.ts';
import { withoutNames } from '../model/json.ts';
import { valuesBefore } from '../model/values-before.ts';

/** The fields whose former values cannot come back: they link to what the site has lost, or has under another name. */
export const lostFields = (action: EventAction, movedRefs: ReadonlySet<string>): readonly string[] =>
  Object.entries(valuesBefore(action))
    .filter(
      ([field, value]) => isLinked(field) && Array.isArray(value) && value.some((ref) => movedRefs.has(String(ref))),
    )
    .map(([field]) => field);

/** An action as if it had not been about some fields. */
export function withoutLost(action: EventAction, lost: readonly string[]): EventAction {
  if (lost.length === 0 || action.kind === 'create') return action;
  if (action.kind === 'update') return { ...action, changes: withoutNames(action.changes, lost) };
  return { ...action, fields: withoutNames(action.fields, lost), before: withoutNames(action.before, lost) };
}

/** Tells which links an event comes back without. */
export const lostLinks = ({ title, slug }: EventAction, fields: readonly string[]): Problem => ({
  code: 'links-lost',
  where: { slug },
  message: `"${title}" comes back without its former ${fields.join(', ')}: the site does not have that any more, or has it under another name. Choose it yourself.`,
});
