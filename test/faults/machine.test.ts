import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { signalServer } from '../../src/db/embedded/server.ts';
import { changingTown, type ChangingTown } from './changing-town.ts';
import { runsOf, tell } from './site.ts';

// The machine fails: its disk is full, its memory is used up, its clock jumps.

let town: ChangingTown | undefined;
const undo: (() => void)[] = [];
afterEach(async () => {
  const server = town?.home.postmaster();
  if (server !== undefined) signalServer(server, 'SIGQUIT');
  for (const each of undo.splice(0)) each();
  await town?.home.close();
  town = undefined;
});

const notRun = (what: string): false => {
  process.stderr.write(`NOT RUN: ${what}\n`);
  return false;
};
const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

describe.runIf(isRoot || notRun('a full disk (it takes root on Linux to make one)'))('a disk', () => {
  test('that is full: the site is read on or says 503, and follows its feed again when there is room', async () => {
    town = await changingTown();
    const { home } = town;
    mkdirSync(home.dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', home.dataDir]);
    undo.push(() => execFileSync('umount', ['--lazy', home.dataDir]));
    const daemon = home.start([], { LOG_LEVEL: 'fatal' });
    await town.follows(daemon);
    const filler = path.join(home.dataDir, 'filler');
    const fill = (): void => {
      const { status } = spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc']);
      // It ends because there is no room left.
      expect(status).toBe(1);
    };
    fill();
    const statuses: number[] = [];
    // Few enough that what has gone from the feed is no reason to ask a person. What the database gives back meanwhile is taken, too.
    for (let turn = 0; turn < 5; turn += 1) {
      await town.publish(20_000);
      fill();
      for (const place of ['/', '/api/calendar/events/v1/events'])
        statuses.push((await fetch(`${daemon.url}${place}`)).status);
      await sleep(2_000);
    }
    const asked = await home.command(['runs', '--json']);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('disk is full') as unknown });
    expect(asked.stderr).not.toMatch(/\bat .*\.ts:/);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
    rmSync(filler);
    const after = await town.follows(daemon);
    const failed = (await runsOf(home)).filter(({ state }) => state === 'failed').length;
    const away = statuses.filter((status) => status === 503).length;
    tell(
      'the disk is full for 10 s',
      `${statuses.length} pages: ${away} answered 503, none 500; failed runs: ${failed}; with room again the site follows its feed ${after} later`,
    );
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
  });
});

const FAKETIME = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? '';
const hasClock = existsSync(FAKETIME) || notRun('jumps of the clock (on Debian: apt-get install faketime)');

describe.runIf(hasClock)('a clock', () => {
  test('that jumps: the feed is followed at once, forward, back, and over a change to summer time', async () => {
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
    const toSummer = Math.floor((Date.parse('2027-03-28T00:59:50Z') - Date.now()) / 1000);
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
