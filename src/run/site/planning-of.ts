import type { FeedReading } from '../../sync/model/draft.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import type { Known } from '../../sync/plan/plan-changes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadVenueClaims } from '../state/ledger.ts';
import { loadOtherKeys } from './load-whole.ts';
import { withoutOwnEvents } from './own-events.ts';

/**
 * All that a plan takes into account apart from the site's events, the same for a sync, a person's decision and
 * `explain`. Events that the feed has from our own exports are left out of the reading.
 */
export async function planningOf(
  context: Pick<RunContext, 'database'>,
  setup: SourceSetup,
  { reading: whole, policy, rung }: Pick<Known, 'reading' | 'policy' | 'rung'>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<Known> {
  const reading = await withoutOwnEvents(context, setup, whole);
  return {
    reading,
    policy,
    rung: rung ?? 'uid',
    ledger,
    claims: hasCities(reading) ? await loadVenueClaims(context.database.query(), setup.site.key) : [],
    others: await loadOtherKeys(context, setup, policy),
  };
}

const hasCities = ({ drafts }: FeedReading): boolean =>
  drafts.some(({ fields: { venue } }) => venue?.some(({ city }) => city !== undefined));
