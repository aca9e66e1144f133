import type { ProblemCode } from '../../codes.ts';
import { furtherCount, type Problem } from '../../problem.ts';
import { adviceFor, FEED_ADVICE, HARMS, type Advice, type Harm } from '../../feed-codes.ts';
import { plainExcerpt } from './excerpt.ts';
import type { Excerpts } from './format.ts';
import type { FormatName } from './format-kinds.ts';
import { FORMATS } from './formats.ts';

/**
 * A report for a feed's publisher: what is wrong, where, who is affected and how to fix it, with the most harmful
 * first; then what is good.
 */
export interface FeedReport {
  /** The address, without secrets. */
  readonly feed: string;
  readonly format: FormatName;
  /** The program that made the feed, if known. */
  readonly program: string | null;
  /** When the feed was read, in ISO 8601. */
  readonly read: string;
  /** The first and the last day. */
  readonly window: { readonly from: string; readonly to: string };
  /** The number of occurrences in the window. */
  readonly events: number;
  readonly bytes: number;
  readonly problems: number;
  readonly kinds: readonly FeedReportKind[];
  readonly good: readonly string[];
}

export interface FeedReportKind extends Pick<Advice, 'title' | 'programs' | 'fix' | 'before' | 'after'> {
  readonly code: ProblemCode;
  readonly harm: Harm;
  readonly count: number;
  readonly places: readonly FeedReportPlace[];
}

/**
 * `excerpt` is the text at that place, shortened, without control characters or email addresses; '' if there is nothing
 * to show.
 */
export interface FeedReportPlace {
  readonly line: number | null;
  readonly row: number | null;
  readonly uid: string | null;
  readonly field: string | null;
  readonly message: string;
  readonly excerpt: string;
}

export interface ReportedFeed extends Pick<FeedReport, 'feed' | 'format' | 'program' | 'read' | 'window' | 'events'> {
  readonly text: string;
  readonly bytes: number;
  /** Whether the body is a feed at all. */
  readonly isFeed: boolean;
  /** Problems found while reading, and the format's `faults`. */
  readonly problems: readonly Problem[];
}

/** Builds a report; problems that concern the operator and not the publisher are left out. */
export function feedReport({ text, problems, isFeed, ...facts }: ReportedFeed): FeedReport {
  const format = FORMATS[facts.format];
  const excerptAt = format.excerpts(text);
  const byCode = Object.entries(Object.groupBy(problems, ({ code }) => code)) as [ProblemCode, readonly Problem[]][];
  const kinds = byCode
    .flatMap(([code, found]) => kindFrom(code, found, excerptAt))
    .toSorted(
      (one, other) =>
        HARMS.indexOf(one.harm) - HARMS.indexOf(other.harm) ||
        other.count - one.count ||
        (one.code < other.code ? -1 : 1),
    );
  const good =
    format.isPraised && isFeed
      ? Object.entries(FEED_ADVICE).flatMap(([code, advice]) =>
          'good' in advice && advice.good !== undefined && !byCode.some(([found]) => found === code)
            ? [advice.good]
            : [],
        )
      : [];
  return { ...facts, problems: kinds.reduce((sum, { count }) => sum + count, 0), kinds, good };
}

function kindFrom(code: ProblemCode, found: readonly Problem[], excerptAt: Excerpts): FeedReportKind[] {
  const advice = adviceFor(code);
  if (!advice) return [];
  const { shows = [], good: _, ...told } = advice;
  const whole = found.filter((problem) => furtherCount(problem) === 0);
  const places = whole.map(({ message, where: { line = null, row = null, uid = null, field = null } }) => ({
    line,
    row,
    uid: uid === null ? null : plainExcerpt(uid),
    field,
    message: plainExcerpt(message),
    excerpt: line === null ? '' : excerptAt(line, shows),
  }));
  return [
    { code, ...told, count: whole.length + found.reduce((sum, problem) => sum + furtherCount(problem), 0), places },
  ];
}
