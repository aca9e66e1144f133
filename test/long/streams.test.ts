import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Ended, type Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';

// What the program does when its pipe is closed or its output goes to a full disk.

const YAML = 'sources: { library: { url: "file:library.ics" } }\n';
const STACK = /\bat .*(?:\.ts|node:)/;

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

async function place(): Promise<Home> {
  home = await programHome(YAML);
  await home.write('library.ics', calendarText(comingEvents(12)));
  return home;
}

/** Runs a line in a shell with the program as `$calsyncd`; returns its output, and how its last command ended. */
async function line(text: string): Promise<Ended> {
  const calsyncd = `${process.execPath} src/launch.js src/main.ts`;
  const child = spawn('bash', ['-c', text], {
    env: { ...process.env, ...home?.env, calsyncd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      said[stream] += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

describe('a command whose output cannot be written', () => {
  test('ends quietly when its reader is gone, as other programs do', async () => {
    const { stdout, stderr } = await line('$calsyncd --help | true; echo "${PIPESTATUS[0]}"');
    expect([stdout, stderr]).toEqual(['141\n', '']);
  });

  test('ends quietly even if its errors go to the same reader', async () => {
    const { stdout } = await line('$calsyncd nonsense 2>&1 | true; echo "${PIPESTATUS[0]}"');
    expect(stdout).toBe('64\n');
  });

  test.runIf(process.platform === 'linux')('says in one sentence that the disk is full', async () => {
    expect(await line('$calsyncd --help > /dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The output cannot be written: there is no space left on the device.\n',
    });
  });

  test.runIf(process.platform === 'linux')('does its work if only its errors cannot be written', async () => {
    const { code, stdout } = await line('$calsyncd --help 2> /dev/full');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: calsyncd')]);
  });
});

describe('the daemon', () => {
  test.runIf(process.platform === 'linux')(
    'stops in an orderly way with its database when its output cannot be written',
    async () => {
      const { processes } = await place();
      const full = await line('$calsyncd start > /dev/full');
      expect(full).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'The output cannot be written: there is no space left on the device.\n',
        ) as unknown,
      });
      expect(full.stderr).not.toMatch(STACK);
      const unread = await line('$calsyncd start | true; echo "${PIPESTATUS[0]}"');
      expect(unread).toMatchObject({ stdout: '141\n' });
      expect(unread.stderr).not.toMatch(STACK);
      expect(processes()).toEqual([]);
    },
  );

  test.runIf(process.platform === 'linux')('keeps working when its log cannot be written', async () => {
    const { processes } = await place();
    const { code, stdout } = await line(
      '$calsyncd start 2> /dev/full & for at in $(seq 300); do curl -sf "http://127.0.0.1:$PORT/feeds/" -o ' +
        '"$DATA_DIR.page" && break; kill -0 $! || break; sleep 0.2; done; ' +
        'kill -TERM $!; wait $!',
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('in step with 1 source')]);
    expect(processes()).toEqual([]);
  });

  test('stops with its database at SIGTERM', async () => {
    const daemon = (await place()).start();
    await daemon.ready();
    const { code, stderr } = await daemon.stop('SIGTERM');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Stopping: finishing what is under way')]);
    await until('the end of every process', () => home?.processes().length === 0);
  });
});
