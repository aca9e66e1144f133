import type { Html } from '../../html/template.ts';
import { loadReview } from '../../run/state/held-plans.ts';
import { loadRun } from '../../run/state/records.ts';
import type { Asked } from '../frame/operator.ts';
import { patternPicture } from './pattern-picture.ts';
import { loadReviewData } from './review-data.ts';

/** As many rows as fit beside a sentence; those with the most changes. */
const ROWS_MAX = 2;

/** Of more events it would draw a part only, and loading their plan would take longer than the rest of the page. */
const EVENTS_MAX = 2_000;

/**
 * A small picture of a held run; false if there is nothing to show, or too much. `sentence` describes it in words.
 */
export async function heldPicture(asked: Asked, run: string, sentence: string): Promise<Html | false> {
  const query = asked.operator.context.database.query();
  const review = await loadReview(query, run);
  if (review && Math.max(review.coming, ...Object.values(review.counts)) > EVENTS_MAX) return false;
  const record = await loadRun(query, run);
  const data = record && (await loadReviewData(asked, record));
  return data ? patternPicture(data.facts, data.review.gone.pattern, data.today, sentence, ROWS_MAX) : false;
}
