import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../support/daemon.ts';
import { until } from '../support/until.ts';

/** A Redis server for one test, which can be killed and started again on the same port. */
export interface OwnRedis {
  readonly url: string;
  readonly client: Redis;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Deletes what it has stored on disk. It must be stopped. */
  readonly empty: () => Promise<void>;
  /**
   * `size`: how much it has written to disk; `cutTo`: cuts that back to a size, as if nothing had been written since.
   * It must be stopped for that.
   */
  readonly size: () => Promise<number>;
  readonly cutTo: (bytes: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Whether Redis is installed; prints a note if it is not. */
export function hasRedis(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true;
  process.stderr.write(
    'NOT RUN: the faults of Redis (redis-server is not installed; on Debian: apt-get install redis-server)\n',
  );
  return false;
}

/** Starts one that logs each write to disk (`appendonly`). */
export async function ownRedis(): Promise<OwnRedis> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn(
      'redis-server',
      [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'yes',
        '--appendfsync',
        'everysec',
        '--maxmemory-policy',
        'noeviction',
        '--dir',
        directory,
      ],
      { stdio: 'ignore' },
    );
    await until('Redis', () =>
      client.ping().then(
        () => true,
        () => false,
      ),
    );
  };
  const kill = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  const increments = async (): Promise<string> => {
    const folder = path.join(directory, 'appendonlydir');
    return path.join(
      folder,
      (await readdir(folder)).find((file) => file.endsWith('.incr.aof'))!,
    );
  };
  await start();
  return {
    url,
    client,
    start,
    kill,
    empty: () => rm(path.join(directory, 'appendonlydir'), { recursive: true, force: true }),
    size: async () => (await stat(await increments())).size,
    cutTo: async (bytes) => truncate(await increments(), bytes),
    close: async () => {
      client.disconnect();
      if (server.exitCode === null && server.signalCode === null) await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
