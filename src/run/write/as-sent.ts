import type { Write, WriteAnswer } from '../../client/site-client.ts';
import type { Difference } from '../../sync/model/plan.ts';
import { keyOfSlug, withoutTrashed } from '../../sync/model/slug.ts';

/**
 * What a site made otherwise than it was told: a status that is not the one sent, a slug that is not that of the event.
 * Undefined where
 * the answer is as sent, or is no event. Sites tell of no refusal here: somebody who may edit but not publish gets
 * `pending`, and no slug.
 */
export function differenceIn(write: Write, answer: WriteAnswer): Difference | undefined {
  if (!write.path.startsWith('/events') || answer.kind !== 'answered' || answer.status >= 300) return undefined;
  const { status, slug } = (answer.body ?? {}) as { readonly status?: unknown; readonly slug?: unknown };
  const other = otherStatus(write, status);
  const hasOtherSlug = isOtherSlug(write, slug);
  if (other === undefined && !hasOtherSlug) return undefined;
  return { ...(other === undefined ? {} : { status: other }), ...(hasOtherSlug ? { slug: true } : {}) };
}

/** The status that was sent, where the event has another one. */
function otherStatus({ method, body = {} }: Write, status: unknown): string | undefined {
  const sent = method === 'DELETE' ? 'trash' : body['status'];
  return typeof sent === 'string' && typeof status === 'string' && timeless(sent) !== timeless(status)
    ? sent
    : undefined;
}

// The trash gives its own names.
const isOtherSlug = ({ method, path, body = {} }: Write, slug: unknown): boolean =>
  method !== 'DELETE' && typeof slug === 'string' && !isKept(slug, slugSent(path, body['slug']));

// Whether an event is published now or later is for its date to say.
const timeless = (status: string): string => (status === 'future' ? 'publish' : status);

const slugSent = (path: string, sent: unknown): string | undefined =>
  typeof sent === 'string' ? sent : /\/by-slug\/([^/?]+)/.exec(path)?.[1];

/** Sites append a number where a slug is taken; a number is no other slug. Where none was named, there must be one. */
function isKept(slug: string, sent: string | undefined): boolean {
  if (sent === undefined) return slug !== '';
  const key = keyOfSlug(sent);
  return (
    withoutTrashed(slug).replace(/-\d{1,4}$/, '') === withoutTrashed(sent).replace(/-\d{1,4}$/, '') ||
    (key !== null && keyOfSlug(slug) === key)
  );
}
