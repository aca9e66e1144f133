import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../error.ts';
import type { FeedPreview } from '../../run/parse/preview-feed.ts';
import { publicAddress } from '../../run/fetch/public-address.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../sync/formats/formats.ts';
import { isForPublisher } from '../../sync/drafts/publisher-advice.ts';
import { feedReport, type FeedReport } from '../../sync/formats/publisher-report.ts';
import { feedReportPage } from './feed-report-page.ts';

export interface FeedReportOf {
  readonly address: string;
  readonly now: number;
  readonly window: FeedReport['window'];
  readonly found: FeedPreview;
}

/** Writes a report on a feed for its publisher into a file: JSON where its name ends in `.json` or that is asked for, else a page. Gives whether there is one: what went wrong may be none of the publisher's matters. Throws AppError where the file cannot be written. */
export async function writeFeedReport(
  file: string,
  isJson: boolean,
  { address, now, window, found }: FeedReportOf,
): Promise<boolean> {
  if (found.kind === 'failed' && !isForPublisher(found.problem.code)) return false;
  const { text, bytes } = found.body ?? { text: '', bytes: 0 };
  const format = found.kind === 'read' ? found.format : DEFAULT_FORMAT;
  const read =
    found.kind === 'read' ? [...found.reading.problems, ...FORMATS[format].faults(text, bytes)] : [found.problem];
  const report = feedReport({
    feed: /^[a-z]+:/i.test(address) ? publicAddress(address) : path.basename(address),
    format,
    program: found.kind === 'read' ? found.profile : null,
    read: new Date(now).toISOString(),
    window,
    events: found.kind === 'read' ? found.reading.drafts.length : 0,
    text,
    bytes,
    isFeed: found.kind === 'read',
    problems: read,
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
