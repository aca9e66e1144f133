import type { Action, EventAction, SentFields } from './plan.ts';

/** The values that an action replaces, as the plan saw them on the site; for a removal, the whole event. */
export function valuesBefore(action: Action): SentFields {
  if (action.kind === 'remove') return action.before;
  if (action.kind === 'create') return {};
  return Object.fromEntries(Object.entries(action.changes).map(([field, { from }]) => [field, from]));
}

/**
 * Everything that an action knows about what the site showed; fields that an update sends unchanged have the site's
 * value.
 */
export const shownWhenPlanned = (action: EventAction): SentFields => ({
  ...(action.kind === 'update' ? action.fields : {}),
  ...valuesBefore(action),
});

/** Whether an action restores an event from the trash. */
export const isRevival = (action: Action): boolean =>
  action.kind === 'update' && action.changes['status']?.from === 'trash';
