import { countInWords } from '../count-in-words.ts';
import { adviceFor } from '../feed-codes.ts';
import { momentInWords } from '../run/watch/moments.ts';
import { reasonOf } from '../run/watch/state-in-words.ts';
import type { SourceFacts } from '../run/watch/source-state.ts';
import type { FeedReport } from '../sync/formats/publisher-report.ts';
import { theirFailures } from './source-report.ts';

/** A draft of a letter to a feed's publisher, before a person has reviewed it. */
export interface LetterDraft {
  readonly subject: string;
  readonly text: string;
}

export interface LetterAbout {
  /** The name of the calendar. */
  readonly title: string;
  /** The feed's address, in a form that may be shown. */
  readonly feed: string;
  readonly facts: SourceFacts;
  readonly report: FeedReport | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zone: string;
}

/** Drafts a letter to a publisher: why the feed cannot be read, what is wrong with it, or whether it is still right. */
export function draftLetter({ title, feed, facts, report, now, zone }: LetterAbout): LetterDraft {
  const hello = `Hello,\n\n${title} shows your events from ${feed}.`;
  const failures = theirFailures(facts);
  if (failures) {
    const since = momentInWords(failures.since, now, zone);
    const fix = adviceFor(failures.code)?.fix ?? '';
    return {
      subject: 'Your calendar can no longer be read',
      text:
        `${hello} Since ${since}, it can no longer be read: ${reasonOf(failures)}.\n\n` +
        `${fix}\n\nThe page below lists whatever else we found in it, and how to fix it.`,
    };
  }
  const points = report?.kinds.length ?? 0;
  if (points > 0)
    return {
      subject: `Your calendar: ${countInWords(points, 'point')} to look at`,
      text:
        `${hello}\n\n${points === 1 ? 'One thing in it causes' : `${points} things in it cause`} trouble for calendar programs. ` +
        'The page below says what and where, and how to fix it.',
    };
  return {
    subject: 'Is your calendar still right?',
    text: `${hello} It can be read without problems.\n\nPlease check whether it is still right. You can tell us with a button on the page below.`,
  };
}
