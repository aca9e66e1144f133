import type { EventDraft } from '../model/draft.ts';
import type { MovedPair } from './pair-moved.ts';
import { isUnlike, pairAlike } from './pairs.ts';
import type { LedgerEntry } from '../model/plan.ts';

interface Found {
  readonly draft: EventDraft;
  readonly entry: LedgerEntry | undefined;
}

/**
 * UIDs that count positions name other events as soon as one comes or leaves. Drafts that have neither the title nor the start of the entry
 * with their identity are paired with entries just like them, one to one, and so are new drafts with what such drafts give up.
 */
export function pairRenumbered(found: readonly Found[], ledger: readonly LedgerEntry[]): readonly MovedPair[] {
  const strangers = new Set(
    found.filter(({ draft, entry }) => entry && isUnlike(draft, entry)).map(({ draft }) => draft),
  );
  if (strangers.size === 0) return [];
  const own = new Set(found.flatMap(({ draft, entry }) => (entry && !strangers.has(draft) ? [entry] : [])));
  const released = new Set(found.flatMap(({ draft, entry }) => (entry && strangers.has(draft) ? [entry] : [])));
  const drafts = found.filter(({ draft, entry }) => !entry || strangers.has(draft)).map(({ draft }) => draft);
  return pairAlike(
    drafts,
    ledger.filter((entry) => !own.has(entry)),
  )
    .filter(([draft, entry]) => strangers.has(draft) || released.has(entry))
    .map(([draft, entry]) => ({ draft, entry, by: 'likeness' }));
}
