import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/daemon.ts';
import { scratchPath } from '../support/scratch.ts';
import { until } from '../support/until.ts';

// The package that `npm pack` creates, installed into an empty folder and run there.

const run = promisify(execFile);
const directory = mkdtempSync(scratchPath('package'));
chmodSync(directory, 0o755);
const installed = path.join(directory, 'installed');
const program = path.join(installed, 'node_modules', '.bin', 'calsyncd');
let packed: readonly string[] = [];

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory]);
  const [made] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
  packed = made!.files.map(({ path: file }) => file);
  mkdirSync(installed);
  writeFileSync(path.join(installed, 'package.json'), '{}');
  const tarball = path.join(directory, made!.filename);
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: installed });
});

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  child = undefined;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the package contains the program, its samples and documents, and nothing else of a checkout', () => {
  const tops = new Set(packed.map((file) => file.split('/')[0]));
  expect([...tops].toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'config',
    'docker-compose.yml',
    'docs',
    'package.json',
    'src',
  ]);
  expect(packed).toEqual(
    expect.arrayContaining(['src/launch.js', 'config/calsyncd.yaml', 'config/samples/library.ics']),
  );
  expect(packed.filter((file) => /\.(?:log|env|test\.ts)$/.test(file))).toEqual([]);
});

/** Who starts it: also a user without rights, if root runs the tests. */
const USERS: readonly { readonly who: string; readonly uid?: number }[] =
  process.getuid?.() === 0 ? [{ who: 'root' }, { who: 'nobody', uid: 65_534 }] : [{ who: 'this user' }];

describe.each(USERS)('started by $who in an empty folder, with a home that cannot be written', ({ who, uid }) => {
  test('it writes the sample configuration, gets ready, and carries out commands', async () => {
    const folder = path.join(directory, `of ${who}`);
    const home = path.join(directory, `home of ${who}`);
    mkdirSync(folder);
    mkdirSync(home, { mode: 0o555 });
    if (uid !== undefined) chownSync(folder, uid, uid);
    const port = String(await freePort());
    const settings = {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home, PORT: port, LOG_LEVEL: 'error' },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    };
    const daemon = spawn(program, [], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] });
    child = daemon;
    const said = { out: '', err: '' };
    daemon.stdout.on('data', (chunk) => (said.out += String(chunk)));
    daemon.stderr.on('data', (chunk) => (said.err += String(chunk)));
    await until('the first runs', () => {
      if (daemon.exitCode !== null) throw new Error(`it ended: ${said.out}${said.err}`);
      return said.out.includes('The first runs are done');
    });
    expect(said.err).toBe('There was no configuration here, so a sample was put into config/calsyncd.yaml.\n\n');
    expect(said.out).toContain('See what it would become:  npx calsyncd preview https://');
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const { stdout } = await run(program, ['runs', '--json'], settings);
    const { runs } = JSON.parse(stdout) as { runs: { source: string; state: string }[] };
    // A source may have been read again on schedule meanwhile.
    const first = runs.filter(({ state }) => state !== 'unchanged');
    expect(first.map(({ source, state }) => `${source} ${state}`).toSorted()).toEqual([
      'city-library done',
      'sports-club done',
      'theatre done',
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(['config', 'data']);
    expect(readFileSync(path.join(folder, 'config', 'calsyncd.yaml'))).toEqual(readFileSync('config/calsyncd.yaml'));
    daemon.kill('SIGTERM');
    await once(daemon, 'exit');
    expect(daemon.exitCode).toBe(0);
  });
});
