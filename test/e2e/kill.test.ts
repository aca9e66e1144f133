import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { queueHomes } from '../support/queue-backends.ts';
import { until } from '../support/until.ts';

// `kill -9` in the middle of a first sync of 2,000 events, then a start: the site ends as without the kill.

const EVENTS = 2_000;
const KILLS = Number(process.env['TEST_KILLS'] ?? 3);

const YAML = `builtin: { timezone: Europe/Warsaw }
sources:
  town: { url: "file:town.ics" }
feeds:
  all: { title: Everything on }
`;
const FEED = calendarText(feedEvents(EVENTS).map((event, index) => ({ ...event, lines: [`CATEGORIES:Kind ${index % 20}`, `LOCATION:Place ${index % 60}`, `ORGANIZER;CN=People ${index % 7}:mailto:p@town.example`] })));

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

interface Page { readonly total: number; readonly total_pages: number; readonly events: readonly { readonly slug: string; readonly title: string; readonly categories: readonly unknown[]; readonly venue: unknown; readonly organizer: readonly unknown[] }[] }

async function page(daemon: Daemon, number: number): Promise<Page> {
  const answer = await fetch(`${daemon.url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50&page=${number}`);
  return answer.ok ? await answer.json() as Page : { total: 0, total_pages: 0, events: [] };
}

const total = (daemon: Daemon): Promise<number> => page(daemon, 1).then(({ total: count }) => count, () => 0);

async function allEvents(daemon: Daemon): Promise<Page['events']> {
  const first = await page(daemon, 1);
  const all = [...first.events];
  for (let number = 2; number <= first.total_pages; number += 1) all.push(...(await page(daemon, number)).events);
  return all;
}

async function count(daemon: Daemon, resource: string): Promise<number> {
  const answer = await fetch(`${daemon.url}/api/calendar/events/v1/${resource}?per_page=1&hide_empty=false`);
  return Number(answer.headers.get('x-tec-total') ?? (await answer.json() as { total: number }).total);
}

interface Run { readonly run: string; readonly state: string; readonly report: { readonly created: number; readonly problems: readonly unknown[] } | null }

/** Kills the program when so many events are on the site (or, for a fraction, so soon after its start), starts it again, and looks. */
async function checkKill(place: Home, env: Readonly<Record<string, string>>, when: (daemon: Daemon) => Promise<unknown>): Promise<void> {
  await place.write('town.ics', FEED);
  const killed = place.start([], env);
  await when(killed);
  const before = await total(killed);
  await killed.kill();
  const daemon = place.start([], env);
  const readyMs = await daemon.ready();
  process.stderr.write(`killed at ${before} events; the site was whole ${Math.round(readyMs)} ms after the next start\n`);
  const events = await allEvents(daemon);
  expect(events).toHaveLength(EVENTS);
  expect(new Set(events.map(({ title }) => title)).size).toBe(EVENTS);
  expect(events.filter(({ slug }) => !/^event-number-\d+-[a-z2-7]{14}$/.test(slug))).toEqual([]);
  expect(events.filter(({ categories, venue, organizer }) => categories.length !== 1 || Array.isArray(venue) || organizer.length !== 1)).toEqual([]);
  expect([await count(daemon, 'categories'), await count(daemon, 'venues'), await count(daemon, 'organizers')]).toEqual([20, 60, 7]);
  const { runs } = JSON.parse((await place.command(['runs', '--json'])).stdout) as { runs: readonly Run[] };
  expect(runs.filter(({ state }) => state !== 'done' && state !== 'unchanged')).toEqual([]);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
  expect(place.processes()).toEqual([]);
}

test('PostgreSQL is killed under the program, which goes on and stops cleanly', async () => {
  home = await programHome(YAML);
  await home.write('town.ics', calendarText(feedEvents(800)));
  const daemon = home.start([], { LOG_LEVEL: 'fatal' });
  await until('the first events', async () => (await total(daemon)) >= 50);
  const postmaster = Number((await readFile(path.join(home.dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(postmaster, 'SIGKILL');
  await daemon.ready(90_000);
  expect(await allEvents(daemon)).toHaveLength(800);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
  expect(home.processes()).toEqual([]);
});

describe.each(queueHomes(12))('with the queue on %s', (_, queueHome) => {
  async function place(): Promise<{ place: Home; env: Record<string, string> }> {
    home = await programHome(YAML);
    const queue = await queueHome({ url: 'postgresql://nowhere/' });
    return { place: home, env: { LOG_LEVEL: 'warn', ...('redisUrl' in queue ? { REDIS_URL: queue.redisUrl } : {}) } };
  }

  test('after some hundred events: the run is taken over at the next start', async () => {
    const { place: where, env } = await place();
    await checkKill(where, env, (daemon) => until('some hundred events', async () => (await total(daemon)) >= 300));
    // It was one run from its beginning to its end.
    const { runs } = JSON.parse((await where.command(['runs', '--json'])).stdout) as { runs: readonly Run[] };
    expect(runs.filter(({ state }) => state === 'done')).toMatchObject([{ report: { created: EVENTS, problems: [] } }]);
  });

  // Early ones hit the reading and the planning, the others any of the stages.
  const moments = Array.from({ length: KILLS }, (__, index) => (index % 3 === 0 ? `${Math.round(500 + Math.random() * 3_000)} ms after the start` : `at ${Math.round(Math.random() * (EVENTS - 100))} events`));
  test.each(moments)('%s', async (moment) => {
    const { place: where, env } = await place();
    const number = Number(/\d+/.exec(moment)![0]);
    const wait = (daemon: Daemon): Promise<unknown> => (moment.startsWith('at') ? until(moment, async () => (await total(daemon)) >= number) : sleep(number));
    await expect(checkKill(where, env, wait)).resolves.toBeUndefined();
  });
});
