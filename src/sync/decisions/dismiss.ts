import { linksFor } from '../links/links.ts';
import { fieldsWhenDismissed, trashEvent } from '../event/remove-event.ts';
import { inState } from '../event/life.ts';
import { idsBefore } from './ids-before.ts';
import type { LedgerEntry, Plan, Policy, SiteEvent, Snapshot } from '../model/plan.ts';
import { EMPTY_PLAN } from './settle.ts';

/**
 * Dismisses an event: moves it to the trash as a person would, so that it stays off whatever the feed says, until it is
 * restored. An event that is not on the site is only marked.
 */
export function planDismiss(
  entry: LedgerEntry,
  onSite: SiteEvent | undefined,
  snapshot: Snapshot,
  policy: Policy,
): Plan {
  const kept = inState({ ...entry, missing: 0 }, 'ignored');
  if (onSite === undefined || onSite.status === 'trash')
    return { ...EMPTY_PLAN, ledger: { [entry.slug]: { entry: kept, pendingFields: [] } } };
  const links = linksFor([], snapshot, policy);
  const action = trashEvent({ entry, onSite, links, because: 'a person keeps it off' });
  return {
    ...EMPTY_PLAN,
    refs: idsBefore(action, (ref) => links.get(ref)?.id ?? null),
    actions: [action],
    ledger: {
      [entry.slug]: {
        entry: { ...kept, id: onSite.id, fields: fieldsWhenDismissed(entry, onSite) },
        pendingFields: [],
      },
    },
  };
}
