import path from 'node:path';
import { AppError } from '../../error.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import type { FeedPreview } from '../../run/parse/preview-feed.ts';
import { publicAddress } from '../../run/fetch/public-address.ts';
import { isForPublisher } from '../../feed-codes.ts';
import type { FeedReport } from '../../sync/formats/publisher-report.ts';
import { feedReportPage } from '../../publisher/report-page.ts';
import { reportOn } from '../../publisher/report-on.ts';
import { VERSION } from '../terminal/version.ts';

export interface FeedReportOf {
  readonly address: string;
  readonly now: number;
  readonly window: FeedReport['window'];
  readonly found: FeedPreview;
}

/**
 * Writes a report on a feed for its publisher into a file: JSON if the name ends in `.json` or it is requested,
 * otherwise a page. Returns whether it wrote one, because the problem may not be the publisher's. Throws AppError if
 * the file cannot be written.
 */
export async function writeFeedReport(
  file: string,
  isJson: boolean,
  { address, now, window, found }: FeedReportOf,
): Promise<boolean> {
  if (found.kind === 'failed' && !isForPublisher(found.problem.code)) return false;
  const feed = /^[a-z]+:/i.test(address) ? publicAddress(address) : path.basename(address);
  const report = reportOn({ feed, now, window, found });
  try {
    const written =
      isJson || /\.json$/i.test(file)
        ? `${JSON.stringify(report, null, 2)}\n`
        : feedReportPage(report, { version: VERSION });
    await replaceFile(file, () => written);
    return true;
  } catch (cause) {
    throw new AppError('report-unwritable', `The report cannot be written to ${file}: ${whyUnwritable(cause)}.`, {
      cause,
    });
  }
}
