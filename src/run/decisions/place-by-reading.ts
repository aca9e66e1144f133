import { IN_FEED } from '../events/why-not-newer.ts';
import type { Where } from '../../problem.ts';
import { feedValuesOf } from '../../sync/compare/wanted.ts';
import { absencesIn } from '../../sync/event/absence.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { identify } from '../../sync/plan/plan-changes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { planningWith } from './planning-with.ts';
import type { SiteAsRead } from './fresh-reading.ts';

/** Whether an event is in the last good feed, and where. */
export interface FeedPresence {
  readonly where: Where | null;
  /** In words: that it is in the feed, or why not. */
  readonly presence: string;
  /** In words, what the source's rules did to it. */
  readonly touchedBy: readonly string[];
  /** What the feed says about it, in the ledger's form; absent if the feed was not read for this. */
  readonly says?: ReturnType<typeof feedValuesOf>;
}

/**
 * Reads the last good feed to find one event, as a run would; settled events are skipped if possible. Asks the site for
 * its settings unless `site` is given. Throws AppError if the feed cannot be read.
 */
export async function placeByReading(
  context: RunContext,
  setup: SourceSetup,
  entry: LedgerEntry,
  site?: SiteAsRead,
): Promise<FeedPresence> {
  const planning = await planningWith(context, setup, [entry], site);
  const found = identify(planning).value.find(({ slug }) => slug === entry.slug);
  if (found)
    return {
      where: found.draft.where,
      presence: IN_FEED,
      touchedBy: found.draft.rules ?? [],
      says: feedValuesOf(found.draft, entry),
    };
  const absence = absencesIn(planning.reading, planning.policy)(entry);
  return {
    where: null,
    presence: absence.kind === 'excluded' ? absence.because : ABSENT[absence.kind],
    touchedBy: [],
    says: {},
  };
}

const ABSENT = {
  gone: 'not in the feed any more',
  emptied: 'not in the feed any more, which has no events at all',
  outside: 'outside of what the feed covers, or past: left alone',
  past: 'outside of what the feed covers, or past: left alone',
  unread: 'not found, but a part of the feed could not be read: nothing is concluded from that',
} as const;
