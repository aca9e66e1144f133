import { IN_FEED } from '../events/why-not-newer.ts';
import type { Where } from '../../problem.ts';
import { feedValuesOf } from '../../sync/compare/wanted.ts';
import type { SettledEvents } from '../../sync/formats/format.ts';
import { absencesIn } from '../../sync/event/absence.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { identify, type Known } from '../../sync/plan/plan-changes.ts';
import { partOfLedger, settledFor, settledOf, type SettledSource } from '../site/part-of-source.ts';
import { planningOf } from '../site/planning-of.ts';
import { settingsWithoutZone, type RunContext, type SourceSetup } from '../state/context.ts';
import { loadFeedState } from '../state/feed-state.ts';
import { loadLedger } from '../state/ledger.ts';
import { readAgain, type SiteAsRead } from './read-again.ts';

/** Whether an event is in the last good feed. */
export interface InFeed {
  readonly where: Where | null;
  /** In words: in the feed, or why not. */
  readonly presence: string;
  /** What the source's rules did to it, in words. */
  readonly touchedBy: readonly string[];
  /** What the feed says of it, as the ledger would keep it; absent if the feed was not read for that. */
  readonly says?: ReturnType<typeof feedValuesOf>;
}

/**
 * Reads the last good feed for one event, as a run would: without the settled events, if that is enough. Asks the site
 * for its settings unless `site` is given. Throws AppError where the feed cannot be read.
 */
export async function placeByReading(
  context: RunContext,
  setup: SourceSetup,
  entry: LedgerEntry,
  site?: SiteAsRead,
): Promise<InFeed> {
  const planning = await planningFor(context, setup, entry, site);
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

/** What a plan would know of an event, and of what is not settled beside it. */
async function planningFor(
  context: RunContext,
  setup: SourceSetup,
  entry: LedgerEntry,
  site: SiteAsRead | undefined,
): Promise<Known> {
  const query = context.database.query();
  const settled = await settledBeside(context, setup, entry);
  const again = await readAgain(context, setup, 'last', site, settled?.forReader);
  // The names that settled events give do not decide which event is which.
  const part =
    settled && again.unsettled && (await partOfLedger(query, settled.source, again.unsettled, [], context.now()));
  if (part) return planningOf(context, setup, { ...again, besides: part.besides }, part.stored);
  const whole = again.unsettled ? await readAgain(context, setup, 'last', site) : again;
  return planningOf(context, setup, whole, await loadLedger(query, setup.site.key, setup.name));
}

/** The settled events of a source without one. */
async function settledBeside(
  { database, now }: RunContext,
  setup: SourceSetup,
  { uid }: LedgerEntry,
): Promise<{ readonly source: SettledSource; readonly forReader: SettledEvents } | undefined> {
  const query = database.query();
  const { frame, rung } = await loadFeedState(query, setup.site.key, setup.name);
  if (frame === null || rung !== 'uid') return undefined;
  const settled = await settledOf(query, setup, settingsWithoutZone(now(), setup));
  if (!settled || uid === null) return undefined;
  const byUid = new Map(settled.byUid);
  byUid.delete(uid);
  const source = { ...settled, byUid, others: [...settled.others, uid] };
  return { source, forReader: settledFor(source, frame) };
}
