import { makeSiteClient } from '../../src/client/make-site-client.ts';
import type { FeedDefinition } from '../../src/feeds/definition/definition.ts';
import { databaseExportState } from '../../src/feeds/content/export-state.ts';
import { databaseContents } from '../../src/feeds/content/exported-contents.ts';
import { makeFeedCatalog } from '../../src/feeds/pages/feed-catalog.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { makeFeedCache } from '../../src/feeds/serve/feed-cache.ts';
import type { Database } from '../../src/db/database.ts';
import type { Problem } from '../../src/problem.ts';
import type { TestSite } from './builtin-site.ts';
import { violationsOf } from './ical-check.ts';

/**
 * The feeds of the built-in site, requested with the rights of calsyncd's own editor, with their state in a database.
 * Every calendar is validated.
 */
export function exportedFeeds(site: TestSite, database: Database, definitions: readonly FeedDefinition[]) {
  const clientIn = (language?: string) =>
    makeSiteClient({
      ...(language !== undefined && { language, languageParameter: 'translation_language' }),
      root: 'https://site.example/api/',
      namespace: 'calendar/events/v1',
      transport: async (request) => {
        const { pathname, search } = new URL(request.url);
        const { status, headers, body } = await site.ask(
          'editor',
          request.method,
          pathname + search,
          request.body ? await request.json() : undefined,
        );
        return new Response(JSON.stringify(body), { status, headers });
      },
    });
  const client = clientIn();
  const contents = databaseContents(database, 'site');
  let revision = 0;
  const problems: Problem[] = [];
  const cache = makeFeedCache({
    client,
    clientIn,
    ourKeys: async () => new Map(),
    state: databaseExportState(database, 'site'),
    contents,
    host: 'site.example',
    publicUrl: 'https://site.example',
    home: 'https://site.example/',
    language: 'en',
    waitMs: 5000,
    onDemand: { burst: 100_000, perHour: 100_000 },
    now: () => site.clock.now,
    revision: () => String(revision++),
    report: (_feed, found) => problems.push(...found),
  });
  const catalog = makeFeedCatalog(
    [{ name: 'site', languages: ['en', 'pl'], ...cache }],
    definitions,
    {
      look: { title: 'Town calendar', publicUrl: 'https://site.example', language: 'en' },
      freshness: async () => ({ kind: 'none' }),
    },
    () => site.clock.now,
    async () => {
      throw new Error('no network here');
    },
  );
  const get = async (path: string): Promise<string> => {
    const answer = await handleFeeds(catalog, new Request(`https://site.example/feeds/${path}`));
    const text = await answer.text();
    const violations = violationsOf(Buffer.from(text));
    if (answer.status !== 200 || violations.length > 0)
      throw new Error(`${path}: ${answer.status}, ${violations.join('; ')}\n${text}`);
    return text.replaceAll('\r\n ', '');
  };
  const page = async (path: string): Promise<string> =>
    (await handleFeeds(catalog, new Request(`https://site.example/feeds/${path}`))).text();
  /** How many upcoming events the feed builder reports. */
  const count = (query: string): Promise<string> => page(`events?count=&${query}`);
  return { get, page, count, problems, client, contents };
}
