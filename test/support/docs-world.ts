import { commandIn, type Said } from './command.ts';
import { body, feedServer, type FeedServer } from './feed-server.ts';
import { calendarText, feedEvents } from './feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from './syncing-app.ts';

// The setting of the examples in docs/: a library whose feed has a dozen events and loses most of them.

/** The address of the feeds in the examples. */
export const LIBRARY = 'https://library.example/';

export interface DocsWorld {
  readonly syncing: SyncingApp;
  readonly feeds: FeedServer;
  readonly app: OpenedApp;
  /** Runs a command as a page shows it. Words in capitals are replaced by their current values. */
  readonly run: (line: string) => Promise<Said>;
  readonly close: () => Promise<void>;
}

const configuration = (feeds: FeedServer): string => `
builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  city-library: { url: "${feeds.url}/events.ics", every: 1h, timezone: Europe/Warsaw, missing: { after: 1 } }
feeds:
  all: { title: Everything }
fetch: { allow_addresses: [127.0.0.1/32] }
alerts:
  receivers:
    office: { webhook: "${feeds.url}/hook" }
`;

export async function docsWorld(): Promise<DocsWorld> {
  const [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/events.ics', body(calendarText(feedEvents(12))));
  feeds.on('/hook', body('taken'));
  const yaml = configuration(feeds);
  const app = await syncing.open(yaml);
  await app.sync('city-library');
  // A plan that waits for approval.
  const loseMost = async (): Promise<void> => {
    feeds.on('/events.ics', body(calendarText(feedEvents(12).slice(8))));
    await app.sync('city-library');
  };
  const [{ slug = '' } = {}] = await app.events();
  const runs = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await commandIn(syncing, yaml, ['runs', '--json'])).json.runs;
  const meanings: Readonly<Record<string, () => Promise<string>>> = {
    SLUG: async () => slug,
    RUN: async () => String((await runs()).at(-1)?.['run']),
    HELD: async () => {
      const held = async (): Promise<unknown> => (await runs()).find(({ state }) => state === 'held')?.['run'];
      if ((await held()) === undefined) await loseMost();
      return String(await held());
    },
    FOLDER: async () => syncing.directory,
  };
  const run = async (line: string): Promise<Said> => {
    const words =
      line
        .trim()
        .replace(/^calsyncd /, '')
        .match(/"[^"]*"|\S+/g) ?? [];
    const meant: string[] = [];
    for (const word of words) {
      const [name = ''] = /[A-Z]{3,}/.exec(word) ?? [];
      const plain = word.replaceAll('"', '').replace(LIBRARY, `${feeds.url}/`);
      meant.push(name in meanings ? plain.replace(name, (await meanings[name]?.()) ?? '') : plain);
    }
    return commandIn(syncing, yaml, meant);
  };
  return {
    syncing,
    feeds,
    app,
    run,
    close: async () => {
      await syncing.close();
      await feeds.close();
    },
  };
}
