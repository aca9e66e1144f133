import { AppError } from '../../error.ts';
import { failureAnswer } from '../serve/plain-answer.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Missing } from '../definition/resolve-filters.ts';

/** Why a page has no feed to show, in the page's language. */
export interface Failure {
  readonly failure: string;
  readonly status: number;
}

/**
 * Why a feed could not be made, for its page, with the status that the feed itself would have. Rethrows anything but an
 * AppError.
 */
export function pageFailure(error: unknown, words: PageWords): Failure {
  const { status } = failureAnswer(error);
  return { failure: error instanceof AppError ? inWords(error, words) : words.siteFails, status };
}

function inWords({ code, cause }: AppError, words: PageWords): string {
  // The cause of `feed-unknown` has what is missing, that of `feed-refused` the site's answer.
  if (code === 'feed-unknown')
    return (cause as { readonly missing: readonly Missing[] }).missing
      .map(({ filter, ref }) => words.missing[filter](ref))
      .join(' ');
  if (code === 'feed-refused') return words.refused((cause as Error).message);
  return code === 'feeds-busy' ? words.busy : words.siteFails;
}
