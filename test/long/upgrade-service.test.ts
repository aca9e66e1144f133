import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, programHome, type Home } from '../support/daemon.ts';
import { blocksIn, textOf } from '../support/documents.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { output } from '../support/program.ts';
import { until } from '../support/until.ts';

// Types what docs/upgrade.md tells root of a server to type, in a folder that stands for the machine: `sudo` just runs
// the command, `systemctl` starts and stops the program, and `npm` links the packages that are here.

const BLOCKS = blocksIn(textOf('docs/upgrade.md'), 'sh');
const UPGRADE = BLOCKS.find((block) => block.includes('NOT UPGRADED')) ?? '';
const BACK = BLOCKS.find((block) => block.includes('NOT BACK')) ?? '';
const NEWS = BLOCKS.find((block) => block.includes('log --oneline')) ?? '';

let home: Home;
let port: number;
const place = (...names: readonly string[]): string => path.join(home.directory, ...names);
const OPT = (name = ''): string => place('opt', `calsyncd${name}`);
const SUBJECT = 'The version after';
const EVENTS = 12;

/** Replacements for commands of the machine. */
const COMMANDS = (): Readonly<Record<string, string>> => ({
  sudo: 'exec "$@"',
  npm: `if [ -e ${place('npm-fails')} ]; then echo "npm error network" >&2; exit 1; fi
[ "$*" = "ci --omit=dev" ] && ln -s ${path.resolve('node_modules')} node_modules`,
  calsyncd: `exec ${process.execPath} ${OPT()}/src/launch.js "$@"`,
  systemctl: `pid=$(cat ${place('pid')} 2>/dev/null)
case "$1" in
  start) kill -0 $pid 2>/dev/null && [ -n "$pid" ] && exit 0
    ${process.execPath} ${OPT()}/src/launch.js start >>${place('journal')} 2>&1 & echo $! >${place('pid')} ;;
  stop) kill $pid; while kill -0 $pid 2>/dev/null; do sleep 0.1; done ;;
esac`,
});

/** Runs a block as root of that machine would type it. */
async function typed(block: string): Promise<string> {
  const script = block
    .replaceAll(/\/(?=(?:opt|etc|var\/lib|usr\/local\/bin)\/)/g, `${home.directory}/`)
    .replaceAll(':8080/', `:${port}/`);
  const shell = spawn('bash', ['-c', script], {
    cwd: home.directory,
    env: { ...process.env, ...home.env, PORT: String(port), PATH: `${place('bin')}:${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  await once(shell, 'close');
  return said;
}

const git = (folder: string, ...args: readonly string[]): string => output('git', ['-C', folder, ...args]).trim();
const headOf = (folder: string): string => git(folder, 'rev-parse', 'HEAD');
const servicePid = (): string => readFileSync(place('pid'), 'utf8');
const backups = (): readonly string[] =>
  readdirSync(place('var/lib/calsyncd')).filter((name) => name.startsWith('before-upgrade-'));

async function eventsShown(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/calendar/events/v1/events?starts_after=1971-01-01`);
  return ((await answer.json()) as { total: number }).total;
}

beforeAll(async () => {
  home = await programHome(`builtin: { timezone: Europe/Warsaw }\nsources:\n  town: { url: "file:town.ics" }\n`);
  await home.write('town.ics', calendarText(comingEvents(EVENTS)));
  port = await freePort();
  for (const folder of ['bin', 'opt', 'etc/systemd/system', 'var/lib/calsyncd', 'usr/local/bin'])
    mkdirSync(place(folder), { recursive: true });
  for (const [name, script] of Object.entries(COMMANDS()))
    writeFileSync(place('bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const origin = place('origin.git');
  output('git', ['clone', '--quiet', '--bare', '.', origin]);
  git(origin, 'update-ref', 'refs/heads/town', headOf(origin));
  git(origin, 'symbolic-ref', 'HEAD', 'refs/heads/town');
  output('git', ['clone', '--quiet', origin, OPT()]);
  git(OPT(), 'config', 'user.email', 'somebody@town.example');
  git(OPT(), 'config', 'user.name', 'Somebody');
  await typed('cd /opt/calsyncd && sudo npm ci --omit=dev && sudo systemctl start calsyncd');
  const ready = await typed(
    'curl --silent --fail --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:8080/readyz',
  );
  if (!ready.includes('ready')) throw new Error(`not ready: ${readFileSync(place('journal'), 'utf8')}`);
  await until('its events', async () => (await eventsShown()) === EVENTS);
  // The next version: a commit that only the origin has.
  const next = git(OPT(), 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', SUBJECT);
  git(OPT(), 'push', '--quiet', 'origin', `${next}:town`);
});
afterAll(async () => {
  await typed('sudo systemctl stop calsyncd');
  await home.close();
});

test('a failure before the new version is ready leaves the old one running', async () => {
  const [head, pid] = [headOf(OPT()), servicePid()];
  writeFileSync(place('npm-fails'), '');
  const said = await typed(UPGRADE);
  rmSync(place('npm-fails'));
  expect(said).toContain('npm error network\n');
  expect(said.trimEnd().split('\n').at(-1)).toBe('NOT UPGRADED: what failed stands further up');
  expect([headOf(OPT()), servicePid(), await eventsShown()]).toEqual([head, pid, EVENTS]);
  expect(backups()).toEqual([]);
});

test('the same lines upgrade at a second try; going back restores the old version, and upgrading again works', async () => {
  const old = headOf(OPT());
  const upgraded = await typed(UPGRADE);
  expect(upgraded).toMatch(/^UPGRADED$/m);
  expect(upgraded).toMatch(/^Wrote .*before-upgrade-\d{4}-\d\d-\d\d-\d{6}\.tar\.zst/m);
  expect(upgraded).toContain('ready');
  expect([headOf(OPT('.old')), git(OPT(), 'log', '-1', '--format=%s')]).toEqual([old, SUBJECT]);
  expect((await typed(NEWS)).trim()).toMatch(new RegExp(`^[0-9a-f]+ ${SUBJECT}$`));
  expect(await eventsShown()).toBe(EVENTS);
  for (const [installed, from] of [
    ['etc/systemd/system/calsyncd.service', 'config/calsyncd.service'],
    ['usr/local/bin/calsyncd', 'config/calsyncd.sh'],
  ] as const)
    expect(readFileSync(place(installed), 'utf8')).toBe(readFileSync(path.join(OPT(), from), 'utf8'));

  // With the placeholder for the name, as the page has it, nothing is stopped.
  const [head, pid] = [headOf(OPT()), servicePid()];
  expect(await typed(BACK)).toMatch(/No such file[^]*^NOT BACK/m);
  expect([headOf(OPT()), servicePid(), await eventsShown()]).toEqual([head, pid, EVENTS]);

  const [backup = ''] = backups();
  const back = await typed(BACK.replace('before-upgrade-DATE-TIME.tar.zst', backup));
  expect(back).toMatch(/^Restored[^]*^BACK$/m);
  expect([headOf(OPT()), existsSync(OPT('.old')), await eventsShown()]).toEqual([old, false, EVENTS]);

  expect(await typed(UPGRADE)).toMatch(/^UPGRADED$/m);
  expect([git(OPT(), 'log', '-1', '--format=%s'), headOf(OPT('.old')), await eventsShown()]).toEqual([
    SUBJECT,
    old,
    EVENTS,
  ]);
});
