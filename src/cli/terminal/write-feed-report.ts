import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../error.ts';
import type { FeedPreview } from '../../run/parse/preview-feed.ts';
import { publicAddress } from '../../run/fetch/public-address.ts';
import { DEFAULT_FORMAT } from '../../sync/formats/format-kinds.ts';
import { FORMATS } from '../../sync/formats/formats.ts';
import { isForPublisher } from '../../feed-codes.ts';
import { feedReport, type FeedReport } from '../../sync/formats/publisher-report.ts';
import { feedReportPage } from './feed-report-page.ts';

export interface FeedReportOf {
  readonly address: string;
  readonly now: number;
  readonly window: FeedReport['window'];
  readonly found: FeedPreview;
}

/**
 * Writes a report on a feed for its publisher into a file: JSON if the name ends in `.json` or it is requested, else a
 * page. Returns whether it wrote one: the problem may not be the publisher's. Throws AppError if the file cannot be
 * written.
 */
export async function writeFeedReport(
  file: string,
  isJson: boolean,
  { address, now, window, found }: FeedReportOf,
): Promise<boolean> {
  if (found.kind === 'failed' && !isForPublisher(found.problem.code)) return false;
  const body = found.body ?? { text: '', bytes: 0 };
  const report = feedReport({
    feed: /^[a-z]+:/i.test(address) ? publicAddress(address) : path.basename(address),
    read: new Date(now).toISOString(),
    window,
    text: body.text,
    bytes: body.bytes,
    ...whatIsSaid(found, body),
  });
  try {
    await writeFile(
      file,
      isJson || /\.json$/i.test(file) ? `${JSON.stringify(report, null, 2)}\n` : feedReportPage(report),
    );
    return true;
  } catch (cause) {
    throw new AppError(
      'report-unwritable',
      `The report cannot be written to ${file}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`,
      { cause },
    );
  }
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
