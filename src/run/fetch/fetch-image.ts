import { NO_VALIDATORS, type FeedHttp } from './fetch-feed.ts';
import { fetchWeb, webAddress, type FetchLimits } from './fetch-web.ts';

/**
 * The bytes of an image, or a sentence that says why there are none; `refused` means that the address is an internal
 * one.
 */
export type ImageFetched =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed' | 'refused'; readonly message: string };

const IMAGE_LIMITS: FetchLimits = {
  totalMs: 20_000,
  bytesMax: 10_000_000,
  wireBytesMax: 10_000_000,
  redirectsMax: 5,
};
const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif';

/** Fetches an image through the address guard. Never throws because of anything from outside. */
export async function fetchImage(address: string, http: FeedHttp, userAgent: string): Promise<ImageFetched> {
  const url = webAddress(address);
  if (!url) return { kind: 'failed', message: 'This is not a web address.' };
  const result = await http.inTurn(url.host, () =>
    fetchWeb(url, { headers: { accept: ACCEPT } }, NO_VALIDATORS, { http, userAgent, limits: IMAGE_LIMITS }),
  );
  if (result.kind === 'fetched') return { kind: 'fetched', bytes: result.bytes };
  if (result.kind !== 'failed') return { kind: 'failed', message: 'It was not sent.' };
  const { code, message } = result.problem;
  return { kind: code === 'feed-address-refused' ? 'refused' : 'failed', message };
}
