import { createHash } from 'node:crypto';
import type { FeedCatalog } from '../../feeds/pages/feed-catalog.ts';
import { handleFeeds } from '../../feeds/handle-feeds.ts';
import { makeThrottle, networkOf } from '../../site/throttle.ts';
import type { Handle } from '../../web/start-web.ts';
import { retryAfter } from '../../budget.ts';

/**
 * `handleFeeds`, with a throttle (429) for clients that try many passwords for private feeds. A program that keeps
 * sending the same wrong password is not slowed down.
 */
export function throttledFeeds(feeds: FeedCatalog): Handle {
  const throttle = makeThrottle({ free: 20, firstWaitMs: 1_000, waitMsMax: 60_000, forgetMs: 900_000 });
  return async (request, address) => {
    const peer = networkOf(address);
    const authorization = request.headers.get('authorization');
    if (authorization === null) return handleFeeds(feeds, request);
    const wait = throttle.waitMs(peer, feeds.now());
    if (wait > 0)
      return new Response('Too many wrong passwords. Wait, and try again.\n', {
        status: 429,
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          'Cache-Control': 'no-store',
          ...retryAfter(wait),
        },
      });
    const answer = await handleFeeds(feeds, request);
    // Never store the attempt itself, which may be almost right.
    if (answer.status === 401)
      throttle.failed(peer, feeds.now(), createHash('sha256').update(authorization).digest('base64'));
    return answer;
  };
}
