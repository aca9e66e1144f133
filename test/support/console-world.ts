import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { navigate } from './browser.ts';
import { programHome, type Daemon, type Home } from './daemon.ts';
import { body, feedServer, status, type FeedServer } from './feed-server.ts';
import { calendarText, type FeedEvent } from './feed-text.ts';

/** A town's program with feeds of which some are healthy, one has failed and one has lost half of its events. */
export interface ConsoleWorld {
  readonly home: Home;
  readonly daemon: Daemon;
  readonly feeds: FeedServer;
  /** The password of the first administrator, whose login is admin. */
  readonly password: string;
  readonly signIn: (page: Page) => Promise<void>;
  readonly close: () => Promise<void>;
}

const DAY_MS = 86_400_000;

/** A weekly series of single events from next week on, all at the same time of day. */
export const weekly = (uid: string, title: string, count: number, time = '190000'): readonly FeedEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    uid: `${uid}-${index}@town.example`,
    title,
    start: `${new Date(Date.now() + (index * 7 + 7) * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}T${time}`,
    lines: ['LOCATION:Town Theatre', 'CATEGORIES:Stage'],
  }));

export const SEASON = [
  ...weekly('dziady', 'Dziady, Part Two', 30),
  ...weekly('puppets', 'Puppets on Sunday', 32, '110000'),
];
export const CUT_SEASON = [
  ...weekly('dziady', 'Dziady, Part Two', 14),
  ...weekly('puppets', 'Puppets on Sunday', 32, '120000'),
];
const DAY = new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10);
/** An address that does not fit on one line of a narrow page. */
const ADDRESS = `https://school.example/${'concert'.repeat(20)}`;
const SCHOOL = `Title,Beginn,Ende,Website\nSpring concert,${DAY} 18:00,${DAY} 19:00,${ADDRESS}/of-the-feed\n`;

const yaml = (feeds: string, more: string, sources: string): string => `# The town's calendar
builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  library: { url: "${feeds}/library.ics", every: 1h }
  theatre: { url: "${feeds}/theatre.ics", every: 1h, missing: { after: 1 } } # call the box office, ext. 12
  cinema: { url: "${feeds}/cinema.ics", every: 2h }
  music-school:
    url: ${feeds}/school.csv
    columns: { title: Title, start_date: Beginn, end_date: Ende }
    set: [{ website: "${ADDRESS}" }]
${sources}feeds:
  all: { title: Everything on }
fetch: { allow_addresses: [127.0.0.1/32] }
${more}`;

/** Starts it and waits for the first runs. `more` is added to the configuration, `sources` to its sources. */
export async function consoleWorld(more = '', sources = ''): Promise<ConsoleWorld> {
  const feeds = await feedServer();
  feeds.on('/library.ics', body(calendarText(weekly('story', 'Story time <for children> & parents', 20))));
  feeds.on('/theatre.ics', body(calendarText(SEASON)));
  feeds.on('/cinema.ics', status(403, 'go away'));
  feeds.on('/school.csv', body(SCHOOL, { 'content-type': 'text/csv' }));
  const home = await programHome(yaml(feeds.url, more, sources));
  const daemon = home.start();
  await daemon.ready();
  const password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
  return {
    home,
    daemon,
    feeds,
    password,
    signIn: (page) => signInTo(page, daemon.url, password),
    close: async () => {
      await home.close();
      await feeds.close();
      await rm(path.join(home.directory), { recursive: true, force: true });
    },
  };
}

/** Signs in the first administrator. */
export async function signInTo(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/operator/`);
  await page.getByLabel('Account').fill('admin');
  await page.getByLabel('Password').fill(password);
  // The form and the page after signing in have the same address.
  await navigate(page, () => page.getByRole('button', { name: 'Sign in' }).click());
  await page.locator('.who').waitFor({ state: 'attached' });
}

/** The theatre's feed loses half of a series and the school's table a column; then both are read again. */
export async function breakSources({ feeds, home }: ConsoleWorld): Promise<void> {
  feeds.on('/theatre.ics', body(calendarText(CUT_SEASON)));
  feeds.on('/school.csv', body(SCHOOL.replace('Beginn', 'Start'), { 'content-type': 'text/csv' }));
  await home.command(['sync', 'theatre', 'music-school', 'cinema']);
}
