import { AppError } from '../../error.ts';
import { failureAnswer } from '../serve/plain-answer.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Missing } from '../definition/resolve-filters.ts';

/** Why a page has no feed to show, in its language. */
export interface Failure {
  readonly failure: string;
  readonly status: number;
}

/** Why a feed could not be made, for its page, with the status that its file has. Throws anything but an AppError. */
export function pageFailure(error: unknown, words: PageWords): Failure {
  const { status } = failureAnswer(error);
  return { failure: error instanceof AppError ? inWords(error, words) : words.siteFails, status };
}

function inWords({ code, cause }: AppError, words: PageWords): string {
  // `feed-unknown` says what is missing, `feed-refused` what the site answered.
  if (code === 'feed-unknown')
    return (cause as { readonly missing: readonly Missing[] }).missing
      .map(({ filter, ref }) => words.missing[filter](ref))
      .join(' ');
  if (code === 'feed-refused') return words.refused((cause as Error).message);
  return code === 'feeds-busy' ? words.busy : words.siteFails;
}
