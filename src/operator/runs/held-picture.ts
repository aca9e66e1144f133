import type { Html } from '../../html/template.ts';
import { loadRun } from '../../run/state/records.ts';
import type { Asked } from '../frame/operator.ts';
import { patternPicture } from './pattern-picture.ts';
import { loadReviewData } from './review-data.ts';

/** As much as fits beside a sentence: what changes most. */
const ROWS_MAX = 2;

/** A held run in a small picture; nothing where there is nothing to be seen. `sentence` says the same. */
export async function heldPicture(asked: Asked, run: string, sentence: string): Promise<Html | false> {
  const record = await loadRun(asked.operator.context.database.query(), run);
  const data = record && (await loadReviewData(asked, record));
  return data ? patternPicture(data.facts, data.review.gone.pattern, data.today, sentence, ROWS_MAX) : false;
}
