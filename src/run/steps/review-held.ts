import type { Queryable } from '../../db/database.ts';
import { decodeText } from '../../ical/read/decode.ts';
import { removesMissing } from '../../sync/event/held-absences.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { feedDifference } from '../../sync/review/feed-difference.ts';
import { feedRows, type FeedRow } from '../../sync/review/feed-rows.ts';
import { feedBefore, reviewOf, type Review } from '../../sync/review/review.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import {
  loadBody,
  loadFeedState,
  loadFormerBody,
  loadHeldBody,
  unpackedBody,
  type StoredBody,
} from '../state/feed-state.ts';
import { readingsBefore } from '../state/readings.ts';
import type { ReadingSteps } from '../state/progress.ts';
import { loadReview } from '../state/held-plans.ts';
import type { RunRecord } from '../state/records.ts';

/** A held plan, and what it was made from. */
export interface PlanToReview {
  readonly plan: Plan;
  readonly body?: StoredBody | undefined;
  readonly steps?: ReadingSteps | undefined;
}

/** The earlier text of a feed, to compare with its current one. */
interface Before {
  readonly text: string;
  /** When it was fetched, if it is not the last good one. */
  readonly formerAt?: number;
}

/**
 * The last good body of a source, or (`isFormer`) the last from which no event was missing; undefined if it is not
 * stored.
 */
async function textBefore(
  query: Queryable,
  { site, source }: Pick<RunRecord, 'site' | 'source'>,
  isFormer: boolean,
): Promise<Before | undefined> {
  if (isFormer) {
    const former = await loadFormerBody(query, site, source);
    return former && { text: decodeText(former.bytes, former.contentType).text, formerAt: former.fetchedAt };
  }
  const bytes = await loadBody(query, site, source);
  if (!bytes) return undefined;
  const { contentType } = await loadFeedState(query, site, source);
  return { text: decodeText(bytes, contentType).text };
}

/** Two states of a feed, row by row. */
export interface BothFeeds {
  readonly rows: readonly FeedRow[] | 'too long';
  readonly formerAt: number | undefined;
}

/** The feed of a held run beside the one it was compared with; undefined if either is not stored (any more). */
export async function feedsSideBySide(
  query: Queryable,
  { site, source, run }: Pick<RunRecord, 'site' | 'source' | 'run'>,
): Promise<BothFeeds | undefined> {
  const review = await loadReview(query, run);
  const before = await textBefore(query, { site, source }, review?.formerAt !== undefined);
  const after = await loadHeldBody(query, run);
  if (!before || !after) return undefined;
  const rows = feedRows(before.text, decodeText(after.bytes, after.contentType).text);
  return { rows: rows ?? 'too long', formerAt: before.formerAt };
}

/** The review of a held plan. */
export async function reviewHeld(
  { database, now }: Pick<RunContext, 'database' | 'now'>,
  { site, name }: SourceSetup,
  run: string,
  { plan, body, steps }: PlanToReview,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<Review> {
  const query = database.query();
  const of = { site: site.key, source: name, run };
  // Events that have been missing for some time were missing from the last good body, too.
  const before = body && (await textBefore(query, of, removesMissing(plan, ledger)));
  const difference = before
    ? feedDifference(before.text, decodeText(await unpackedBody(body.packed), body.contentType).text)
    : null;
  const review = {
    ...reviewOf({ plan, ledger, now: now(), difference }),
    ...(before?.formerAt === undefined ? {} : { formerAt: before.formerAt }),
  };
  const coming = steps?.read?.coming;
  if (coming === undefined) return review;
  const readings = await readingsBefore(query, of);
  return { ...review, feed: { now: coming, before: feedBefore(readings, coming, review.gone.count) } };
}
