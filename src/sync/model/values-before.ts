import type { Action, EventAction, SentFields } from './plan.ts';

/** What an action on an event takes from the site, as the plan saw it there: of an update what it changes, of a removal the whole event. */
export function valuesBefore(action: Action): SentFields {
  if (action.kind === 'remove') return action.before;
  if (action.kind === 'create') return {};
  return Object.fromEntries(Object.entries(action.changes).map(([field, { from }]) => [field, from]));
}

/** All that an action tells of what the site showed when it was planned: what an update sends without a change is what the site had. */
export const shownWhenPlanned = (action: EventAction): SentFields => ({
  ...(action.kind === 'update' ? action.fields : {}),
  ...valuesBefore(action),
});

/** Whether an action takes an event out of the trash. */
export const isRevival = (action: Action): boolean =>
  action.kind === 'update' && action.changes['status']?.from === 'trash';
