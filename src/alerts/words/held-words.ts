import { lowerFirst } from '../../run/watch/state-in-words.ts';
import { countInWords } from '../../count-in-words.ts';
import type { HoldReason } from '../../sync/model/plan.ts';
import { reviewTitle, whatVisitorsNotice, whyHeld, type Reader } from '../../sync/review/review-in-words.ts';
import type { Review } from '../../sync/review/review.ts';
import { plainText } from '../../sync/review/emphasized-text.ts';

/** A held plan, in the words of its review. */
export interface HeldInWords {
  /** Follows the source's name and a colon. */
  readonly subject: string;
  readonly why: string;
  /** What visitors would notice if it were approved. */
  readonly visitors: string;
}

export function heldInWords(review: Review, reader: Reader): HeldInWords {
  const [reason] = review.reasons;
  return {
    subject: reason === undefined ? 'a plan waits for a decision' : subjectOf(reason, review, reader),
    why: plainText(whyHeld(review, reader)),
    visitors: whatVisitorsNotice(review, reader).map(plainText).join(' '),
  };
}

function subjectOf(reason: HoldReason, review: Review, reader: Reader): string {
  const { kind, count, all } = reason;
  if (reader.undoes) return lowerFirst(reviewTitle(review, reader));
  if (kind === 'removals') return `${count} of ${countInWords(all, 'coming event')} would be removed`;
  if (kind === 'hidden') return `${count} of ${countInWords(all, 'coming event')} would no longer be public`;
  if (kind === 'emptied') return `all ${countInWords(count, 'coming event')} would be removed`;
  if (kind === 'flood' || kind === 'first-run') return `${countInWords(count, 'event')} would be new`;
  return lowerFirst(reviewTitle(review, reader).replace(`The feed of ${reader.source}`, 'the feed'));
}
