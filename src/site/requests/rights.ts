import type { Right } from '../../contract/endpoint.ts';
import type { Caller } from '../context.ts';
import { mayEditEvents, mayManageTerms } from '../store/rights.ts';

/** Who has a right, as told to callers who do not. */
export const WHO_MAY: Readonly<Record<Right, string>> = {
  anyone: 'Everybody may.',
  'edit-events': 'It requires at least the role of a contributor.',
  'manage-categories': 'It requires at least the role of an author.',
  'manage-tags': 'It requires at least the role of an editor.',
};

/** Whether a caller may use endpoints with this right at all; the right to a single post is checked later. */
export function mayUse(right: Right, caller: Caller | null): boolean {
  switch (right) {
    case 'anyone':
      return true;
    case 'edit-events':
      return mayEditEvents(caller);
    case 'manage-categories':
      return mayManageTerms(caller, 'categories');
    case 'manage-tags':
      return mayManageTerms(caller, 'tags');
  }
}
