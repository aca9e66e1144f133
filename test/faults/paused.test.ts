import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { coming, comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { connectToEmbedded } from '../support/mid-sync.ts';
import { until } from '../support/until.ts';
import { checkWhole, seconds, tell, total } from './site.ts';

// One of several processes is paused (SIGSTOP): it does no work, but keeps the locks that it holds.

const YAML = `builtin: { timezone: Europe/Warsaw }
sources:
  town: { url: "file:town.ics", every: 1s }
`;
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

/** Who waits for our locks. Not from pg_stat_activity, whose contents do not change within a transaction. */
const WAITS_FOR_US = 'select pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';
/** Whether a connection has the turn to write while the server waits for its process. */
const HOLDS_TURN = `select from pg_locks join pg_stat_activity using (pid) where pid = $1
  and relation = 'site.revision'::regclass and mode = 'RowShareLock' and granted and state = 'idle in transaction'`;

/**
 * Pauses a worker (SIGSTOP) in the middle of a run, while it has the turn to write: it is stopped while it waits for a
 * row that we have locked; then the server carries out what was sent and waits for the process, which keeps the turn.
 */
async function pauseInTurn(worker: Daemon, inside: pg.Client): Promise<void> {
  await inside.query('begin');
  await inside.query('set local idle_in_transaction_session_timeout = 0');
  await inside.query('select from site.events where title = $1 for update', [`Event number ${EVENTS / 2}`]);
  await publish('Second');
  const writer = await until(
    'the worker to wait for the row',
    async () => (await inside.query<{ pid: number }>(WAITS_FOR_US)).rows[0]?.pid,
    HANG_MS,
  );
  paused = worker.pid();
  process.kill(paused, 'SIGSTOP');
  await inside.query('commit');
  await until('the turn to be held', async () => (await inside.query(HOLDS_TURN, [writer])).rows.length > 0, HANG_MS);
}

/** The home of a town whose feed is read every second, with its first edition on the site. */
async function firstEdition(): Promise<{ readonly web: Daemon; readonly worker: Daemon; readonly inside: pg.Client }> {
  home = await programHome(YAML);
  await publish('First');
  const web = home.start(['--role', 'web'], { LOG_LEVEL: 'fatal' });
  await web.ready();
  const worker = home.start(['--role', 'worker'], { LOG_LEVEL: 'fatal' });
  await until('the first edition', async () => (await total(web)) === EVENTS, HANG_MS);
  look = await connectToEmbedded(home);
  return { web, worker, inside: look };
}

const publish = (edition: string): Promise<unknown> =>
  home!.write(
    'town.ics',
    calendarText(comingEvents(EVENTS).map((event) => ({ ...event, lines: [`DESCRIPTION:${edition} edition`] }))),
  );

/** How many events of the second edition have arrived. */
async function arrived(inside: pg.Client): Promise<number> {
  const { rows } = await inside.query<{ count: number }>(
    "select count(*)::int as count from site.events where description like '%Second edition%'",
  );
  return rows[0]?.count ?? 0;
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
      start_date: `${coming(0)} 18:00:00`,
      end_date: `${coming(0)} 19:00:00`,
      status: 'publish',
    }),
  });

const isThere = async ({ url }: Daemon, title: string): Promise<boolean> =>
  (
    (await (
      await fetch(`${url}/api/calendar/events/v1/events?starts_after=1971-01-01&search=${encodeURIComponent(title)}`)
    ).json()) as { total: number }
  ).total > 0;

test('a worker is paused while it has the turn to write: others can soon write, and its run ends complete', async () => {
  const { web, worker, inside } = await firstEdition();
  const authorization = await passwordOf();
  await pauseInTurn(worker, inside);

  const begun = performance.now();
  // Its client waits only for a moment, then disconnects.
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
  await until('the second edition', async () => (await arrived(inside)) === EVENTS, HANG_MS);
  await checkWhole(web, EVENTS + 1);
  tell('a client goes while its write waits', 'it is not carried out');
  for (const daemon of [worker, web]) expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test('a worker is paused for good: another one completes its run', async () => {
  const { web, worker: first, inside } = await firstEdition();
  await pauseInTurn(first, inside);
  expect(await arrived(inside)).toBeLessThan(EVENTS);
  const begun = performance.now();
  const second = home!.start(['--role', 'worker'], { LOG_LEVEL: 'fatal' });
  await until('the second edition', async () => (await arrived(inside)) === EVENTS, HANG_MS);
  tell('a worker is paused (SIGSTOP) for good in mid-run', `another one ends its run, whole, ${seconds(begun)} later`);
  await checkWhole(web, EVENTS);
  // It wakes after others have done its work.
  wake();
  await sleep(5_000);
  await checkWhole(web, EVENTS);
  tell('a worker that was paused wakes', 'nothing is written twice');
  for (const daemon of [first, second, web]) expect((await daemon.stop('SIGTERM')).code).toBe(0);
});
