import { personsChoice } from '../compare/seen.ts';
import { isCutLink } from '../event/decide-unit.ts';
import { howRemoved, pinnedEntry } from '../event/life.ts';
import { refsIn } from '../links/link.ts';
import { idsOfRefs, linksFor } from '../links/links.ts';
import { CUT_BY_TRASH } from '../model/fields.ts';
import { isBlank } from '../model/json.ts';
import type { LedgerEntry, Plan, Policy, SiteEvent, Snapshot } from '../model/plan.ts';
import { EMPTY_PLAN } from './settle.ts';
import { untrash } from './untrash.ts';

/** The reason given for events that a person restores. */
export const RESTORED = 'restored by a person';

/**
 * Restores an event that a person removed from the trash as it was. The feed plays no part, because it no longer has
 * the event, or because the event is detached.
 */
export function planRestore(entry: LedgerEntry, onSite: SiteEvent, snapshot: Snapshot, policy: Policy): Plan {
  const links = linksFor([], snapshot, policy);
  const { status } = entry.fields;
  const { action, pendingFields } = untrash({
    entry,
    onSite,
    status: String(
      (howRemoved(entry) === 'draft' ? status?.returned : personsChoice(status)) ?? status?.feed ?? 'publish',
    ),
    cut: CUT_BY_TRASH.flatMap((field) => {
      const state = entry.fields[field];
      const before = personsChoice(state) ?? state?.returned;
      return isCutLink(field, onSite) && !isBlank(before)
        ? [{ field, from: [], to: links.refsOfIds(field, before) }]
        : [];
    }),
    because: RESTORED,
  });
  return {
    ...EMPTY_PLAN,
    actions: [action],
    refs: idsOfRefs(refsIn(action), links),
    ledger: {
      [entry.slug]: {
        // An event that we withdrew because its feed lacks it stays removed until the feed has it again.
        entry: { ...(entry.state === 'removed' ? entry : pinnedEntry(entry)), id: onSite.id },
        pendingFields,
      },
    },
  };
}
