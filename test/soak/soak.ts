import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { feedServer } from '../support/feed-server.ts';
import { distinctSourceNames } from '../support/fleet.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { ownRedis } from '../faults/own-redis.ts';
import {
  compare,
  cpuOf,
  failedJobs,
  FASTER_AT_MOST,
  insideOf,
  levelsAtTheEnd,
  levelsOf,
  readFailedAgain,
  type Levels,
  type Row,
} from './levels.ts';
import { answer, dice, nextHour, publishersOf, recover, type Dice, type Publisher } from './publishers.ts';
import { editor, type Editor } from './editor.ts';

// Days of a daemon with many sources in minutes: every source is read once in an "hour" of some seconds; publishers
// change their events and fail, a person edits the site, visitors and calendar programs read it, and the daemon is
// stopped, killed and started again. Each new day begins with a restart whose clock is a day ahead (if libfaketime is
// installed).
// `npm run soak -- --hours=72 --sources=200 --seconds=20 --seed=1`; `--redis` for the queue, `--json` for machines.
// The exit code is 1 if something has grown that should stay level, or the site is not as the feeds say.

const argument = (name: string, standard: number): number =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard);
const [hours, sources] = [argument('hours', 72), argument('sources', 200)];
const [seconds, seed, events] = [argument('seconds', 20), argument('seed', 1), argument('events', 10)];
const [isJson, isOnRedis] = ['--json', '--redis'].map((word) => process.argv.includes(word));

const DAY = 24;
/** The hour of each day in which the daemon is killed. */
const KILLED_AT = 12;
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The environment of a daemon whose clock is so many days ahead. */
const daysAhead = (days: number): Record<string, string> =>
  days > 0 && existsSync(FAKETIME)
    ? { LD_PRELOAD: FAKETIME, FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    : {};

async function started(home: Home, hour: number): Promise<Daemon> {
  const daemon = home.start([], daysAhead(Math.floor(Math.max(0, hour - 1) / DAY)));
  await daemon.ready(10 * 60_000);
  return daemon;
}

/** Each new day begins with an orderly restart; in between, the daemon is killed once. */
async function restarted(home: Home, daemon: Daemon, hour: number): Promise<Daemon> {
  if (hour > 1 && hour % DAY === 1) {
    const { code } = await daemon.stop('SIGTERM');
    if (code !== 0) throw new Error(`the daemon ended with ${code} in hour ${hour}:\n${daemon.stderr().slice(-4000)}`);
  } else if (hour % DAY === KILLED_AT) await daemon.kill();
  else return daemon;
  return started(home, hour);
}

async function soak(): Promise<boolean> {
  const throwDice = dice(seed);
  const publishers = publishersOf(distinctSourceNames(sources), events);
  const server = await feedServer();
  const asked = new Set<string>();
  publishers.forEach((publisher, index) => {
    server.on(`/${publisher.name}.ics`, (request, response) => {
      asked.add(publisher.name);
      answer(publisher, index, request, response);
    });
  });
  const home = await programHome(configuration(server.url, publishers));
  const redis = isOnRedis ? await ownRedis() : undefined;
  if (redis) home.env['REDIS_URL'] = redis.url;
  try {
    if (!existsSync(FAKETIME)) say('libfaketime is not installed: all days are today.');
    let daemon = await started(home, 0);
    const person = await editor(home, daemon, throwDice);
    const levels: Levels[] = [];
    let unread = 0;
    for (let hour = 1; hour <= hours; hour += 1) {
      daemon = await restarted(home, daemon, hour);
      asked.clear();
      nextHour(publishers, hour, throwDice);
      const used = cpuOf(home, daemon);
      const end = performance.now() + seconds * 1000;
      await person.edit(daemon);
      await looks(daemon, throwDice, publishers);
      await sleep(Math.max(0, end - performance.now()));
      unread += sources - asked.size;
      const cpu = (cpuOf(home, daemon) - used) / 1000;
      levels.push({ ...(await levelsAtTheEnd(home, daemon)), ...(await levelsOf(redis)), 'CPU seconds an hour': cpu });
      say(`hour ${hour}: ${asked.size} of ${sources} sources were asked, ${told(levels.at(-1) ?? {})}`);
    }
    recover(publishers);
    const wrong = await differences(home, daemon, publishers, person);
    const rows = compare(levels);
    report(rows, unread, wrong);
    for (const job of await failedJobs(home)) say(`A job has failed: ${job}`);
    await daemon.stop('SIGTERM');
    return rows.every(({ isLevel }) => isLevel) && wrong.length === 0;
  } finally {
    await home.close();
    await redis?.close();
    await server.close();
  }
}

const configuration = (
  url: string,
  publishers: readonly Publisher[],
): string => `fetch: { allow_addresses: [127.0.0.1] }
builtin: { title: Soak, timezone: Europe/Warsaw }
sources:
${publishers.map(({ name }) => `  ${name}: { url: '${url}/${name}.ics', every: ${seconds}s, missing: { after: 2 } }`).join('\n')}
feeds: { all: { title: All } }
backup: { cron: '*/5 * * * *', keep: 3 }
`;

const told = (levels: Levels): string =>
  ['program, MB', 'PostgreSQL, MB', 'open files of the program', 'connections', 'database, MB']
    .map((what) => `${what} ${levels[what]}`)
    .join('; ');

const PAGES = ['/', '/month/', '/week/', '/feeds/', '/feeds/all.ics', '/healthz', '/metrics', '/sitemap.xml'];

/** Requests like those of visitors, calendar programs and probes. */
async function looks(daemon: Daemon, throwDice: Dice, publishers: readonly Publisher[]): Promise<void> {
  const search = `/?search=${publishers[throwDice(publishers.length)]?.name ?? ''}`;
  for (const page of [...PAGES, search]) {
    const { status } = await fetch(`${daemon.url}${page}`).then(async (response) => {
      await response.arrayBuffer();
      return response;
    });
    if (status >= 400) throw new Error(`${page} answered ${status}`);
  }
}

/** Waits until the site is as the feeds say; returns what still differs after a while. */
async function differences(
  home: Home,
  daemon: Daemon,
  publishers: readonly Publisher[],
  person: Editor,
): Promise<readonly string[]> {
  const wanted = publishers.flatMap((publisher) => publisher.events.map(({ title }) => title ?? '')).toSorted();
  let wrong: string[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const found = (await person.titles(daemon)).toSorted();
    const [there, due] = [new Set(found), new Set(wanted)];
    wrong = [
      ...wanted.filter((title) => !there.has(title)).map((title) => `missing: ${title}`),
      ...found.filter((title) => !due.has(title)).map((title) => `should not be there: ${title}`),
      ...found.filter((title, index) => title === found[index - 1]).map((title) => `twice: ${title}`),
      ...(await person.lost(daemon)),
    ];
    if (wrong.length === 0) break;
    await insideOf(home, readFailedAgain);
    await sleep(seconds * 1000);
  }
  return wrong;
}

function report(rows: readonly Row[], unread: number, wrong: readonly string[]): void {
  if (isJson) return void process.stdout.write(`${JSON.stringify({ hours, sources, rows, unread, wrong })}\n`);
  const width = Math.max(...rows.map(({ what }) => what.length));
  const line = (what: string, first: string, last: string, verdict: string): string =>
    `${what.padEnd(width)} ${first.padStart(10)} ${last.padStart(10)}  ${verdict}\n`;
  process.stdout.write(line(`${hours} hours, ${sources} sources`, 'first', 'last', ''));
  const still = rows.filter(({ what, first, last }) => what.startsWith('rows of') && first === 0 && last === 0);
  for (const { what, first, last, isLevel } of rows.filter((row) => !still.includes(row)))
    process.stdout.write(line(what, first.toFixed(1), last.toFixed(1), isLevel ? 'level' : 'GROWS'));
  process.stdout.write(`${still.length} more tables have as many rows as before.\n`);
  process.stdout.write(
    `Means of the first and the last quarter of the hours. Histories grow with what happens, at most ${FASTER_AT_MOST} times as fast at the end.\n`,
  );
  process.stdout.write(`Sources that were not asked within their hour: ${unread} of ${hours * sources}.\n`);
  process.stdout.write(
    wrong.length === 0 ? 'The site is what the feeds say, and keeps what was edited.\n' : `${wrong.join('\n')}\n`,
  );
}

process.exitCode = (await soak()) ? 0 : 1;
