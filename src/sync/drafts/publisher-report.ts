import { contentLines } from '../../ical/read/content-lines.ts';
import { furtherCount } from '../../ical/read/problem-list.ts';
import type { Problem } from '../../problem.ts';
import { FEED_ADVICE, HARMS, type Advice, type Harm } from './publisher-advice.ts';

/** What a feed's publisher is told: what is wrong, where, whom it hurts and how to fix it, the most harmful first; and what is good. */
export interface FeedReport {
  /** The address, without what is secret. */
  readonly feed: string;
  readonly format: 'ical' | 'csv';
  /** The program that made the feed, where it is known. */
  readonly program: string | null;
  /** When the feed was read, as an instant in ISO 8601. */
  readonly read: string;
  /** The first and the last day. */
  readonly window: { readonly from: string; readonly to: string };
  /** Occurrences in the window. */
  readonly events: number;
  readonly bytes: number;
  readonly problems: number;
  readonly kinds: readonly FeedReportKind[];
  readonly good: readonly string[];
}

export interface FeedReportKind extends Pick<Advice, 'title' | 'programs' | 'fix' | 'before' | 'after'> {
  readonly code: string;
  readonly harm: Harm;
  readonly count: number;
  readonly places: readonly FeedReportPlace[];
}

/** `excerpt` is what stands there, cut and without control characters and mail addresses; '' where nothing can be shown. */
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
  /** Whether it is a feed at all. */
  readonly isFeed: boolean;
  /** Of reading, and of `calendarFaults`. */
  readonly problems: readonly Problem[];
}

/** Gathers a report. Problems that are the reader's own, not the publisher's, are left out. */
export function feedReport({ text, problems, isFeed, ...facts }: ReportedFeed): FeedReport {
  const excerptAt = excerptsOf(text, facts.format);
  const byCode = Object.entries(Object.groupBy(problems, ({ code }) => code)) as [string, readonly Problem[]][];
  const kinds = byCode
    .flatMap(([code, found]) => kindFrom(code, found, excerptAt))
    .toSorted(
      (one, other) =>
        HARMS.indexOf(one.harm) - HARMS.indexOf(other.harm) ||
        other.count - one.count ||
        (one.code < other.code ? -1 : 1),
    );
  const good =
    facts.format === 'ical' && isFeed
      ? Object.entries(FEED_ADVICE).flatMap(([code, advice]) =>
          'good' in advice && advice.good !== undefined && !byCode.some(([found]) => found === code)
            ? [advice.good]
            : [],
        )
      : [];
  return { ...facts, problems: kinds.reduce((sum, { count }) => sum + count, 0), kinds, good };
}

function kindFrom(code: string, found: readonly Problem[], excerptAt: Excerpts): FeedReportKind[] {
  const advice = FEED_ADVICE[code];
  if (!advice || 'operator' in advice) return [];
  const { shows = [], good: _, ...told } = advice;
  const whole = found.filter((problem) => furtherCount(problem) === 0);
  const places = whole.map(({ message, where: { line = null, row = null, uid = null, field = null } }) => ({
    line,
    row,
    uid: uid === null ? null : plain(uid),
    field,
    message: plain(message),
    excerpt: line === null ? '' : excerptAt(line, shows),
  }));
  return [
    { code, ...told, count: whole.length + found.reduce((sum, problem) => sum + furtherCount(problem), 0), places },
  ];
}

type Excerpts = (line: number, shows: readonly string[]) => string;

const EVENT_LINES_MAX = 200;

/** The line itself or, of an event, the properties that show what is wrong. */
function excerptsOf(text: string, format: FeedReport['format']): Excerpts {
  if (format === 'csv') {
    const rows = text.split(/\r\n|\r|\n/);
    return (line) => shown(rows[line - 1] ?? '');
  }
  const lines = contentLines(text);
  return (line, shows) => {
    // The line may be one of a fold.
    const index = lines.findLastIndex((each) => each.line <= line);
    if (index === -1) return '';
    if (shows.length === 0 || !/^BEGIN:/i.test(lines[index]!.text)) return shown(lines[index]!.text);
    const event = lines.slice(index, index + EVENT_LINES_MAX);
    const end = event.findIndex((each) => /^END:VEVENT/i.test(each.text));
    return event
      .slice(0, end === -1 ? undefined : end)
      .filter((each) => shows.some((name) => new RegExp(`^${name}[;:]`, 'i').test(each.text)))
      .slice(0, 4)
      .map((each) => shown(each.text))
      .join('\n');
  };
}

const EXCERPT_MAX = 160;
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\uFDD0-\uFDEF]/gu;
const MAIL = /[^\s<>:,;"']+@(?=[\w-]+(?:\.[\w-]+)+)/g;

/** Short, on one line, with nothing that reorders or hides text. */
function plain(text: string): string {
  const clean = text.slice(0, EXCERPT_MAX * 4).replace(INVISIBLE, '\uFFFD');
  return clean.length > EXCERPT_MAX ? `${clean.slice(0, EXCERPT_MAX)}…` : clean;
}

/** A line of the feed; people's mail addresses lose what is before the @, for a report is passed on. */
const shown = (line: string): string =>
  plain(/^UID\b/i.test(line) ? line : line.slice(0, EXCERPT_MAX * 8).replace(MAIL, '…@'));
