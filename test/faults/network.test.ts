import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { changingTown, type ChangingTown } from './changing-town.ts';
import { hasRedis } from './own-redis.ts';
import { tell } from './site.ts';

// Redis is on another host (a network namespace), and the cable between them is pulled: nothing is refused, and nothing
// is answered.

const NAME = `calsyncd-${process.pid}`;
const [OURS, THEIRS] = [`cs${process.pid}`, `ct${process.pid}`];
const NET = `10.213.${process.pid % 250}`;
const CUT_MS = 15_000;
const ip = (...args: readonly string[]): unknown => execFileSync('ip', args, { stdio: 'pipe' });

function canMakeHosts(): boolean {
  if (process.getuid?.() === 0 && spawnSync('ip', ['netns', 'add', NAME]).status === 0) {
    ip('netns', 'del', NAME);
    return true;
  }
  process.stderr.write('NOT RUN: a network that is cut (it takes root, and ip of iproute2)\n');
  return false;
}

let town: ChangingTown | undefined;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  await town?.home.close();
  town = undefined;
  for (const each of undo.splice(0).toReversed()) await each();
});

/** Starts a Redis in a namespace of its own; returns its address. */
async function redisElsewhere(): Promise<string> {
  ip('netns', 'add', NAME);
  undo.push(() => ip('netns', 'del', NAME));
  ip('link', 'add', OURS, 'type', 'veth', 'peer', 'name', THEIRS, 'netns', NAME);
  ip('addr', 'add', `${NET}.1/24`, 'dev', OURS);
  ip('link', 'set', OURS, 'up');
  for (const words of [`addr add ${NET}.2/24 dev ${THEIRS}`, `link set ${THEIRS} up`])
    ip('-n', NAME, ...words.split(' '));
  const settings = ['--bind', `${NET}.2`, '--protected-mode', 'no', '--save', '', '--maxmemory-policy', 'noeviction'];
  const server = spawn('ip', ['netns', 'exec', NAME, 'redis-server', ...settings], { stdio: 'ignore' });
  undo.push(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  await until('Redis', () => spawnSync('redis-cli', ['-h', `${NET}.2`, 'ping']).stdout?.toString() === 'PONG\n');
  return `redis://${NET}.2:6379`;
}

describe.runIf(hasRedis() && canMakeHosts())('the network to Redis', () => {
  test('is cut for a while: the site stays readable, and follows its feed again once the network is back', async () => {
    const redis = await redisElsewhere();
    town = await changingTown();
    const daemon = town.home.start([], { LOG_LEVEL: 'fatal', REDIS_URL: redis });
    await town.follows(daemon);
    ip('-n', NAME, 'link', 'set', THEIRS, 'down');
    await town.publish();
    const statuses: number[] = [];
    for (const end = performance.now() + CUT_MS; performance.now() < end; await sleep(1_000))
      for (const place of ['/', '/feeds/', '/healthz']) statuses.push((await fetch(`${daemon.url}${place}`)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await fetch(`${daemon.url}/readyz`)).status).toBe(503);
    ip('-n', NAME, 'link', 'set', THEIRS, 'up');
    const after = await town.follows(daemon);
    tell(
      `the network between worker and Redis is cut for ${CUT_MS / 1000} s`,
      `${statuses.length} pages meanwhile: all 200; the site follows its feed ${after} after it is back`,
    );
    await until('that it is ready', async () => (await fetch(`${daemon.url}/readyz`)).status === 200);
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });
});
