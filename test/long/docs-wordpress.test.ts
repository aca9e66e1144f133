import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandIn } from '../support/command.ts';
import { textOf } from '../support/documents.ts';
import { body, feedServer, redirect, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { realSite, type RealSite, type RealSiteOptions } from '../support/real-site/real-site.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';

// docs/wordpress.md quotes the messages that appear when connecting a site goes wrong. Here each of these things goes
// wrong, on a double of WordPress made from recordings, and `doctor` or a run prints what the page quotes.

interface Trouble {
  /** The quoted messages. */
  readonly seen: readonly string[];
  readonly options?: RealSiteOptions;
  readonly prepare?: (site: RealSite) => void;
  /** More settings of the source. */
  readonly more?: string;
  /** Wrong settings of the site. */
  readonly settings?: (site: RealSite) => Readonly<Record<string, string>>;
}

const TROUBLES: readonly Trouble[] = [
  {
    seen: ['has no calendar/events/v1', 'write that as namespace'],
    settings: () => ({ namespace: 'calendar/events/v1' }),
  },
  {
    seen: ['has no tribe/events/v1', 'Is the calendar installed'],
    options: { namespace: 'another-plugin/v1' },
    settings: () => ({ namespace: 'tribe/events/v1' }),
  },
  { seen: ['refused the credentials'], settings: () => ({ application_password: 'password of the account' }) },
  {
    seen: ['may not change events', 'drop the Authorization header', 'rest_invalid_param'],
    options: { dropsCredentials: true },
  },
  { seen: ['may edit events, but not publish them'], prepare: (site) => site.setRole('contributor') },
  { seen: ['may not change events'], prepare: (site) => site.setRole('subscriber') },
  {
    seen: ['create of tag', 'The site refused (403)'],
    prepare: (site) => site.setRole('author'),
    more: ', tags: { add: [Town] }',
  },
  { seen: ['redirects'], settings: () => ({ url: `${feeds.url}/without-www` }) },
  { seen: ['answered a web page, not JSON'], settings: () => ({ url: `${feeds.url}/closed` }) },
];

let syncing: SyncingApp;
let feeds: FeedServer;
let site: RealSite | undefined;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/closed/', body('<!doctype html><title>Closed for maintenance</title>', { 'content-type': 'text/html' }));
  feeds.on('/without-www/', redirect('https://www.museum.example/wp-json/', 301));
  feeds.on('/events.ics', body(calendarText(feedEvents(2))));
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), site?.close()]));

/** What `doctor` and a run print. */
async function saidOf({ options, prepare, settings, more = '' }: Trouble): Promise<string> {
  site = await realSite({ now: () => syncing.clock.now, ...options });
  prepare?.(site);
  const right = {
    url: site.root,
    namespace: site.namespace,
    username: site.credentials.username,
    application_password: site.credentials.applicationPassword,
  };
  const yaml = `
site: ${JSON.stringify({ ...right, ...settings?.(site) })}
sources: { city-library: { url: "${feeds.url}/events.ics"${more} } }
fetch: { allow_addresses: [127.0.0.1/32] }
`;
  const examined = await commandIn(syncing, yaml, ['doctor']);
  const run = await commandIn(syncing, yaml, ['sync', 'city-library']);
  return [examined, run].map(({ out, err }) => out + err).join('\n');
}

const page = textOf('docs/wordpress.md');
const quoted = [...page.slice(page.indexOf('## What may go wrong')).matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
);

test.each(TROUBLES.map((trouble) => [trouble.seen.join(' … '), trouble] as const))('%s', async (_, trouble) => {
  const said = await saidOf(trouble);
  for (const words of trouble.seen) expect(said).toContain(words);
});

test('without any of these, doctor prints what the page says', async () => {
  const said = await saidOf({ seen: [] });
  for (const words of ['tribe/events/v1', 'may publish']) {
    expect(said).toContain(words);
    expect(page).toContain(words);
  }
});

test('every message that the page quotes is tested here or elsewhere', () => {
  const tried = TROUBLES.flatMap(({ seen }) => seen);
  const elsewhere = ['is busy or in maintenance', 'takes no request as large as this'];
  expect(quoted.flat().filter((words) => !tried.includes(words) && !elsewhere.includes(words))).toEqual([]);
  expect(quoted.length).toBeGreaterThan(7);
});
