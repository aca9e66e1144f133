import type { Right } from '../../contract/endpoint.ts';
import type { Caller } from '../context.ts';
import { mayEditEvents, mayManageTerms } from '../store/rights.ts';

/** Whether a caller may use endpoints with this right at all; the right to a single post is checked with the post. */
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
