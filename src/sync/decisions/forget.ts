import { linksFor } from '../links/links.ts';
import { removeEvent } from '../event/remove-event.ts';
import { idsBefore } from './ids-before.ts';
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
  const idOf = (ref: string): number | null => links.get(ref)?.id ?? null;
  return {
    ...EMPTY_PLAN,
    refs: Object.assign({}, ...removals.map(({ action }) => idsBefore(action, idOf))),
    actions: removals.map(({ action }) => action),
    ledger: Object.fromEntries(removals.map(({ change }) => [change.entry.slug, change])),
  };
}
