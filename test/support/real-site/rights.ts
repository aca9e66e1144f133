import type { Post, TermPost } from './store.ts';

/** The role of the credentials' user; `nobody` is a request without credentials. */
export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber' | 'nobody';

const RANKS: Readonly<Record<Role, number>> = {
  nobody: 0,
  subscriber: 1,
  contributor: 2,
  author: 3,
  editor: 4,
  administrator: 5,
};
const isAtLeast = (role: Role, least: Role): boolean => RANKS[role] >= RANKS[least];

export const mayEditEvents = (role: Role): boolean => isAtLeast(role, 'contributor');
export const mayPublish = (role: Role): boolean => isAtLeast(role, 'author');
export const mayUpload = (role: Role): boolean => isAtLeast(role, 'author');
export const mayEditOthers = (role: Role): boolean => isAtLeast(role, 'editor');

/** Releases before 6.15.19 only require the right to edit events. */
export const mayManageTerms = (role: Role, type: TermPost['type'], isOld: boolean): boolean =>
  isAtLeast(role, isOld ? 'contributor' : type === 'categories' ? 'author' : 'editor');

/** The credentials' user. It stays the author of its posts when its role changes. */
export const USER = '1';

const UNPUBLISHED: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft']);
export const isUnpublished = (status: string): boolean => UNPUBLISHED.has(status);

/**
 * Whether a user may change or trash a post. Since 6.15.16.1, routes by id require the right to edit this very post. By
 * slug, and in earlier releases, the right to edit events is enough, so a contributor can take published events off the
 * site.
 */
export function mayChange(
  role: Role,
  post: Post,
  { isOld, bySlug }: { readonly isOld: boolean; readonly bySlug: boolean },
): boolean {
  if (isOld || bySlug) return mayEditEvents(role);
  return (
    mayEditOthers(role) ||
    (post.author === USER && mayEditEvents(role) && (mayPublish(role) || isUnpublished(post.status)))
  );
}

/** Whether a user may see a post that is not public. */
export const mayRead = (role: Role, post: Post): boolean =>
  mayEditOthers(role) || (post.author === USER && mayEditEvents(role));

/** The status that a write results in: without the right to publish, a public post waits for review instead. */
export function scaledStatus(role: Role, asked: string | undefined): string {
  if (mayPublish(role)) return asked ?? 'publish';
  return asked === 'publish' || asked === 'future' ? 'pending' : (asked ?? 'draft');
}

/**
 * WordPress stores no slug for posts that somebody without the right to publish leaves as `pending` (wp_insert_post).
 */
export const keepsSlug = (role: Role, status: string): boolean => mayPublish(role) || status !== 'pending';

/** What `users/me` reports about the role, as far as events are concerned (names of WordPress's capabilities). */
export const capabilitiesOf = (role: Role): Readonly<Record<string, boolean>> => ({
  read: true,
  ...(mayEditEvents(role) ? { edit_tribe_events: true, delete_tribe_events: true } : {}),
  ...(mayPublish(role) ? { publish_tribe_events: true, edit_published_tribe_events: true, upload_files: true } : {}),
  ...(mayEditOthers(role) ? { edit_others_tribe_events: true, manage_categories: true } : {}),
});

const NO_METHODS: readonly string[] = [];
/** The `Allow` header of a route: what this user may do there. */
export const allowed = (mayCreate: boolean, mayChangeIt = mayCreate, isItem = false): string =>
  (isItem
    ? ['GET', ...(mayChangeIt ? ['DELETE', 'POST', 'PUT', 'PATCH'] : NO_METHODS)]
    : ['GET', ...(mayCreate ? ['POST'] : NO_METHODS)]
  ).join(', ');
