import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { signalServer } from '../../src/db/embedded/server.ts';
import type { Daemon, Home } from '../support/daemon.ts';
import { pauseSyncAt } from '../support/mid-sync.ts';
import { until } from '../support/until.ts';
import { checkWhole, runsOf, seconds, tell, total, town } from './site.ts';

// PostgreSQL is killed or frozen under the program: requests meanwhile soon get a 503 with Retry-After.

const EVENTS = 800;
/** Generous, because the machine may be busy: the point is that nobody hangs. */
const ANSWER_MS_MAX = 20_000;
const HANG_MS = 240_000;

let home: Home | undefined;
let frozen: readonly number[] = [];
afterEach(async () => {
  thaw();
  await home?.close();
  home = undefined;
});

type Asked = readonly [path: string, headers: Readonly<Record<string, string>>, type: RegExp];

/** A public feed that was requested just before is answered from memory. */
const KEPT = '/feeds/all.ics';

const ASKED: readonly Asked[] = [
  ['/api/calendar/events/v1/events', {}, /json/],
  ['/api/calendar/events/v1/categories', {}, /json/],
  ['/', { accept: 'text/html' }, /html/],
  ['/month/', { accept: 'text/html' }, /html/],
  ['/event/event-number-1/', { accept: 'text/html' }, /html/],
  ['/authorize', { accept: 'text/html' }, /html/],
  ['/feeds/', { accept: 'text/html' }, /html/],
  [KEPT, {}, /calendar/],
];

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly type: string;
  readonly body: string;
  readonly ms: number;
}

async function ask(
  { url }: Daemon,
  place: string,
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<Answer> {
  const begun = performance.now();
  const answer = await fetch(`${url}${place}`, {
    ...init,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  const body = await answer.text();
  return {
    path: place,
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    type: answer.headers.get('content-type') ?? '',
    body,
    ms: performance.now() - begun,
  };
}

/** The answers of all addresses, requested at the same time. */
const askAll = (daemon: Daemon, asked = ASKED): Promise<readonly Answer[]> =>
  Promise.all(asked.map(([place, headers]) => ask(daemon, place, headers)));

function postmaster(): number {
  const pid = home?.postmaster();
  if (pid === undefined) throw new Error('The embedded PostgreSQL does not run.');
  return pid;
}

function freeze(): void {
  const server = postmaster();
  frozen = [
    server,
    ...spawnSync('pgrep', ['-P', String(server)], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== '')
      .map(Number),
  ];
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
}

function thaw(): void {
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  frozen = [];
}

/** Each answer that is not from memory is a 503 with Retry-After in the right type, and none takes long. */
function checkAway(answers: readonly Answer[], asked = ASKED): void {
  expect(answers.map(({ path: place, status, retryAfter }) => `${place} ${status} ${retryAfter}`)).toEqual(
    asked.map(([place]) => `${place} ${place === KEPT ? '200 null' : '503 5'}`),
  );
  for (const [index, answer] of answers.entries()) {
    expect(answer.type).toMatch(asked[index]![2]);
    expect(answer.body).toMatch(answer.path === KEPT ? /^BEGIN:VCALENDAR/ : /cannot be reached right now/);
    expect(answer.ms).toBeLessThan(ANSWER_MS_MAX);
  }
}

const longest = (answers: readonly Answer[]): string =>
  `${(Math.max(...answers.map(({ ms }) => ms)) / 1000).toFixed(1)} s`;

async function checkBack(daemon: Daemon): Promise<void> {
  const statuses = async (): Promise<string> => (await askAll(daemon)).map(({ status }) => status).join();
  // There is no event of that name: 404 is the right answer.
  await until('the site', async () => (await statuses()) === '200,200,200,200,404,200,200,200', HANG_MS);
}

test('PostgreSQL is frozen while people read: pages answer 503 with Retry-After, feeds come from memory', async () => {
  home = await town(60);
  const daemon = home.start([], { LOG_LEVEL: 'fatal' });
  await daemon.ready();
  await until('the events', async () => (await total(daemon)) === 60);
  await askAll(daemon);
  freeze();
  // The sign-in form needs nothing from the database, so it is served until the freeze has been noticed.
  const atOnce = ASKED.filter(([place]) => place !== '/authorize');
  const early = await askAll(daemon, atOnce);
  const later = await askAll(daemon);
  tell(
    'PostgreSQL: frozen (SIGSTOP), people read',
    `503 with Retry-After; who asked at the freeze waited ${longest(early)}, later ${longest(later)}`,
  );
  checkAway(early, atOnce);
  checkAway(later);
  expect((await ask(daemon, '/healthz')).status).toBe(200);
  expect((await ask(daemon, '/readyz')).status).toBe(503);
  thaw();
  await checkBack(daemon);
  await checkWhole(daemon, 60);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test('PostgreSQL is frozen when the program is told to stop: it ends without waiting, and the next start has everything', async () => {
  home = await town(60);
  const daemon = home.start([], { LOG_LEVEL: 'warn' });
  await daemon.ready();
  await until('the events', async () => (await total(daemon)) === 60);
  freeze();
  const begun = performance.now();
  const { code, stderr } = await daemon.stop('SIGTERM');
  tell('PostgreSQL: frozen (SIGSTOP), SIGTERM', `the program ends ${seconds(begun)} later`);
  expect(code).toBe(0);
  const warnings = stderr.split('\n').filter((line) => line.includes('the database has not answered'));
  const left = warnings.map((line) => (JSON.parse(line) as { left: readonly string[] }).left);
  // The program checks now and then whether a backup is due, and may have been doing so at the freeze.
  expect(left.map((whats) => whats.filter((what) => what !== 'backups'))).toEqual([
    [
      'runs',
      'answers to requests',
      'the watch over the configuration file',
      'alerts',
      'the queue',
      'housekeeping',
      'the database',
    ],
  ]);
  thaw();
  const next = home.start([], { LOG_LEVEL: 'fatal' });
  await next.ready();
  await checkWhole(next, 60);
  expect((await next.stop('SIGTERM')).code).toBe(0);
});

test('PostgreSQL is killed again and again: pages answer 503 with Retry-After, and never 500', async () => {
  home = await town(60);
  const daemon = home.start([], { LOG_LEVEL: 'fatal' });
  await daemon.ready();
  await until('the events', async () => (await total(daemon)) === 60);
  // The program restarts its server within seconds, so it is killed each time it is back.
  const seen: Answer[] = [];
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    const server = home.postmaster();
    if (server !== undefined) signalServer(server, 'SIGKILL');
    seen.push(...(await askAll(daemon)));
  }
  const away = seen.filter(({ status }) => status === 503);
  tell(
    'PostgreSQL: killed again and again for 10 s, people read',
    `${seen.length} answers: ${away.length} 503 with Retry-After, ${seen.filter(({ status }) => status === 500).length} 500; longest ${longest(seen)}`,
  );
  expect(seen.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  expect(away.length).toBeGreaterThan(0);
  expect(away.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
  expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(ANSWER_MS_MAX);
  await checkBack(daemon);
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test.each(['killed', 'frozen for 20 s'])(
  'PostgreSQL is %s in the middle of a first sync, which still ends complete',
  async (how) => {
    home = await town(EVENTS);
    const daemon = home.start([], { LOG_LEVEL: 'fatal' });
    const held = await pauseSyncAt(home, 100, HANG_MS);
    if (how === 'killed') process.kill(postmaster(), 'SIGKILL');
    else {
      freeze();
      await sleep(20_000);
      thaw();
    }
    await held.resume();
    const begun = performance.now();
    await until('the end of the sync', async () => (await total(daemon)) === EVENTS, HANG_MS);
    await until('the end of the run', async () => (await runsOf(home!)).some(({ state }) => state === 'done'), HANG_MS);
    tell(`PostgreSQL: ${how}, in mid-run`, `the sync ends, whole, ${seconds(begun)} after`);
    await checkWhole(daemon, EVENTS);
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  },
);
