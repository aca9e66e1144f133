import type { Problem } from '../../problem.ts';
import { isLinked } from '../model/fields.ts';
import type { EventAction } from '../model/plan.ts';
import { withoutNames } from '../model/json.ts';
import { valuesBefore } from '../model/values-before.ts';

/** Fields whose earlier values cannot be restored, as the site has lost or renamed what they linked to. */
export const lostFields = (action: EventAction, movedRefs: ReadonlySet<string>): readonly string[] =>
  Object.entries(valuesBefore(action))
    .filter(
      ([field, value]) => isLinked(field) && Array.isArray(value) && value.some((ref) => movedRefs.has(String(ref))),
    )
    .map(([field]) => field);

/** An action without its lost fields, which an undo cannot restore. A create has no earlier values to lose. */
export function withoutLost(action: EventAction, lost: readonly string[]): EventAction {
  if (lost.length === 0 || action.kind === 'create') return action;
  if (action.kind === 'update') return { ...action, changes: withoutNames(action.changes, lost) };
  return { ...action, fields: withoutNames(action.fields, lost), before: withoutNames(action.before, lost) };
}

/** Reports the links that an event cannot get back. */
export const lostLinks = ({ title, slug }: EventAction, fields: readonly string[]): Problem => ({
  code: 'links-lost',
  where: { slug },
  message:
    `"${title}" comes back without its former ${fields.join(', ')}: ` +
    'the site does not have that any more, or has it under another name. ' +
    'Choose it yourself.',
});
