import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { queueHomes } from '../support/queue-backends.ts';
import { pauseSyncAt } from '../support/mid-sync.ts';

// `kill -9` in the middle of a first sync of 2,000 events, then a start: the site ends as without the kill.
// TEST_KILLS sets the number of kills at random moments, shared among the queue's back ends; several hit the same
// sync.

const EVENTS = 2_000;
const KILLS = Number(process.env['TEST_KILLS'] ?? 6);
const KILLS_PER_SYNC = 10;
/** Generous, because the machine may be busy. */
const HANG_MS = 300_000;
/** A feed that ends the program three times while being read is skipped, and an early kill may count as one of them. */
const EARLY_KILLS_MAX = 2;
/** No kills with fewer events left than this: the sync might end before the signal arrives. */
const LEFT_MIN = 200;

const YAML = `builtin: { timezone: Europe/Warsaw }
sources:
  town: { url: "file:town.ics" }
feeds:
  all: { title: Everything on }
`;
const FEED = calendarText(
  comingEvents(EVENTS).map((event, index) => ({
    ...event,
    lines: [
      `CATEGORIES:Kind ${index % 20}`,
      `LOCATION:Place ${index % 60}`,
      `ORGANIZER;CN=People ${index % 7}:mailto:p@town.example`,
    ],
  })),
);

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

interface Page {
  readonly total: number;
  readonly total_pages: number;
  readonly events: readonly {
    readonly slug: string;
    readonly title: string;
    readonly start_date: string;
    readonly categories: readonly { readonly name: string }[];
    readonly venue: { readonly venue: string };
    readonly organizer: readonly { readonly organizer: string }[];
  }[];
}

async function page(daemon: Daemon, number: number): Promise<Page> {
  const answer = await fetch(
    `${daemon.url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50&page=${number}`,
  );
  return answer.ok ? ((await answer.json()) as Page) : { total: 0, total_pages: 0, events: [] };
}

const total = (daemon: Daemon): Promise<number> =>
  page(daemon, 1).then(
    ({ total: count }) => count,
    () => 0,
  );

async function allEvents(daemon: Daemon): Promise<Page['events']> {
  const first = await page(daemon, 1);
  const all = [...first.events];
  for (let number = 2; number <= first.total_pages; number += 1) all.push(...(await page(daemon, number)).events);
  return all;
}

async function count(daemon: Daemon, resource: string): Promise<number> {
  const answer = await fetch(`${daemon.url}/api/calendar/events/v1/${resource}?per_page=1&hide_empty=false`);
  return Number(answer.headers.get('x-tec-total') ?? ((await answer.json()) as { total: number }).total);
}

interface Run {
  readonly run: string;
  readonly state: string;
  readonly report: { readonly created: number; readonly problems: readonly unknown[] } | null;
}

/**
 * When a program is killed: so many milliseconds after its start, which hits its reading and planning, or when the site
 * has so many events.
 */
type Moment = { readonly afterMs: number } | { readonly at: number };

const inWords = (moment: Moment): string =>
  'at' in moment ? `at ${moment.at} events` : `${moment.afterMs} ms after the start`;

/**
 * Kills the program at these moments of one sync, always before its end, starts it again, and checks the site. Returns
 * the number of kills.
 */
async function checkKills(
  place: Home,
  env: Readonly<Record<string, string>>,
  moments: readonly Moment[],
): Promise<number> {
  await place.write('town.ics', FEED);
  const told: string[] = [];
  let [early, hasBegun] = [0, false];
  for (const moment of moments) {
    const killed = place.start([], env);
    if (!('at' in moment)) await sleep(moment.afterMs);
    const at = 'at' in moment ? moment.at : !hasBegun && early === EARLY_KILLS_MAX ? 1 : undefined;
    const held = at === undefined ? undefined : await pauseSyncAt(place, at, HANG_MS);
    const before = held?.count ?? (await total(killed));
    await killed.kill();
    await held?.resume();
    // A sync that is nearly over or ended cannot be hit any more.
    if (before > EVENTS - LEFT_MIN) break;
    told.push(`${inWords(moment)} (${before})`);
    if (before > 0) hasBegun = true;
    else early += 1;
  }
  const daemon = place.start([], env);
  const readyMs = await daemon.ready(HANG_MS);
  process.stderr.write(
    `killed ${told.join(', ')}; the site was whole ${Math.round(readyMs)} ms after the last start\n`,
  );
  await checkSite(daemon);
  const { runs } = JSON.parse((await place.command(['runs', '--json'])).stdout) as { runs: readonly Run[] };
  expect(
    runs.flatMap((run) => (run.state === 'done' || run.state === 'unchanged' ? [] : [JSON.stringify(run)])),
  ).toEqual([]);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
  expect(place.processes()).toEqual([]);
  return told.length;
}

/** Checks that the site has every event once, with its own slug and names, and nothing else. */
async function checkSite(daemon: Daemon): Promise<void> {
  const events = await allEvents(daemon);
  expect(events).toHaveLength(EVENTS);
  expect(new Set(events.map(({ title }) => title)).size).toBe(EVENTS);
  expect(events.filter(({ slug }) => !/^event-number-\d+-[a-z2-7]{14}$/.test(slug))).toEqual([]);
  expect(
    events.filter(({ title, categories, venue, organizer }) => {
      const index = Number(/\d+$/.exec(title)![0]);
      return (
        `${categories.map(({ name }) => name).join()}|${venue.venue}|${organizer.map((each) => each.organizer).join()}` !==
        `Kind ${index % 20}|Place ${index % 60}|People ${index % 7}`
      );
    }),
  ).toEqual([]);
  expect([await count(daemon, 'categories'), await count(daemon, 'venues'), await count(daemon, 'organizers')]).toEqual(
    [20, 60, 7],
  );
}

test('PostgreSQL is killed under the program, which completes the sync and stops cleanly', async () => {
  home = await programHome(YAML);
  await home.write('town.ics', calendarText(comingEvents(800)));
  const daemon = home.start([], { LOG_LEVEL: 'fatal' });
  const held = await pauseSyncAt(home, 50);
  process.kill(home.postmaster()!, 'SIGKILL');
  await held.resume();
  await daemon.ready(90_000);
  expect(await allEvents(daemon)).toHaveLength(800);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
  expect(home.processes()).toEqual([]);
});

const HOMES = queueHomes(12);
const KILLS_HERE = Math.ceil(KILLS / HOMES.length);

describe.each(HOMES)('with the queue on %s', (name, queueHome) => {
  async function place(): Promise<{ place: Home; env: Record<string, string> }> {
    home = await programHome(YAML);
    const queue = await queueHome({ url: 'postgresql://nowhere/' });
    return { place: home, env: { LOG_LEVEL: 'warn', ...('redisUrl' in queue ? { REDIS_URL: queue.redisUrl } : {}) } };
  }

  test('a kill after some hundred events: the next start takes over the run', async () => {
    const { place: where, env } = await place();
    expect(await checkKills(where, env, [{ at: 300 }])).toBe(1);
    // It was the same run from beginning to end.
    const { runs } = JSON.parse((await where.command(['runs', '--json'])).stdout) as { runs: readonly Run[] };
    expect(runs.filter(({ state }) => state === 'done')).toMatchObject([{ report: { created: EVENTS, problems: [] } }]);
  });

  test(
    `${KILLS_HERE} kills at random moments before the end: the site is always complete`,
    async () => {
      let [kills, syncs] = [0, 0];
      while (kills < KILLS_HERE) {
        const { place: where, env } = await place();
        kills += await checkKills(where, env, randomMoments(Math.min(KILLS_PER_SYNC, KILLS_HERE - kills)));
        syncs += 1;
        await where.close();
        process.stderr.write(
          `${kills} of ${KILLS_HERE} kills on ${name}, in ${syncs} ${syncs === 1 ? 'sync' : 'syncs'}: the same site each time\n`,
        );
      }
      expect(kills).toBe(KILLS_HERE);
    },
    HANG_MS + KILLS_HERE * 60_000,
  );
});

/** Moments in one sync, in order: about a third soon after a start, the others anywhere in the sync. */
function randomMoments(count: number): readonly Moment[] {
  const on = Array.from({ length: count }, () => Math.floor(Math.random() * (EVENTS - LEFT_MIN))).toSorted(
    (one, other) => one - other,
  );
  return on.map((at, index): Moment =>
    index === 0 || Math.random() < 1 / 3 ? { afterMs: Math.round(300 + Math.random() * 3_000) } : { at },
  );
}
