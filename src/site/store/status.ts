import type { Status } from '../../contract/post-args.ts';

/** The statuses of unpublished posts. */
export const UNPUBLISHED: ReadonlySet<Status> = new Set(['draft', 'pending', 'auto-draft']);
const PUBLIC_ONCE: ReadonlySet<Status> = new Set(['publish', 'future']);

/** Whether a post with this status is unpublished: it may lack a slug, and its publication date is not fixed. */
export const isUnpublished = (status: Status): boolean => UNPUBLISHED.has(status);

/** Whether a post with this status has not been public, and may be one day. */
export const isToBePublished = (status: Status): boolean => isUnpublished(status) || status === 'future';

/** What determines a post's next status. */
export interface StatusAsked {
  /** The status in the request. */
  readonly status: Status | undefined;
  /** The current status; undefined for a new post. */
  readonly former: Status | undefined;
  readonly mayPublish: boolean;
  /** The new publication date, and now; epoch milliseconds. */
  readonly publishedAt: number;
  readonly now: number;
}

/**
 * Returns a post's next status. A publication date in the future makes it `future`, one in the past `publish`; callers
 * who may not publish get `pending` instead of either. 'forbidden' if they have no right to the status.
 */
export function nextStatus({ status, former, mayPublish, publishedAt, now }: StatusAsked): Status | 'forbidden' {
  const wanted = status ?? former ?? (mayPublish ? 'publish' : 'draft');
  if (!mayPublish && wanted !== former) {
    if (PUBLIC_ONCE.has(wanted)) return 'pending';
    // Callers who may edit a post may also trash it; nothing is created in the trash.
    if (!isUnpublished(wanted) && !(wanted === 'trash' && former !== undefined)) return 'forbidden';
  }
  if (!PUBLIC_ONCE.has(wanted)) return wanted;
  return publishedAt > now ? 'future' : 'publish';
}

const TRASHED = '__trashed';

/** The slug of a post in the trash. */
export const trashedSlug = (slug: string): string => (slug === '' ? '' : `${slug}${TRASHED}`);

/** The former slug of a trashed post. */
export const restoredSlug = (slug: string): string => slug.replace(/__trashed(?:-\d+)?$/, '');
