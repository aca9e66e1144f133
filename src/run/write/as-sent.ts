import type { Write, WriteAnswer } from '../../client/site-client.ts';
import type { Difference } from '../../sync/model/plan.ts';
import { keyOfSlug, withoutTrashed } from '../../sync/model/slug.ts';

/**
 * What a site made otherwise than it was told: a status that is not the one sent, a slug that is not that of the event. Undefined where
 * the answer is as sent, or is no event. Sites tell of no refusal here: somebody who may edit but not publish gets `pending`, and no slug.
 */
export function differenceIn({ method, path, body = {} }: Write, answer: WriteAnswer): Difference | undefined {
  if (!path.startsWith('/events') || answer.kind !== 'answered' || answer.status >= 300) return undefined;
  const { status, slug } = (answer.body ?? {}) as { readonly status?: unknown; readonly slug?: unknown };
  const sent = method === 'DELETE' ? 'trash' : body['status'];
  const hasOtherStatus = typeof sent === 'string' && typeof status === 'string' && timeless(sent) !== timeless(status);
  // The trash gives its own names.
  const hasOtherSlug = method !== 'DELETE' && typeof slug === 'string' && !isKept(slug, slugSent(path, body['slug']));
  if (!hasOtherStatus && !hasOtherSlug) return undefined;
  return { ...(hasOtherStatus ? { status: sent } : {}), ...(hasOtherSlug ? { slug: true } : {}) };
}

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
