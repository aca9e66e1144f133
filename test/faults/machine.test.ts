import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { signalServer } from '../../src/db/embedded/server.ts';
import { DAY_MS } from '../../src/time.ts';
import type { Daemon, Home } from '../support/daemon.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { scratchPath } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { changingTown, type ChangingTown } from './changing-town.ts';
import { memoryLimit, type MemoryLimit } from './memory-limit.ts';
import { checkWhole, runsOf, seconds, tell, total, town as townOf } from './site.ts';

// The machine fails: its disk is full, its memory is used up, its clock jumps.

let town: ChangingTown | undefined;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  const server = town?.home.postmaster();
  if (server !== undefined) signalServer(server, 'SIGQUIT');
  for (const each of undo.splice(0)) await each();
  await town?.home.close();
  town = undefined;
});

const notRun = (what: string): false => {
  process.stderr.write(`NOT RUN: ${what}\n`);
  return false;
};
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

describe.runIf(isRoot || notRun('a full disk (it takes root on Linux to make one)'))('a full disk', () => {
  test('leaves the site readable or answering 503, and once there is room the site follows its feed again', async () => {
    town = await changingTown();
    const { home } = town;
    mkdirSync(home.dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', home.dataDir]);
    undo.push(() => execFileSync('umount', ['--lazy', home.dataDir]));
    const daemon = home.start([], { LOG_LEVEL: 'fatal' });
    await town.follows(daemon);
    const filler = path.join(home.dataDir, 'filler');
    const fill = async (): Promise<void> => {
      const words = ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc'];
      const [status] = (await once(spawn('dd', words, { stdio: 'ignore' }), 'exit')) as [number | null];
      // dd fails because there is no room left.
      expect(status).toBe(1);
    };
    await fill();
    const statuses: number[] = [];
    // Long enough for a run to be cut off and resumed repeatedly. Space that the database frees is filled again.
    for (let turn = 0; turn < 15; turn += 1) {
      // Few enough that the events that leave the feed do not have the run held for a person.
      if (turn < 5) await town.publish(20_000);
      await fill();
      for (const place of ['/', '/api/calendar/events/v1/events'])
        statuses.push((await fetch(`${daemon.url}${place}`)).status);
      await sleep(2_000);
    }
    const asked = await home.command(['runs', '--json']);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('no space left on the device') as unknown });
    expect(asked.stderr).not.toMatch(/\bat .*\.ts:/);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
    rmSync(filler);
    const after = await town.follows(daemon);
    const failed = (await runsOf(home)).filter(({ state }) => state === 'failed').length;
    const away = statuses.filter((status) => status === 503).length;
    tell(
      'the disk is full for half a minute',
      `${statuses.length} pages: ${away} answered 503, none 500; failed runs: ${failed}; with room again the site follows its feed ${after} later`,
    );
    // It still stops normally while the disk is full.
    await fill();
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });
});

/** A new site in a home with a memory limit. Its database is on a disk, because files in memory count as well. */
async function limitedTown(limit: MemoryLimit): Promise<Home> {
  const home = await townOf(EVENTS, limit.as);
  const disk = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-limited-'));
  symlinkSync(disk, home.dataDir);
  undo.push(
    () => home.close(),
    () => limit.remove(),
    () => rmSync(disk, { recursive: true }),
  );
  return home;
}

const EVENTS = 10_000;
const HANG_MS = 240_000;
// The limit of a small container, which commands run in it share.
const LIMIT_MB = 512;
// Enough for the idle program and its database, about 200 MB, but not for reading 40 MB, which takes 380.
const TOO_LITTLE_MB = 320;
const probe = memoryLimit(LIMIT_MB);
await probe?.remove();
const hasLimits =
  probe !== undefined || notRun('limits of memory (it takes root, and control groups that may be changed)');

describe.runIf(hasLimits)('memory', () => {
  test('of a small container is enough for a first sync', async () => {
    const limit = memoryLimit(LIMIT_MB)!;
    const home = await limitedTown(limit);
    const begun = performance.now();
    const daemon = home.start([], { LOG_LEVEL: 'error' });
    await until('the events', async () => (await total(daemon)) === EVENTS, HANG_MS);
    tell(
      `memory is limited to ${LIMIT_MB} MB, PostgreSQL's included`,
      `a first sync of ${EVENTS} events ends ${seconds(begun)} after the start, nothing is killed`,
    );
    await checkWhole(daemon, EVENTS);
    expect(limit.killed()).toBe(0);
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });

  test('that is too small for a feed: the program is killed three times, then serves the site without that feed', async () => {
    const limit = memoryLimit(TOO_LITTLE_MB)!;
    const home = await limitedTown(limit);
    const lines = [`DESCRIPTION:${'word '.repeat(760)}`];
    await home.write('town.ics', calendarText(comingEvents(EVENTS).map((event) => ({ ...event, lines }))));
    let starts = 0;
    let daemon: Daemon;
    do {
      daemon = home.start([], { LOG_LEVEL: 'error' });
      starts += 1;
    } while ((await Promise.race([daemon.ended, daemon.ready(HANG_MS)])) instanceof Object);
    expect(starts).toBe(4);
    expect((await fetch(`${daemon.url}/month/`)).status).toBe(200);
    const [run] = await runsOf(home);
    expect(run).toMatchObject({ state: 'failed', report: { problems: [{ code: 'reading-cut-off' }] } });
    tell(
      `memory is limited to ${TOO_LITTLE_MB} MB, and a feed has 40 MB`,
      `killed ${limit.killed()} times; start ${starts} serves the site without it`,
    );
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });

  test('that runs out in the middle of a first sync: after a restart the site is complete', async () => {
    const limit = memoryLimit(LIMIT_MB)!;
    const home = await limitedTown(limit);
    const filler = scratchPath('filler');
    undo.push(() => rmSync(filler, { force: true }));
    const first = home.start([], { LOG_LEVEL: 'error' });
    await until('the first events', async () => (await total(first)) > 0, HANG_MS);
    // A file in memory, which the kernel cannot reclaim; the process that writes it uses hardly any memory itself.
    const [command = '', ...words] = [...limit.as, 'dd', 'if=/dev/zero', `of=${filler}`, 'bs=1M', `count=${LIMIT_MB}`];
    const filling = spawn(command, words, { stdio: 'ignore' });
    await until('the kernel', () => limit.killed() > 0, HANG_MS);
    filling.kill('SIGKILL');
    rmSync(filler, { force: true });
    await first.stop('SIGKILL');
    const begun = performance.now();
    const daemon = home.start([], { LOG_LEVEL: 'error' });
    await until('the events', async () => (await total(daemon)) === EVENTS, HANG_MS);
    tell(
      'memory runs out in mid-run',
      `${limit.killed()} killed; the site is whole ${seconds(begun)} after another start`,
    );
    await checkWhole(daemon, EVENTS);
    expect((await runsOf(home)).filter(({ state }) => state === 'failed')).toEqual([]);
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });
});

/** Europe's next change to summer time: the last Sunday of March, 01:00 UTC. Never today or tomorrow. */
function nextSummerTime(): number {
  const year = new Date().getUTCFullYear();
  const [of = 0, next = 0] = [year, year + 1].map((each) => {
    const last = new Date(Date.UTC(each, 2, 31, 1));
    return last.getTime() - last.getUTCDay() * DAY_MS;
  });
  return of > Date.now() + 2 * DAY_MS ? of : next;
}

const FAKETIME = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? '';
const hasClock = existsSync(FAKETIME) || notRun('jumps of the clock (on Debian: apt-get install faketime)');

describe.runIf(hasClock)('a clock that jumps', () => {
  test('forward, back, or to just before summer time: the site follows its feed at once', async () => {
    town = await changingTown();
    const { home } = town;
    const clock = await home.write('clock', '+0');
    const daemon = home.start([], {
      LOG_LEVEL: 'fatal',
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    await town.follows(daemon);
    const toSummer = Math.floor((nextSummerTime() - 10_000 - Date.now()) / 1000);
    for (const [what, offset] of [
      ['a day forward', '+1d'],
      ['an hour back', '+82800'],
      ['to ten seconds before summer time', `+${toSummer}`],
    ] as const) {
      await home.write('clock', offset);
      await sleep(2_000);
      await town.publish();
      tell(`the clock jumps ${what}`, `the site follows its feed ${await town.follows(daemon)} later`);
    }
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });
});
