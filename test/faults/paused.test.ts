import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { poolConfig } from '../../src/db/database.ts';
import { runningServer } from '../../src/db/embedded/server.ts';
import type { Daemon, Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';
import { checkWhole, seconds, tell, total, town } from './site.ts';

// One process of several is paused (SIGSTOP): it neither works nor lets go of what it holds.

const EVENTS = 1_000;
const HANG_MS = 300_000;

let home: Home | undefined;
let paused: number | undefined;
let look: pg.Client | undefined;
afterEach(async () => {
  wake();
  await look?.end();
  look = undefined;
  await home?.close();
  home = undefined;
});

function wake(): void {
  if (paused !== undefined) process.kill(paused, 'SIGCONT');
  paused = undefined;
}

/** A connection of the test's own to the embedded server. */
async function lookInside(): Promise<pg.Client> {
  const server = await until(
    'the server',
    () => runningServer(path.join(home!.dataDir, 'postgres', 'data'))?.socketDirectory,
  );
  look = new pg.Client(poolConfig({ socketDirectory: server, database: 'calsyncd', user: 'calsyncd' }, 1));
  look.on('error', () => undefined);
  await look.connect();
  return look;
}

/** Pauses a process at a moment at which `isAt` says that it holds what is meant. */
async function pauseWhen(pid: number, isAt: () => Promise<boolean>): Promise<void> {
  paused = pid;
  await until(
    'the moment',
    async () => {
      process.kill(pid, 'SIGSTOP');
      if (await isAt()) return true;
      process.kill(pid, 'SIGCONT');
      return undefined;
    },
    HANG_MS,
  );
}

// The server goes on with the statement at hand, then waits for the process, with the row still locked.
const TURN_HELD = `select 1 from pg_locks join pg_stat_activity using (pid)
  where relation = 'site.revision'::regclass and mode = 'RowShareLock' and granted and state = 'idle in transaction'`;

async function isTurnHeld(client: pg.Client): Promise<boolean> {
  await sleep(20);
  return (await client.query(TURN_HELD)).rowCount! > 0;
}

async function passwordOf(): Promise<string> {
  const { stdout } = await home!.command(['password', 'admin', 'faults', '--json']);
  const { username, application_password: password } = JSON.parse(stdout) as {
    username: string;
    application_password: string;
  };
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

const create = ({ url }: Daemon, authorization: string, title: string, signal: AbortSignal): Promise<Response> =>
  fetch(`${url}/api/calendar/events/v1/events`, {
    method: 'POST',
    signal,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      title,
      start_date: '2027-03-01 18:00:00',
      end_date: '2027-03-01 19:00:00',
      status: 'publish',
    }),
  });

const isThere = async ({ url }: Daemon, title: string): Promise<boolean> =>
  (
    (await (
      await fetch(`${url}/api/calendar/events/v1/events?starts_after=1971-01-01&search=${encodeURIComponent(title)}`)
    ).json()) as { total: number }
  ).total > 0;

test('a worker is paused while it holds the turn to write: others write soon, and its run ends whole', async () => {
  home = await town(EVENTS);
  const web = home.start(['--role', 'web'], { LOG_LEVEL: 'fatal' });
  await web.ready();
  const authorization = await passwordOf();
  const inside = await lookInside();
  const worker = home.start(['--role', 'worker'], { LOG_LEVEL: 'fatal' });
  await until('the first events', async () => (await total(web)) >= 50, HANG_MS);
  await pauseWhen(worker.pid(), () => isTurnHeld(inside));

  const begun = performance.now();
  // Its client waits for a moment only, and goes.
  const left = create(web, authorization, 'Asked for by who has gone', AbortSignal.timeout(2_000)).then(
    () => 'answered',
    () => 'gone',
  );
  const statuses: string[] = [];
  const written = await until(
    'a write',
    async () => {
      const answer = await create(
        web,
        authorization,
        'Asked for while a worker is paused',
        AbortSignal.timeout(60_000),
      );
      statuses.push(
        `${answer.status}${answer.status === 503 ? ` Retry-After ${answer.headers.get('retry-after')}` : ''}`,
      );
      await answer.text();
      return answer.status === 201;
    },
    HANG_MS,
  );
  expect(written).toBe(true);
  tell(
    'a worker is paused (SIGSTOP) with the turn to write',
    `a REST write gets through ${seconds(begun)} later, with ${statuses.join(', ')}`,
  );
  expect(await left).toBe('gone');
  expect(statuses.slice(0, -1).filter((status) => status !== '503 Retry-After 5')).toEqual([]);
  expect(await isThere(web, 'Asked for while a worker is paused')).toBe(true);
  expect(await isThere(web, 'Asked for by who has gone')).toBe(false);

  wake();
  await until('the whole feed', async () => (await total(web)) === EVENTS + 1, HANG_MS);
  await checkWhole(web, EVENTS + 1);
  tell('a client goes while its write waits', 'it is not carried out');
  for (const daemon of [worker, web]) expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test('a worker is paused for good: another one ends its run', async () => {
  home = await town(EVENTS);
  const web = home.start(['--role', 'web'], { LOG_LEVEL: 'fatal' });
  await web.ready();
  const inside = await lookInside();
  const first = home.start(['--role', 'worker'], { LOG_LEVEL: 'fatal' });
  await until('the first events', async () => (await total(web)) >= 50, HANG_MS);
  await pauseWhen(first.pid(), () => isTurnHeld(inside));
  const begun = performance.now();
  const second = home.start(['--role', 'worker'], { LOG_LEVEL: 'fatal' });
  await until('the whole feed', async () => (await total(web)) === EVENTS, HANG_MS);
  tell('a worker is paused (SIGSTOP) for good in mid-run', `another one ends its run, whole, ${seconds(begun)} later`);
  await checkWhole(web, EVENTS);
  // It wakes in the middle of what others have done since.
  wake();
  await sleep(5_000);
  await checkWhole(web, EVENTS);
  tell('a worker that was paused wakes', 'nothing is written twice');
  for (const daemon of [first, second, web]) expect((await daemon.stop('SIGTERM')).code).toBe(0);
});
