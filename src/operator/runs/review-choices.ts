import { GROUPS, type GroupCounts } from '../../sync/review/review.ts';
import { reasonIn } from '../frame/actor.ts';
import type { Sent } from '../frame/operator.ts';
import { countsExcept, type ListedAction } from './review-data.ts';
import { filterIn, type ReviewFilter } from './review-filter.ts';
import { ROWS_MAX } from './review-list.ts';

/** The choices made on a review. */
export interface ReviewChoices {
  /** Slugs of events that are to stay as they are. */
  readonly except: ReadonlySet<string>;
  readonly page: number;
  readonly filter: ReviewFilter;
  readonly reason: string;
  /** Whether the numbers that the person has seen match the choice. */
  readonly isCounted: boolean;
}

/** The counts of a choice as text for a form. */
export const countsText = (counts: GroupCounts): string => GROUPS.map((group) => counts[group]).join(',');

/** Limits a page number to the pages that the list has. */
export function pageIn(page: number, listed: readonly ListedAction[]): number {
  const last = Math.max(0, Math.ceil(listed.length / ROWS_MAX) - 1);
  return Number.isInteger(page) ? Math.min(Math.max(0, page), last) : 0;
}

/**
 * Reads a choice. Events shown in the form (`shown`) are excluded if not ticked; all others, if they were excluded
 * before.
 */
export function reviewChoicesIn(sent: Sent, listed: readonly ListedAction[]): ReviewChoices {
  const page = Number(/^\d{1,6}$/.exec(sent.field('page'))?.[0] ?? 0);
  const known = new Set(listed.map(({ action }) => action.slug));
  const before = sent.all('except').filter((slug) => known.has(slug));
  const ticked = new Set(GROUPS.flatMap((group) => sent.all(group)));
  const shown = sent
    .field('shown')
    .split(' ')
    .filter((slug) => known.has(slug));
  const except = new Set([
    ...before.filter((slug) => !shown.includes(slug)),
    ...shown.filter((slug) => !ticked.has(slug)),
  ]);
  const isCounted = sent.field('counts') === countsText(countsExcept(listed, except));
  return {
    except,
    page,
    filter: filterIn(sent.field),
    reason: reasonIn(sent),
    isCounted,
  };
}
