import type { Status } from '../../contract/post-args.ts';

const UNPUBLISHED: ReadonlySet<Status> = new Set(['draft', 'pending', 'auto-draft']);
const PUBLIC_ONCE: ReadonlySet<Status> = new Set(['publish', 'future']);

/** Whether a post in this state has not been published: it may lack a slug, and its publication date is open. */
export const isUnpublished = (status: Status): boolean => UNPUBLISHED.has(status);

/** What decides about a post's next state. */
export interface StatusAsked {
  /** What the request names. */
  readonly status: Status | undefined;
  /** What the post has; absent for a new one. */
  readonly former: Status | undefined;
  readonly mayPublish: boolean;
  /** The publication date that will hold, and now; epoch milliseconds. */
  readonly publishedAt: number;
  readonly now: number;
}

/**
 * The state that a post gets. A publication date in the future makes it `future`, one in the past `publish`. Those who
 * may not publish
 * get `pending` for these two; other states that they have no right to are 'forbidden'.
 */
export function nextStatus({ status, former, mayPublish, publishedAt, now }: StatusAsked): Status | 'forbidden' {
  const wanted = status ?? former ?? (mayPublish ? 'publish' : 'draft');
  if (!mayPublish && wanted !== former) {
    if (PUBLIC_ONCE.has(wanted)) return 'pending';
    // Whoever may change a post may trash it; nobody wants a new one in the trash.
    if (!isUnpublished(wanted) && !(wanted === 'trash' && former !== undefined)) return 'forbidden';
  }
  if (!PUBLIC_ONCE.has(wanted)) return wanted;
  return publishedAt > now ? 'future' : 'publish';
}

const TRASHED = '__trashed';

/** The slug of a post in the trash. */
export const trashedSlug = (slug: string): string => (slug === '' ? '' : `${slug}${TRASHED}`);

/** The slug that a trashed post had. */
export const restoredSlug = (slug: string): string => slug.replace(/__trashed(?:-\d+)?$/, '');
