import { decodeBytes, charsetFromContentType } from '../../charset.ts';
import { NO_VALIDATORS, type FeedHttp } from './fetch-feed.ts';
import { fetchWeb, webAddress, type FetchLimits } from './fetch-web.ts';

/** The text of a web page, or a sentence that says why there is none. */
export type PageFetched =
  | { readonly kind: 'page'; readonly url: string; readonly contentType: string; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

const PAGE_LIMITS: FetchLimits = {
  totalMs: 10_000,
  bytesMax: 3_000_000,
  wireBytesMax: 3_000_000,
  redirectsMax: 5,
};

/** Reads a web page through the address guard. Never throws because of anything from outside. */
export async function fetchPage(
  address: string,
  accept: string,
  http: FeedHttp,
  userAgent: string,
): Promise<PageFetched> {
  const url = webAddress(address);
  if (!url) return { kind: 'failed', message: 'This is not a web address.' };
  const result = await http.inTurn(url.host, () =>
    fetchWeb(url, { headers: { accept } }, NO_VALIDATORS, { http, userAgent, limits: PAGE_LIMITS }),
  );
  if (result.kind === 'fetched') {
    const { bytes, contentType, finalUrl } = result;
    return {
      kind: 'page',
      url: finalUrl,
      contentType: contentType ?? '',
      text: decodeBytes(bytes, charsetFromContentType(contentType)).text,
    };
  }
  return { kind: 'failed', message: result.kind === 'failed' ? result.problem.message : 'It did not send the page.' };
}
