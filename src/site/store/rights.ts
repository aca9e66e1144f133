import type { Status } from '../../contract/post-args.ts';
import type { Caller, HandlerContext, Role } from '../context.ts';
import { isUnpublished } from './status.ts';
import type { PostRow, Taxonomy } from './tables.ts';

const RANKS: Readonly<Record<Role, number>> = { subscriber: 0, contributor: 1, author: 2, editor: 3, administrator: 4 };
const isAtLeast = (caller: Caller | null, role: Role): boolean => caller !== null && RANKS[caller.role] >= RANKS[role];

/** What the right to edit a post depends on. */
export interface Owned {
  readonly author: number;
  readonly status: Status;
  /** The status of a trashed post before it was trashed. */
  readonly trashed_from: Status | null;
}

export const mayEditEvents = (caller: Caller | null): boolean => isAtLeast(caller, 'contributor');
export const mayPublish = (caller: Caller | null): boolean => isAtLeast(caller, 'author');
/** The right to edit other people's posts and private ones, and to post in other people's names. */
export const mayEditOthers = (caller: Caller | null): boolean => isAtLeast(caller, 'editor');
export const mayUpload = (caller: Caller | null): boolean => isAtLeast(caller, 'author');
export const mayWriteAnyHtml = (caller: Caller | null): boolean => isAtLeast(caller, 'editor');
export const mayManageTerms = (caller: Caller | null, taxonomy: Taxonomy): boolean =>
  isAtLeast(caller, taxonomy === 'categories' ? 'author' : 'editor');

/**
 * Whether the caller may edit or trash this post: their own, but a published one only with the right to publish. A
 * trashed post counts as what it was before.
 */
export function mayEdit(caller: Caller | null, { author, status, trashed_from: before }: Owned): boolean {
  if (mayEditOthers(caller)) return true;
  if (caller === null || caller.id !== author || !mayEditEvents(caller)) return false;
  return mayPublish(caller) || isUnpublished(status === 'trash' ? (before ?? 'publish') : status);
}

/** Says who may edit a post, for a caller who may not. */
export const whoMayEdit = (caller: Caller | null, { author }: Pick<Owned, 'author'>): string =>
  caller?.id === author && mayEditEvents(caller)
    ? 'It is no longer a draft: changing it requires at least the role of an author.'
    : "It is somebody else's: changing it requires at least the role of an editor.";

/** Whether the caller may see this post; everybody may see published ones. */
export const mayRead = (caller: Caller | null, post: Pick<Owned, 'author' | 'status'>): boolean =>
  post.status === 'publish' ||
  mayEditOthers(caller) ||
  (caller !== null && caller.id === post.author && mayEditEvents(caller));

/** Whether a post is still as the caller last saw it, if the request states what that was. */
export const isUnchanged = (row: PostRow, { isAsKnown }: Pick<HandlerContext, 'isAsKnown'>): boolean =>
  isAsKnown?.(row) !== false;
