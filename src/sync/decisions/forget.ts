import { linksFor } from '../links/links.ts';
import { removeEvent } from '../event/remove-event.ts';
import type { LedgerEntry, Plan, Policy, SiteEvent, Snapshot } from '../model/plan.ts';
import { EMPTY_PLAN } from './settle.ts';

/** Trashes everything that a deleted source still has on its site, including past events. */
export function planForget(
  kept: readonly LedgerEntry[],
  snapshot: Snapshot,
  onSite: (slug: string) => SiteEvent | undefined,
  policy: Policy,
): Plan {
  const links = linksFor([], snapshot, policy);
  const removals = kept.flatMap((entry) => {
    const event = onSite(entry.slug);
    return event === undefined || event.status === 'trash'
      ? []
      : [removeEvent({ entry, onSite: event, links, because: 'its source is no more' }, 'trash', policy.language)];
  });
  const refs = removals
    .flatMap(({ action }) => Object.values(action.before))
    .flatMap((value) => (Array.isArray(value) ? value.map(String) : []))
    .flatMap((ref): readonly (readonly [string, number])[] => {
      const id = links.get(ref)?.id;
      return typeof id === 'number' ? [[ref, id]] : [];
    });
  return {
    ...EMPTY_PLAN,
    refs: Object.fromEntries(refs),
    actions: removals.map(({ action }) => action),
    ledger: Object.fromEntries(removals.map(({ change }) => [change.entry.slug, change])),
  };
}
