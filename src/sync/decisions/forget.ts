import { linksFor } from '../links/links.ts';
import { isInOurTrash } from '../event/life.ts';
import { removeEvent } from '../event/remove-event.ts';
import { idsBefore } from './ids-before.ts';
import type { LedgerChange, LedgerEntry, Plan, Policy, RemoveEvent, SiteEvent, Snapshot } from '../model/plan.ts';
import { EMPTY_PLAN } from './settle.ts';

/** Whether an event of a source may still be on the site: published, withdrawn, or marked as cancelled. */
export const mayBeLeft = (entry: LedgerEntry): boolean =>
  entry.state === 'kept' || (entry.state === 'removed' && entry.fields.status?.returned !== 'trash');

/**
 * Trashes everything that a deleted source still has on its site, including past events. Events that people have
 * removed there are marked as removed by a person.
 */
export function planForget(
  entries: readonly LedgerEntry[],
  snapshot: Snapshot,
  onSite: (slug: string) => SiteEvent | undefined,
  policy: Policy,
): Plan {
  const links = linksFor([], snapshot, policy);
  const changes: LedgerChange[] = [];
  const actions: RemoveEvent[] = [];
  for (const entry of entries) {
    if (!mayBeLeft(entry) || snapshot.unread?.has(entry.slug)) continue;
    const event = onSite(entry.slug);
    if (event === undefined || event.status === 'trash') {
      if (!isInOurTrash(entry)) changes.push({ entry: { ...entry, state: 'ignored' }, pendingFields: [] });
      continue;
    }
    const removing = { entry, onSite: event, links, because: 'its source is no more' };
    const { action, change } = removeEvent(removing, 'trash', policy.language);
    actions.push(action);
    changes.push(change);
  }
  const idOf = (ref: string): number | null => links.get(ref)?.id ?? null;
  return {
    ...EMPTY_PLAN,
    refs: Object.assign({}, ...actions.map((action) => idsBefore(action, idOf))),
    actions,
    ledger: Object.fromEntries(changes.map((change) => [change.entry.slug, change])),
  };
}
