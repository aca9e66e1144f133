import type { Problem } from '../problem.ts';
import type { FeedPreview } from '../run/parse/preview-feed.ts';
import { DEFAULT_FORMAT } from '../sync/formats/format-kinds.ts';
import { FORMATS } from '../sync/formats/formats.ts';
import { feedReport, type FeedReport } from '../sync/formats/publisher-report.ts';

export interface ReportedBody {
  /** The address or file name, in a form that may be shown. */
  readonly feed: string;
  /** When the feed was read; epoch milliseconds. */
  readonly now: number;
  readonly window: FeedReport['window'];
  readonly found: FeedPreview;
  /** Why the feed has been unreadable since then. */
  readonly since?: readonly Problem[];
}

/** A report for the publisher on what was found in a feed. */
export function reportOn({ feed, now, window, found, since = [] }: ReportedBody): FeedReport {
  const body = found.body ?? { text: '', bytes: 0 };
  const said = whatIsSaid(found, body);
  return feedReport({
    feed,
    read: new Date(now).toISOString(),
    window,
    text: body.text,
    bytes: body.bytes,
    ...said,
    problems: [...since, ...said.problems],
  });
}

function whatIsSaid(
  found: FeedPreview,
  { text, bytes }: { readonly text: string; readonly bytes: number },
): Pick<Parameters<typeof feedReport>[0], 'format' | 'program' | 'events' | 'isFeed' | 'problems'> {
  if (found.kind === 'failed')
    return { format: DEFAULT_FORMAT, program: null, events: 0, isFeed: false, problems: [found.problem] };
  const { format, profile: program, reading } = found;
  const problems = [...reading.problems, ...FORMATS[format].faults(text, bytes)];
  return { format, program, events: reading.drafts.length, isFeed: true, problems };
}
