import type { SettledEvents } from '../../sync/formats/format.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import type { PlanInputWithoutSite } from '../../sync/plan/plan-changes.ts';
import { partOfLedger, settledEventsOf, loadSettledSource, type SettledSource } from '../site/part-of-source.ts';
import { planningOf } from '../site/planning-of.ts';
import { settingsWithoutZone, type RunContext, type SourceSetup } from '../state/context.ts';
import { loadFeedState } from '../state/feed-state.ts';
import { loadLedger } from '../state/ledger.ts';
import { loadNaming } from '../state/settled-events.ts';
import { readAgain, type SiteAsRead } from './fresh-reading.ts';

/**
 * What a plan would know about some events of a source. Reads the source's last good feed as a run would, skipping the
 * other settled events if possible. Asks the site for its settings unless `site` is given. Throws AppError if the feed
 * cannot be read.
 */
export async function planningWith(
  context: RunContext,
  setup: SourceSetup,
  entries: readonly LedgerEntry[],
  site?: SiteAsRead,
): Promise<PlanInputWithoutSite> {
  const query = context.database.query();
  const settled = await settledBeside(context, setup, entries);
  const [again, named] = await Promise.all([
    readAgain(context, setup, 'last', site, settled?.forReader),
    settled ? loadNaming(query, settled.source.events) : [],
  ]);
  const part =
    settled && again.unsettled && (await partOfLedger(query, settled.source, again.unsettled, named, context.now()));
  if (part) return planningOf(context, setup, { ...again, remainder: part.remainder }, part.stored);
  const whole = again.unsettled ? await readAgain(context, setup, 'last', site) : again;
  return planningOf(context, setup, whole, await loadLedger(query, setup.site.key, setup.name));
}

/** The settled events of a source, except some of them. */
async function settledBeside(
  { database, now }: RunContext,
  setup: SourceSetup,
  entries: readonly LedgerEntry[],
): Promise<{ readonly source: SettledSource; readonly forReader: SettledEvents } | undefined> {
  const query = database.query();
  const { frame, rung } = await loadFeedState(query, setup.site.key, setup.name);
  const uids = entries.flatMap(({ uid }) => uid ?? []);
  if (frame === null || rung !== 'uid' || uids.length < entries.length) return undefined;
  const settled = await loadSettledSource(query, setup, settingsWithoutZone(now(), setup));
  if (!settled) return undefined;
  const byUid = new Map(settled.byUid);
  for (const uid of uids) byUid.delete(uid);
  const source = { ...settled, byUid, others: [...settled.others, ...uids] };
  return { source, forReader: settledEventsOf(source, frame) };
}
