import type { FeedDefinition } from './definition.ts';
import { feedAt, type Addressed } from './feed-address.ts';
import type { Feed, SiteFeeds } from './site-feeds.ts';

/** A site whose feeds are given out. */
export interface FeedsOfSite extends SiteFeeds { readonly name: string; /** Those that the site keeps apart; none where that is not known. */ readonly languages: readonly string[] }

/** All feeds that there are: the configured ones of all sites, and those that an address alone describes. */
export interface Feeds extends SiteFeeds {
  readonly definitions: readonly FeedDefinition[];
  /** Where calsyncd is reached, without a slash at its end. */
  readonly publicUrl: string;
  readonly sites: readonly FeedsOfSite[];
  /** What an address asks for (see `feedAt`). */
  readonly at: (path: string, query: URLSearchParams) => Addressed;
}

export function makeFeeds(sites: readonly FeedsOfSite[], definitions: readonly FeedDefinition[], publicUrl: string, now: () => number): Feeds {
  const siteOf = ({ site }: FeedDefinition): SiteFeeds => sites.find(({ name }) => name === site) ?? sites[0]!;
  return {
    definitions, publicUrl, sites,
    at: (path, query) => feedAt(path, query, { definitions, sites, now: now() }),
    feed: (definition): Promise<Feed> => siteOf(definition).feed(definition),
    latest: (definition) => siteOf(definition).latest(definition),
  };
}
