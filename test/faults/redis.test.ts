import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { openBackend, type Backend } from '../../src/queue/backend.ts';
import type { Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';
import { changingTown, type ChangingTown } from './changing-town.ts';
import { hasRedis, ownRedis, type OwnRedis } from './own-redis.ts';
import { checkWhole, runsOf, seconds, tell, total, town } from './site.ts';

// Redis loses its data, all of it or the last second, in the middle of a first sync. The program keeps running.

// Many more than are written within the second that is lost.
const EVENTS = 15_000;
/** How long a sync may take after the fault: a limit against hanging, not a measure of speed. */
const HANG_MS = 240_000;

let home: Home | undefined;
let redis: OwnRedis | undefined;
afterEach(async () => {
  await home?.close();
  await redis?.close();
  [home, redis] = [undefined, undefined];
});

interface Fault {
  readonly name: string;
  readonly happens: (server: OwnRedis) => Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'Redis: FLUSHALL in mid-run',
    happens: async (server) => {
      await server.client.flushall();
    },
  },
  {
    name: 'Redis: kill -9 in mid-run, started empty 5 s later',
    happens: async (server) => {
      await server.kill();
      await server.empty();
      await sleep(5_000);
      await server.start();
    },
  },
  {
    name: 'Redis: kill -9 in mid-run, its last second is lost',
    happens: async (server) => {
      const before = await server.size();
      await sleep(1_000);
      await server.kill();
      await server.cutTo(before);
      await server.start();
    },
  },
];

describe.runIf(hasRedis())('the queue on Redis', () => {
  // In the middle of the events; with FAULTS_HOURS also at the first one.
  const moments = process.env['FAULTS_HOURS'] === undefined ? [300] : [1, 300];
  test.each(FAULTS.flatMap((fault) => moments.map((at) => ({ ...fault, at }))))(
    '$name, at $at events',
    async ({ name, happens, at }) => {
      redis = await ownRedis();
      home = await town(EVENTS);
      const daemon = home.start([], { REDIS_URL: redis.url, LOG_LEVEL: 'warn' });
      await until('the first events', async () => (await total(daemon)) >= at, HANG_MS);
      await happens(redis);
      const begun = performance.now();
      expect(await total(daemon)).toBeLessThan(EVENTS);
      await until('all events', async () => (await total(daemon)) === EVENTS, HANG_MS);
      await until(
        'the end of the run',
        async () => (await runsOf(home!)).some(({ state }) => state === 'done'),
        HANG_MS,
      );
      tell(name, `at ${at} of ${EVENTS} events: the same run ends, whole, ${seconds(begun)} after`);
      await checkWhole(daemon, EVENTS);
      // The same run from beginning to end; runs after it had nothing to do.
      const runs = await runsOf(home);
      expect(runs.filter(({ state }) => state === 'done')).toMatchObject([{ report: { created: EVENTS } }]);
      expect(runs.filter(({ state }) => state !== 'done' && state !== 'unchanged')).toEqual([]);
      // The schedules are restored as well.
      await until('the schedules', async () => (await redis!.client.zcard('{sync}:sync:repeat')) === 1);
      expect((await daemon.stop('SIGTERM')).code).toBe(0);
    },
  );

  test('fails over: its name leads to another server, and clients that stay connected are on a replica', async () => {
    const [first, second] = [await ownRedis(), await ownRedis()];
    let leadsTo = first;
    const name = createServer((socket) => {
      const there = connect(Number(URL.parse(leadsTo.url)?.port));
      socket.pipe(there).pipe(socket);
      for (const end of [socket, there]) end.on('error', () => socket.destroy()).on('close', () => there.destroy());
    });
    await new Promise<void>((listening) => name.listen(0, '127.0.0.1', listening));
    const places: { town?: ChangingTown } = {};
    try {
      const { port } = name.address() as AddressInfo;
      const town = (places.town = await changingTown());
      const daemon = town.home.start([], { REDIS_URL: `redis://127.0.0.1:${port}`, LOG_LEVEL: 'fatal' });
      await town.follows(daemon);
      leadsTo = second;
      await first.client.replicaof('127.0.0.1', URL.parse(second.url)?.port ?? '');
      await town.publish();
      tell('Redis: fails over to another server', `the site follows its feed ${await town.follows(daemon)} after`);
      expect((await daemon.stop('SIGTERM')).code).toBe(0);
    } finally {
      await places.town?.home.close();
      name.close();
      await first.close();
      await second.close();
    }
  });

  test('`doctor` without the REDIS_URL of the daemon says so', async () => {
    redis = await ownRedis();
    home = await town(1);
    const daemon = home.start([], { REDIS_URL: redis.url, LOG_LEVEL: 'fatal' });
    await daemon.ready();
    const queueOf = async (variables: Readonly<Record<string, string>>): Promise<string | undefined> =>
      /^\S+ +queue +[^]*?(?=\n\S)/m.exec((await home!.command(['doctor'], variables)).stdout)?.[0];
    expect(await until('the queue', () => queueOf({ REDIS_URL: redis!.url }))).toMatch(/^ok .*redis.*$/);
    expect(await queueOf({})).toMatch(
      /^BAD .*postgresql.*\n.* has its queue in Redis \(REDIS_URL\), this command in the database/,
    );
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });

  test('a database number that Redis does not have is refused instead of replaced by another', async () => {
    redis = await ownRedis();
    const at = (database: number): Promise<Backend> =>
      openBackend({ redisUrl: `${redis!.url}/${database}` }, 1, createLogger('silent'));
    await (await at(15)).close();
    await expect(at(99)).rejects.toMatchObject({
      code: 'redis-unreachable',
      message: expect.stringContaining('DB index is out of range') as unknown,
    });
  });
});
