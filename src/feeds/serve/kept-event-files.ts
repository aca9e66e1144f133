import { AppError } from '../../error.ts';
import { makeBudget } from '../../budget.ts';
import { eventFile, type EventFile } from './handle-event-calendar.ts';
import type { FeedCacheOptions } from './feed-cache.ts';
import { currentlyKept, type Slot } from './slot.ts';

/** How many are cached, the most recently used ones; each takes a few kilobytes. */
const FILES_MAX = 1_000;
/** One to read the event, and one for the list that tells whether everybody may see it. */
const REQUESTS_EACH = 2;

type Options = Omit<FeedCacheOptions, 'report'>;

/**
 * Returns the calendars of a site's events by slug, cached so that outsiders cannot burden the site, whatever they
 * request and however often. Each is read again only when the site may have changed, and all of them share the
 * allowance. The function throws AppError: `feeds-busy`, or the site's failure if nothing recent enough is cached.
 */
export function keptEventFiles(options: Options): (slug: string) => Promise<EventFile | undefined> {
  const slots = new Map<string, Slot<EventFile | undefined>>();
  const budget = makeBudget(options.onDemand, options.now);
  return async (slug) => {
    const slot = slots.get(slug) ?? {};
    slots.delete(slug);
    slots.set(slug, slot);
    const [oldest] = slots.keys();
    if (slots.size > FILES_MAX && oldest !== undefined) slots.delete(oldest);
    const { feed: file } = await currentlyKept(options, slot, async (revision) => {
      const retryAfterMs = budget.waitMs();
      if (retryAfterMs > 0)
        throw new AppError('feeds-busy', 'Too many events are being asked for that are not kept ready.', {
          cause: { retryAfterMs },
        });
      budget.spend(REQUESTS_EACH);
      const freshAt = options.now();
      return { feed: await eventFile(options, slug, freshAt), revision, freshAt };
    });
    return file;
  };
}
