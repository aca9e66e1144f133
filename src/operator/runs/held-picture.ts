import type { Html } from '../../html/template.ts';
import { loadRun } from '../../run/state/records.ts';
import type { Asked } from '../frame/operator.ts';
import { patternPicture } from './pattern-picture.ts';
import { loadReviewData } from './review-data.ts';

/** As many rows as fit beside a sentence; those with the most changes. */
const ROWS_MAX = 2;

/** A small picture of a held run; false if there is nothing to show. `sentence` describes it in words. */
export async function heldPicture(asked: Asked, run: string, sentence: string): Promise<Html | false> {
  const record = await loadRun(asked.operator.context.database.query(), run);
  const data = record && (await loadReviewData(asked, record));
  return data ? patternPicture(data.facts, data.review.gone.pattern, data.today, sentence, ROWS_MAX) : false;
}
