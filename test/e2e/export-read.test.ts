import { cp } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { decodeEntities } from '../../src/html.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { needsProgram, output } from '../support/program.ts';

// The sample that comes along, synced, exported, and read by a program of others: what the list endpoint shows.

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  city-library: { url: "file:samples/library.ics" }
  theatre: { url: "file:samples/theatre.ics", timezone: Europe/Warsaw }
  sports-club: { url: "file:samples/sports-club.csv", timezone: Europe/Warsaw, columns: { title: Match, start_date: Kick-off, end_date: Final whistle, venue: Ground, description: Notes, website: Tickets } }
feeds:
  all: { title: Everything on, window: { past: 400d, future: 1000d } }
`;

let home: Home | undefined;
afterEach(() => home?.close());

const PYTHON = `
import icalendar, json, sys, datetime
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
def told(value):
    return int(value.timestamp() * 1000) if isinstance(value, datetime.datetime) else value.isoformat()
print(json.dumps([dict(title=str(e['SUMMARY']), start=told(e.decoded('DTSTART')), end=told(e.decoded('DTEND'))) for e in calendar.walk('VEVENT')]))`;

interface Read { readonly title: string; readonly start: number | string; readonly end: number | string }
interface Shown { readonly title: string; readonly all_day: boolean; readonly start_date: string; readonly end_date: string; readonly utc_start_date: string; readonly utc_end_date: string }

async function listed(daemon: Daemon): Promise<readonly Read[]> {
  const events: Shown[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await (await fetch(`${daemon.url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50&page=${page}`)).json() as { total_pages: number; events: Shown[] };
    pages = answer.total_pages;
    events.push(...answer.events);
  }
  return events.map((event) => ({
    title: decodeEntities(event.title),
    start: event.all_day ? event.start_date.slice(0, 10) : instant(event.utc_start_date),
    // A day's last second on the site, the first of the next day in the feed.
    end: event.all_day ? new Date(instant(event.end_date) + 1_000).toISOString().slice(0, 10) : instant(event.utc_end_date),
  }));
}

const instant = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`);
const inOrder = (events: readonly Read[]): readonly string[] => events.map(({ title, start, end }) => `${start} ${end} ${title}`).toSorted();

test('python3-icalendar reads the events, titles and instants of the list endpoint', async (context) => {
  needsProgram(context, '/usr/bin/python3', ['-c', 'import icalendar'], 'apt-get install python3-icalendar');
  home = await programHome(YAML);
  await cp('config/samples', path.join(home.directory, 'samples'), { recursive: true });
  const daemon = home.start();
  await daemon.ready();
  const shown = await listed(daemon);
  expect(shown.length).toBeGreaterThan(150);
  const feed = await (await fetch(`${daemon.url}/feeds/all.ics`)).text();
  expect(inOrder(JSON.parse(output('/usr/bin/python3', ['-c', PYTHON], { input: feed })) as Read[])).toEqual(inOrder(shown));
});
