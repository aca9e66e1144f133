import type { Write, WriteAnswer } from '../../client/site-client.ts';
import type { Difference } from '../../sync/model/plan.ts';
import { keyOfSlug, withoutTrashed } from '../../sync/model/slug.ts';

/**
 * How an answer differs from what was sent: in its status, or in a slug that is not the event's. Undefined if it does
 * not differ, or is not about an event. Sites do not refuse such writes: to users who may edit but not publish, they
 * answer with `pending` and no slug.
 */
export function differenceIn(write: Write, answer: WriteAnswer): Difference | undefined {
  if (!write.path.startsWith('/events') || answer.kind !== 'answered' || answer.status >= 300) return undefined;
  const { status, slug } = (answer.body ?? {}) as { readonly status?: unknown; readonly slug?: unknown };
  const other = otherStatus(write, status);
  const hasOtherSlug = isOtherSlug(write, slug);
  if (other === undefined && !hasOtherSlug) return undefined;
  return { ...(other === undefined ? {} : { status: other }), ...(hasOtherSlug ? { slug: true } : {}) };
}

/** The status that was sent, if the event has another one. */
function otherStatus({ method, body = {} }: Write, status: unknown): string | undefined {
  const sent = method === 'DELETE' ? 'trash' : body['status'];
  return typeof sent === 'string' && typeof status === 'string' && timeless(sent) !== timeless(status)
    ? sent
    : undefined;
}

// In the trash, sites rename events.
const isOtherSlug = ({ method, path, body = {} }: Write, slug: unknown): boolean =>
  method !== 'DELETE' && typeof slug === 'string' && !isKept(slug, slugSent(path, body['slug']));

// Whether a published event counts as `future` depends only on its date.
const timeless = (status: string): string => (status === 'future' ? 'publish' : status);

const slugSent = (path: string, sent: unknown): string | undefined =>
  typeof sent === 'string' ? sent : /\/by-slug\/([^/?]+)/.exec(path)?.[1];

/**
 * Whether a slug is the one that was sent, perhaps with a number that the site appended because it was taken. If none
 * was sent, any slug will do.
 */
function isKept(slug: string, sent: string | undefined): boolean {
  if (sent === undefined) return slug !== '';
  const key = keyOfSlug(sent);
  return (
    withoutTrashed(slug).replace(/-\d{1,4}$/, '') === withoutTrashed(sent).replace(/-\d{1,4}$/, '') ||
    (key !== null && keyOfSlug(slug) === key)
  );
}
