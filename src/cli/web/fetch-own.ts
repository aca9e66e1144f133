import { bodyBytes } from '../../client/body-bytes.ts';
import { openHttp } from '../../client/http.ts';
import type { FetchOwn } from '../../feeds/pages/self-test.ts';
import { bodyLimits } from '../../run/fetch/fetch-feed.ts';

/** For each step: connecting, the headers, and the gap between two chunks of the body. */
const STEP_MS_MAX = 10_000;
const TOTAL_MS_MAX = 60_000;
const BYTES_MAX = 50_000_000;

/**
 * Fetches one of our own addresses as any client would, over a connection of its own and through any proxy in between.
 * Throws AppError (`too-large`) beyond our limit for other people's feeds, unless another limit is configured.
 */
export const fetchOwn: FetchOwn = async (url, headers) => {
  const http = openHttp({
    connectionsPerHost: 1,
    connectTimeoutMs: STEP_MS_MAX,
    headersTimeoutMs: STEP_MS_MAX,
    idleTimeoutMs: STEP_MS_MAX,
  });
  try {
    const answer = await http.send({ method: 'GET', url, headers, signal: AbortSignal.timeout(TOTAL_MS_MAX) });
    const body = await bodyBytes(answer.body, new Headers(), bodyLimits(BYTES_MAX));
    return { status: answer.status, headers: answer.headers, body };
  } finally {
    await http.close();
  }
};
