import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { processIdentity } from '../../src/db/embedded/process.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import type { Ended, Home } from '../support/daemon.ts';
import { pauseSyncAt } from '../support/mid-sync.ts';
import { needsProgram } from '../support/program.ts';
import { inTerminal } from '../support/terminal.ts';
import { get, list, printLine, TOWN, townHome } from '../support/town.ts';
import { until } from '../support/until.ts';

// The spawned program, started and stopped repeatedly, in the middle of work, and as other users.

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

/** A home that is closed after the test. */
async function openTown(yaml?: string, as?: readonly string[]): Promise<Home> {
  home = await townHome(yaml, as);
  return home;
}

describe('the daemon', () => {
  test('syncs and prints its sources each time, however soon it is restarted', async () => {
    const place = await openTown();
    for (let start = 0; start < 5; start += 1) {
      const daemon = place.start();
      await daemon.ready();
      expect(daemon.stdout()).toMatch(start === 0 ? /library +12 created/ : /library +12 unchanged/);
      expect(await daemon.stop('SIGTERM')).toMatchObject({ code: 0 });
    }
  });

  test.each([
    ['while it syncs', false],
    ['when it is idle', true],
  ])('stops %s without leaving anything behind', async (_, rest) => {
    const place = await openTown();
    await place.write('library.ics', calendarText(comingEvents(600)));
    const daemon = place.start();
    const held = rest ? undefined : await pauseSyncAt(place, 20);
    if (rest) await daemon.ready();
    const begun = performance.now();
    const ended = daemon.stop('SIGTERM');
    await held?.resume();
    expect(await ended).toMatchObject({ code: 0 });
    printLine(`stop ${rest ? 'at rest' : 'in the middle of a sync'}: ${Math.round(performance.now() - begun)} ms`);
    expect(place.processes()).toEqual([]);
    const after = place.start();
    await after.ready();
    expect((await list(after)).total).toBe(602);
  });

  test.runIf(process.platform === 'linux')('names the other calsyncd that has its port, and exits', async () => {
    const place = await openTown();
    const running = place.start();
    await running.ready();
    const { code, stderr } = await place.start().ended;
    expect(code).toBe(1);
    expect(stderr).toContain(
      `is taken by another calsyncd: process ${running.pid()}, started in ${process.cwd()}. Stop it with "kill ${running.pid()}", or set PORT`,
    );
    expect((await get(running, '/healthz')).status).toBe(200);
  });

  test('treats Ctrl-C while the database is being created as a request to stop, not as a failure', async (context) => {
    needsProgram(context, 'python3', ['-c', 'import pty'], 'python3 comes with most systems');
    const place = await openTown();
    const terminal = inTerminal(100, ['node', path.resolve('src/launch.js'), 'start'], place.env);
    await until('the first files of the database', () =>
      globSync(path.join(place.directory, '**/data.new-*/base/1/*')).some(() => true),
    );
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain('Stopping');
    expect(terminal.shown()).not.toContain('does not start');
    expect(place.processes()).toEqual([]);
  });

  test('stops with its database when its launcher is killed', async () => {
    const place = await openTown();
    const daemon = place.start();
    await daemon.ready();
    const program = daemon.pid();
    process.kill(daemon.launcher, 'SIGKILL');
    await until(
      'the end of every process',
      () => place.processes().length === 0 && processIdentity(program) === undefined,
    );
    const next = place.start();
    await next.ready();
    expect((await list(next)).total).toBe(14);
  });

  test('chooses a free port with PORT=0, and prints it', async () => {
    const daemon = (await openTown()).start([], { PORT: '0' });
    const url = await until('the address', () => /^The calendar +(http:\S+)\/$/m.exec(daemon.stdout())?.[1]);
    expect(url).not.toMatch(/:0$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(((await fetch(`${url}/api/`).then((answer) => answer.json())) as { url: string }).url).toContain(url);
  });
});

describe.each([
  ['as root', []],
  ['as another user', ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups']],
] as const)('%s', (_, as) => {
  test('the program starts, syncs and stops', async (context) => {
    if (process.getuid?.() !== 0) {
      printLine('NOT RUN: the program as root and as another user (the tests do not run as root)');
      context.skip();
    }
    const place = await openTown(TOWN, as);
    if (as.length > 0) handOver(place);
    const daemon = place.start();
    await daemon.ready();
    expect((await list(daemon)).total).toBe(14);
    const ended: Ended = await daemon.stop('SIGTERM');
    expect(ended.code).toBe(0);
    expect(place.processes()).toEqual([]);
    // Only root can read this file.
    const backup = await place.write('of-root.tar.zst', '');
    await chmod(backup, 0o600);
    const restored = await place.command(['restore', backup]);
    expect(restored.code).toBe(1);
    expect(restored.stderr).toContain(as.length > 0 ? 'calsyncd is not allowed to read it' : 'it ends in the middle');
  });
});

function handOver({ directory }: Home): void {
  const { status, stderr } = spawnSync('chown', ['-R', 'nobody', directory], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
