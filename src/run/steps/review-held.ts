import type { Queryable } from '../../db/database.ts';
import { decodeText } from '../../ical/read/decode.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { feedDifference, type FeedDifference } from '../../sync/review/feed-difference.ts';
import { feedRows, type FeedRow } from '../../sync/review/feed-rows.ts';
import { feedBefore, reviewOf, type Review } from '../../sync/review/review.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadBody, loadFeedState, loadHeldBody, type StoredBody } from '../state/feed-state.ts';
import { readingsBefore } from '../state/readings.ts';
import type { ReadingSteps } from '../state/progress.ts';
import type { RunRecord } from '../state/records.ts';

/** A plan that is held, and what it was made from. */
export interface Held {
  readonly plan: Plan;
  readonly body?: StoredBody | undefined;
  readonly steps?: ReadingSteps | undefined;
}

/** What differs between the last good body of a source and the one that a plan was made from; null if that is unknown. */
export async function differenceOfFeed(
  query: Queryable,
  { site, name }: SourceSetup,
  body: StoredBody | undefined,
): Promise<FeedDifference | null> {
  if (!body) return null;
  const before = await loadBody(query, site.key, name);
  if (!before) return null;
  const { contentType } = await loadFeedState(query, site.key, name);
  return feedDifference(decodeText(before, contentType).text, decodeText(body.bytes, body.contentType).text);
}

/**
 * The feed of a held run beside the last good one, line by line; `'too long'` to be compared, undefined where one of
 * them is not kept (any more).
 */
export async function feedsSideBySide(
  query: Queryable,
  { site, source, run }: Pick<RunRecord, 'site' | 'source' | 'run'>,
): Promise<readonly FeedRow[] | 'too long' | undefined> {
  const [before, after] = [await loadBody(query, site, source), await loadHeldBody(query, run)];
  if (!before || !after) return undefined;
  const { contentType } = await loadFeedState(query, site, source);
  const texts = [decodeText(before, contentType).text, decodeText(after.bytes, after.contentType).text] as const;
  return feedRows(...texts) ?? 'too long';
}

/** What a person has to know of a plan that is held. */
export async function reviewHeld(
  { database, now }: Pick<RunContext, 'database' | 'now'>,
  { site, name }: SourceSetup,
  run: string,
  { plan, steps }: Held,
  ledger: ReadonlyMap<string, LedgerEntry>,
  difference: FeedDifference | null,
): Promise<Review> {
  const review = reviewOf({ plan, ledger, now: now(), difference });
  const coming = steps?.read?.coming;
  if (coming === undefined) return review;
  const readings = await readingsBefore(database.query(), { site: site.key, source: name, run });
  return { ...review, feed: { now: coming, before: feedBefore(readings, coming, review.gone.count) } };
}
