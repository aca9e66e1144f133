import type { FeedCatalog } from '../../feeds/pages/feed-catalog.ts';
import type { Logger } from '../../log.ts';

/**
 * A notice of the feeds for a timer, which never throws. Outages of the database are left to the pulse; of other
 * failures, only the first one is logged until a notice succeeds.
 */
export function noticeOf(
  { notice }: Pick<FeedCatalog, 'notice'>,
  isOutage: (error: unknown) => boolean,
  log: Pick<Logger, 'error'>,
): () => Promise<void> {
  let isLogged = false;
  return async () => {
    try {
      await notice();
      isLogged = false;
    } catch (error) {
      if (isOutage(error) || isLogged) return;
      log.error({ error }, 'whether feeds are still right cannot be noted; if the database goes away, they answer 503');
      isLogged = true;
    }
  };
}
