import type { Action, EventAction, SentFields } from './plan.ts';

/** The values that an action replaces, as the plan saw them on the site: for a removal, all of the event. */
export function valuesBefore(action: Action): SentFields {
  if (action.kind === 'remove') return action.before;
  if (action.kind === 'create') return {};
  return Object.fromEntries(Object.entries(action.changes).map(([field, { from }]) => [field, from]));
}

/** All that an action knows of what the site showed. What an update sends without changing it is what the site had. */
export const shownWhenPlanned = (action: EventAction): SentFields => ({
  ...(action.kind === 'update' ? action.fields : {}),
  ...valuesBefore(action),
});

/** Whether an action takes an event out of the trash. */
export const isRevival = (action: Action): boolean =>
  action.kind === 'update' && action.changes['status']?.from === 'trash';
