import { AppError } from '../../error.ts';
import { makeBudget } from '../../budget.ts';
import { lookOf, type LookSettings } from '../../look/look.ts';
import type { Choices } from '../definition/choices.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import type { PageFrame } from './page-frame.ts';
import { pageWordsIn } from '../words/page-language.ts';
import type { Freshness } from './badge.ts';
import type { FetchOwn } from './self-test.ts';
import type { Feed, FeedCache } from '../serve/feed-cache.ts';

/** The feeds of one site, with the site's name in addresses. */
export interface NamedFeedCache extends FeedCache {
  readonly name: string;
  /** The languages that the site separates; empty if unknown. */ readonly languages: readonly string[];
}

/** All feeds: the configured ones of all sites, and those described by an address alone. */
export interface FeedCatalog extends Pick<FeedCache, 'feed' | 'latest' | 'notice' | 'unasked'>, PageFrame {
  readonly definitions: readonly FeedDefinition[];
  readonly sites: readonly NamedFeedCache[];
  /** What the feeds of a definition's site can be narrowed to; undefined while the site cannot be read. */
  readonly choices: (definition: Pick<FeedDefinition, 'site'>) => Promise<Choices | undefined>;
  /** The address of the sitemap of the built-in site, if that is one of the sites. */
  readonly sitemap?: string;
  readonly now: () => number;
  /** How up to date a definition's site is. */
  readonly freshness: (definition: Pick<FeedDefinition, 'site'>) => Promise<Freshness>;
  /** How the self-test fetches; undefined if there have been too many tests lately. */
  readonly fetchOwn: () => FetchOwn | undefined;
}

// A test makes five requests to ourselves, so outsiders may only run a limited number.
const TESTS = { burst: 5, perHour: 60 };

/** What the pages look like, their addresses, and their language. */
export interface PagesOptions {
  readonly look: LookSettings;
  readonly sitemap?: string;
  /** How up to date a site is, by its name. */
  readonly freshness: (site: string) => Promise<Freshness>;
}

export function makeFeedCatalog(
  sites: readonly NamedFeedCache[],
  definitions: readonly FeedDefinition[],
  { look: settings, sitemap, freshness }: PagesOptions,
  now: () => number,
  fetchOwn: FetchOwn,
): FeedCatalog {
  const siteOf = ({ site }: Pick<FeedDefinition, 'site'>): NamedFeedCache => {
    const found = sites.find(({ name }) => name === site) ?? sites[0];
    if (!found) throw new Error('There is no site whose feeds could be given out.');
    return found;
  };
  const words = pageWordsIn(settings.language);
  const look = lookOf({ ...settings, language: words.language });
  const tests = makeBudget(TESTS, now);
  return {
    definitions,
    freshness: (definition) => freshness(siteOf(definition).name),
    publicUrl: settings.publicUrl,
    base: look.base,
    look,
    sites,
    now,
    ...(sitemap !== undefined && { sitemap }),
    words,
    choices: async (definition) => {
      try {
        return await siteOf(definition).choices();
      } catch (error) {
        // The page is useful without them.
        if (error instanceof AppError) return undefined;
        throw error;
      }
    },
    fetchOwn: () => {
      if (tests.waitMs() > 0) return undefined;
      tests.spend(1);
      return fetchOwn;
    },
    feed: (definition): Promise<Feed> => siteOf(definition).feed(definition),
    latest: (definition) => siteOf(definition).latest(definition),
    notice: async () => {
      await Promise.all(sites.map((site) => site.notice()));
    },
    unasked: (definition) => siteOf(definition).unasked(definition),
  };
}
