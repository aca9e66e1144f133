import type { Right } from '../contract/endpoint.ts';
import type { Caller, Role } from './context.ts';

const RANKS: Readonly<Record<Role, number>> = { subscriber: 0, contributor: 1, author: 2, editor: 3, administrator: 4 };
const LOWEST: Readonly<Record<Right, Role | null>> = { anyone: null, 'edit-events': 'contributor', 'manage-categories': 'author', 'manage-tags': 'editor' };

/** Whether a caller may use endpoints of this right at all. */
export function mayUse(right: Right, caller: Caller | null): boolean {
  const lowest = LOWEST[right];
  return lowest === null || (caller !== null && RANKS[caller.role] >= RANKS[lowest]);
}
