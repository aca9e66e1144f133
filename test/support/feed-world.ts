import type { Freshness } from '../../src/feeds/pages/badge.ts';
import type { Event } from '../../src/contract/representation.ts';
import type { FeedDefinition } from '../../src/feeds/definition/definition.ts';
import { memoryExportState } from './memory-export-state.ts';
import { makeFeedCatalog, type FeedCatalog } from '../../src/feeds/pages/feed-catalog.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import type { FetchOwn } from '../../src/feeds/pages/self-test.ts';
import { makeFeedCache } from '../../src/feeds/serve/feed-cache.ts';
import type { Problem } from '../../src/problem.ts';
import { keyFor, slugWithKey } from '../../src/sync/model/slug.ts';
import { memorySite, siteEvent, siteTerm, type MemorySite } from './memory-site.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);
export const music = siteTerm(1, 'Music');
export const ours = siteEvent(5, { slug: slugWithKey('Ours', keyFor('library', 'uid-1')), title: 'Ours' });

export interface FeedWorld {
  readonly site: MemorySite;
  readonly clock: { now: number; revision: number };
  /** How recently the program says it checked the site. */
  readonly freshness: { now: Freshness };
  readonly problems: Problem[];
  readonly feeds: FeedCatalog;
  readonly get: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;
}

const DEFINITIONS: readonly FeedDefinition[] = [
  { id: 'all', title: 'Everything on' },
  { id: 'music', title: 'Live music', categories: ['music'], color: '#3366cc' },
];

/** Published feeds of a site in memory; the test moves the clock and the revision. */
export function feedWorld(
  events: readonly Event[],
  definitions: readonly FeedDefinition[] = DEFINITIONS,
  { language = 'en', publicUrl = 'https://cal.example', timezone = 'Europe/Warsaw' } = {},
): FeedWorld {
  const site = memorySite(events, timezone);
  const clock = { now: NOW, revision: 1 };
  const problems: Problem[] = [];
  const ofSite = makeFeedCache({
    client: site,
    state: memoryExportState(),
    host: 'site.example',
    publicUrl,
    home: `${publicUrl}/`,
    language,
    waitMs: 50,
    onDemand: { burst: 20, perHour: 60 },
    now: () => clock.now,
    revision: () => String(clock.revision),
    ourKeys: async (list) =>
      new Map(list.filter(({ slug }) => slug === ours.slug).map(({ id }) => [id, keyFor('library', 'uid-1')])),
    report: (_feed, found) => problems.push(...found),
  });
  const freshness: { now: Freshness } = { now: { kind: 'checked', at: clock.now - 12 * 60_000 } };
  const fetchOwn: FetchOwn = async (url, headers) => {
    const answer = await handleFeeds(feeds, new Request(url, { headers }));
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  };
  const feeds = makeFeedCatalog(
    [{ name: 'site', languages: ['en', 'pl'], ...ofSite }],
    definitions,
    { look: { title: 'Town calendar', publicUrl, language }, freshness: async () => freshness.now },
    () => clock.now,
    fetchOwn,
  );
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    handleFeeds(feeds, new Request(`http://127.0.0.1:8080${path}`, { headers, method }));
  return { site, clock, freshness, problems, feeds, get };
}

/** The unfolded content lines of a calendar that begin with `name`. */
export const linesOf = (text: string, name: string): readonly string[] =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line.startsWith(name));
