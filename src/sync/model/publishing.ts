import type { Action, Json, Plan, UpdateEvent } from './plan.ts';

/**
 * Whether a plan needs the right to publish, that is, makes an event public or changes a public one. Trashing and
 * withdrawing do not need it.
 */
export const needsPublishing = ({ actions, ledger }: Pick<Plan, 'actions' | 'ledger'>): boolean =>
  actions.some((action) => isPublic(statusAfter(action, ledger)));

function statusAfter(action: Action, ledger: Plan['ledger']): Json | undefined {
  if (action.resource !== 'events' || (action.kind === 'remove' && action.how === 'trash')) return undefined;
  if (action.kind === 'create') return action.fields['status'] ?? 'publish';
  return action.fields['status'] ?? ledger[action.slug]?.entry.fields.status?.returned;
}

/** Whether a status makes a post visible to everybody, now or from its date on. */
export const isPublic = (status: Json | undefined): boolean => status === 'publish' || status === 'future';

/** Whether an update takes a public event off the pages. */
export const hides = ({ changes: { status } }: Pick<UpdateEvent, 'changes'>): boolean =>
  status !== undefined && isPublic(status.from) && !isPublic(status.to);
