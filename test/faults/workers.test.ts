import { afterEach, expect, test } from 'vitest';
import type { Daemon } from '../support/daemon.ts';
import { openFleet, titleOf, type Fleet } from '../support/fleet.ts';
import { postsOf } from '../support/real-site/store.ts';
import { until } from '../support/until.ts';
import { hasRedis, ownRedis, type OwnRedis } from './own-redis.ts';

// Workers that share a site, a database and a queue, and come and go while they write: the site never gets more writes
// at a time than its limit, and ends with each event once.

const EVENTS = 3;
const LIMIT = 3;
const SOURCES = Array.from({ length: 60 }, (_, index) => `source-${index}`);
/** Generous, because the machine may be busy. */
const HANG_MS = 300_000;

let fleet: Fleet | undefined;
let redis: OwnRedis | undefined;
afterEach(async () => {
  await fleet?.close();
  await redis?.close();
  [fleet, redis] = [undefined, undefined];
});

const HOMES = ['PostgreSQL', ...(hasRedis() ? ['Redis'] : [])];

test.each(HOMES)(
  'with the queue on %s, workers join and leave in mid-run, and each event is written exactly once',
  async (home) => {
    redis = home === 'Redis' ? await ownRedis() : undefined;
    const own = await openFleet({
      sources: SOURCES,
      events: EVENTS,
      latencyMs: 20,
      requestsInFlight: LIMIT,
      ...(redis ? { redisUrl: redis.url } : {}),
    });
    fleet = own;
    const written = (): number => postsOf(own.site.store(), 'events').length;
    const more = async (what: string): Promise<void> => {
      const from = written();
      await until(`more events ${what}`, () => written() >= Math.min(from + 10, SOURCES.length * EVENTS), HANG_MS);
    };
    const workers: Daemon[] = [own.startWorker(), own.startWorker()];
    const web = await own.startWeb();
    await more('of two workers');
    await workers[0]?.kill();
    await more('after one of them was killed');
    workers.push(own.startWorker());
    await more('with another one');
    expect((await workers[1]?.stop('SIGTERM'))?.code).toBe(0);
    await until('all sources', async () => (await own.ended('done')) === SOURCES.length, HANG_MS);

    const titles = postsOf(own.site.store(), 'events').map(({ title }) => title);
    const wanted = SOURCES.flatMap((source) => Array.from({ length: EVENTS }, (_, index) => titleOf(source, index)));
    expect(titles.toSorted()).toEqual(wanted.toSorted());
    expect(own.site.writesAtOnce()).toBeGreaterThan(1);
    expect(own.site.writesAtOnce()).toBeLessThanOrEqual(LIMIT);
    for (const one of [web, workers[2]]) expect((await one?.stop('SIGTERM'))?.code).toBe(0);
  },
);
