import type { Problem } from '../../problem.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import type { LedgerEntry, Snapshot } from '../model/plan.ts';

/** Whether the site let us look for an event: of others nothing is decided. */
export const isReadIn =
  ({ unread }: Snapshot) =>
  ({ slug }: { readonly slug: string }): boolean =>
    unread?.has(slug) !== true;

/** The events that the site did not let us look for, by name, and why. */
export function unreadProblems(
  { unread = new Map() }: Snapshot,
  identified: readonly Identified[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): readonly Problem[] {
  if (unread.size === 0) return [];
  const drafts = new Map(identified.map(({ slug, draft }) => [slug, draft]));
  return [...unread].map(([slug, why]): Problem => {
    const title = drafts.get(slug)?.fields.title ?? ledger.get(slug)?.title ?? slug;
    return {
      code: 'event-unread',
      message: `"${title}" could not be looked for on the site: it is left as it is, and the next comparison tries again. ${why}`,
      where: { ...drafts.get(slug)?.where, slug },
    };
  });
}
