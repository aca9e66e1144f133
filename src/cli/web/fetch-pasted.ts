import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { bodyLimits, openFeedHttp, userAgent, type FetchResult } from '../../run/fetch/fetch-feed.ts';
import { fetchToLook } from '../../run/discover/discover.ts';
import { VERSION } from '../terminal/version.ts';

/**
 * Fetches an address that was pasted in the console, under the rules of the configuration in force. Of files, it only
 * reads uploaded ones.
 */
export async function fetchPasted(address: string, { fetch, dataDir, file }: Config): Promise<FetchResult> {
  const http = openFeedHttp(fetch.allowAddresses);
  try {
    return await fetchToLook(address, {
      http,
      userAgent: userAgent(VERSION, fetch.contact),
      files: { base: path.dirname(file), directories: [uploadsIn(dataDir)] },
      limits: bodyLimits(fetch.bytesMax),
    });
  } finally {
    await http.close();
  }
}
