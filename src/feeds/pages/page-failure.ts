import { AppError } from '../../error.ts';
import { failureAnswer } from '../serve/plain-answer.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Missing } from '../definition/resolve-filters.ts';

/** Why a page has no feed to show, in its words. */
export interface Failure {
  readonly failure: string;
  readonly status: number;
}

/** The failure to make a feed as its page tells it, with the status that its file has. Throws what is no AppError. */
export function pageFailure(error: unknown, words: PageWords): Failure {
  const { status } = failureAnswer(error);
  return { failure: error instanceof AppError ? inWords(error, words) : words.siteFails, status };
}

function inWords({ code, cause }: AppError, words: PageWords): string {
  // `feed-unknown` brings what is missing, `feed-refused` the answer of the site.
  if (code === 'feed-unknown')
    return (cause as { readonly missing: readonly Missing[] }).missing
      .map(({ filter, ref }) => words.missing[filter](ref))
      .join(' ');
  if (code === 'feed-refused') return words.refused((cause as Error).message);
  return code === 'feeds-busy' ? words.busy : words.siteFails;
}
