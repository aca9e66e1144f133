import { cp } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../src/contract/representation.ts';
import { listQueryOf, type FeedDefinition } from '../../src/feeds/definition/definition.ts';
import { calendarReaders, comparableLines, readingsOfList } from '../support/calendar-readers.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { violationsOf } from '../support/ical-check.ts';

// The samples, synced and exported: third-party programs read in every feed what the list endpoint shows.

const DAY = 86_400_000;
const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  city-library: { url: "file:samples/library.ics" }
  theatre: { url: "file:samples/theatre.ics", timezone: Europe/Warsaw }
  sports-club:
    url: "file:samples/sports-club.csv"
    timezone: Europe/Warsaw
    columns: { title: Match, start_date: Kick-off, end_date: Final whistle, venue: Ground, description: Notes, website: Tickets }
feeds:
  all: { title: Everything on, window: { past: 400d, future: 1000d } }
`;
const ALL: FeedDefinition = { id: 'all', title: '', window: { past: 400 * DAY, future: 1000 * DAY } };
// The programs block this process for longer than the daemon keeps an idle connection.
const FRESH = { headers: { connection: 'close' } };

let home: Home | undefined;
afterEach(() => home?.close());

async function listed<T>(
  daemon: Daemon,
  resource: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = (await (
      await fetch(
        `${daemon.url}/api/calendar/events/v1/${resource}?${new URLSearchParams({ ...query, per_page: '50', page: String(page) }).toString()}`,
        FRESH,
      )
    ).json()) as Record<string, readonly T[]> & { total_pages: number };
    pages = answer.total_pages;
    items.push(...(answer[resource] ?? []));
  }
  return items;
}

interface Named {
  readonly id: number;
  readonly slug: string;
}

/** Every feed by its path, and which events it contains. */
async function feedsOf(daemon: Daemon): Promise<ReadonlyMap<string, FeedDefinition>> {
  const feeds = new Map<string, FeedDefinition>([
    ['all', ALL],
    ['events', { id: '', title: '' }],
  ]);
  for (const [word, resource, filter] of [
    ['category', 'categories', 'categories'],
    ['tag', 'tags', 'tags'],
    ['venue', 'venues', 'venue'],
    ['organizer', 'organizers', 'organizer'],
  ] as const) {
    for (const { id, slug } of await listed<Named>(daemon, resource))
      feeds.set(`${word}/${slug}`, { id: '', title: '', [filter]: [String(id)] });
  }
  return feeds;
}

test('third-party programs read in every feed the events, titles and instants of the list endpoint', async () => {
  const readers = calendarReaders();
  home = await programHome(YAML);
  await cp('config/samples', path.join(home.directory, 'samples'), { recursive: true });
  const daemon = home.start();
  await daemon.ready();
  const feeds = await feedsOf(daemon);
  expect(feeds.size).toBeGreaterThan(10);
  let events = 0;
  for (const [name, definition] of feeds) {
    const { status: _status, ...query } = listQueryOf(definition, { now: Date.now(), timezone: 'Europe/Warsaw' });
    const shown = readingsOfList(await listed<Event>(daemon, 'events', query));
    const text = await (await fetch(`${daemon.url}/feeds/${name}.ics`, FRESH)).text();
    expect([name, violationsOf(Buffer.from(text))]).toEqual([name, []]);
    const file = await home.write('feed.ics', text);
    for (const [reader, read] of Object.entries(readers))
      expect([name, reader, comparableLines(read(file))]).toEqual([name, reader, shown]);
    events += shown.length;
  }
  process.stdout.write(`${events} events of ${feeds.size} feeds, read by ${Object.keys(readers).join(', ')}\n`);
  expect(events).toBeGreaterThan(500);
});
