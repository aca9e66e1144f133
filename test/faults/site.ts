import { expect, inject } from 'vitest';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { addRow } from './table.ts';

// What the fault tests have in common: a town with one feed, and functions that look at its site from outside.

const YAML = `builtin: { timezone: Europe/Warsaw }
sources:
  town: { url: "file:town.ics" }
feeds:
  all: { title: Everything on }
`;

/** A home with a feed of so many events, to run the program in; `as` as in programHome. */
export async function town(events: number, as: readonly string[] = []): Promise<Home> {
  const home = await programHome(YAML, as);
  await home.write(
    'town.ics',
    calendarText(
      comingEvents(events).map((event, index) => ({
        ...event,
        lines: [`CATEGORIES:Kind ${index % 5}`, `LOCATION:Place ${index % 9}`],
      })),
    ),
  );
  return home;
}

const API = '/api/calendar/events/v1';

/** How many events the site shows; 0 while it shows none or does not answer. */
export async function total({ url }: Daemon): Promise<number> {
  try {
    const answer = await fetch(`${url}${API}/events?starts_after=1971-01-01&per_page=1`, {
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok ? ((await answer.json()) as { total: number }).total : 0;
  } catch {
    // Not started yet, or cut off by the fault.
    return 0;
  }
}

/** Checks that every event is there exactly once. */
export async function checkWhole(daemon: Daemon, events: number): Promise<void> {
  const titles: string[] = [];
  for (let page = 1; titles.length < events; page += 1) {
    const answer = await fetch(`${daemon.url}${API}/events?starts_after=1971-01-01&per_page=50&page=${page}`);
    expect(answer.status).toBe(200);
    titles.push(...((await answer.json()) as { events: { title: string }[] }).events.map(({ title }) => title));
  }
  expect(new Set(titles).size).toBe(events);
  expect(await total(daemon)).toBe(events);
}

export interface Run {
  readonly run: string;
  readonly state: string;
  readonly report: { readonly created: number } | null;
}

export async function runsOf(home: Home, env: Readonly<Record<string, string>> = {}): Promise<readonly Run[]> {
  const { stdout } = await home.command(['runs', '--json'], env);
  return (JSON.parse(stdout) as { runs: readonly Run[] }).runs;
}

/** Adds the outcome of a fault to the table. */
export const tell = (fault: string, outcome: string): void => addRow(inject('faultTable'), { fault, outcome });

export const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
