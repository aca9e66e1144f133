import type { Write } from '../client/site-client.ts';
import type { Action, Refs } from '../sync/plan.ts';
import { withIds } from '../sync/ref.ts';

/** The request that carries out an action; refs become ids. A ref without an id is left out: the refused creation behind it is in the report. */
export function writeOf(action: Action, refs: Refs): Write {
  if (action.kind === 'create') return { method: 'POST', path: `/${action.resource}`, body: action.resource === 'events' ? withIds(action.fields, refs).fields : { ...action.fields } };
  const path = `/events/${action.id}`;
  return action.kind === 'remove' && action.how === 'trash' ? { method: 'DELETE', path } : { method: 'POST', path, body: withIds(action.fields, refs).fields };
}
