import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { urlOf } from '../support/database-address.ts';
import { freePort } from '../support/daemon.ts';
import { scratchPath } from '../support/scratch.ts';
import { until } from '../support/until.ts';

// Runs the steps of the Dockerfile in an empty folder, and the result as a container would: the root is read-only, the
// user has no rights, and only /tmp can be written.

const directory = mkdtempSync(scratchPath('image'));
chmodSync(directory, 0o755);
const app = path.join(directory, 'app');
const lines = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '').split('\n');
const saidBy = (word: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

const canUnshare = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!canUnshare)
  process.stderr.write('NOT RUN: the image with a root that cannot be written (it takes root on Linux)\n');

let child: ChildProcess | undefined;
afterAll(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
});

const READ_ONLY = `
  mount --bind "$APP" "$APP" && mount -o remount,bind,ro "$APP" &&
  mount -o remount,bind,ro / && mount -t tmpfs -o mode=1777 tmpfs /tmp || exit 99
  exec setpriv --reuid="$AS" --regid="$AS" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"`;

test.runIf(canUnshare)('the result of the Dockerfile runs as another user with a read-only root', async () => {
  mkdirSync(app);
  for (const line of lines) {
    const [word = '', rest = ''] = [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)];
    const files = rest.split(' ');
    if (word === 'COPY') for (const file of files.slice(0, -1)) cpSync(file, path.join(app, file), { recursive: true });
    // Fixed paths of the image are below the folder here; the npm cache is that of the machine, and stays.
    const step = rest
      .replace(' --cache /tmp/npm', '')
      .replace('/tmp/npm ', '')
      .replace(/ && ln -s \/app\S+ \S+$/, '');
    if (word === 'RUN') execFileSync('sh', ['-c', step.replace('npm ci', 'npm ci --prefer-offline')], { cwd: app });
  }
  const [, target = '', link = ''] = / ln -s (\S+) (\S+)$/.exec(saidBy('RUN').at(-1) ?? '') ?? [];
  const calsyncd = path.join(directory, path.basename(link));
  symlinkSync(target.replace('/app', app), calsyncd);
  expect(JSON.parse(saidBy('ENTRYPOINT')[0] ?? '[]')).toEqual([path.basename(link)]);

  // Stands for the Node.js of the image, in a place that the new /tmp does not hide.
  copyFileSync(process.execPath, path.join(directory, 'node'));
  const server = await startEmbedded(path.join(directory, 'server'));
  try {
    const { socketDirectory } = server.address as { socketDirectory: string };
    cpSync('config', path.join(directory, 'config'), { recursive: true });
    const env = {
      PATH: `${directory}:${process.env['PATH']}`,
      APP: app,
      // The only user who can enter the directory of the database's socket; it has no name and owns nothing else.
      AS: String(statSync(socketDirectory).uid),
      CONFIG: path.join(directory, 'config', 'calsyncd.yaml'),
      DATABASE_URL: urlOf(server.address),
      PORT: String(await freePort()),
      LOG_LEVEL: 'error',
    };
    const start = JSON.parse(saidBy('CMD')[0] ?? '[]') as string[];
    const daemon = spawn('unshare', ['--mount', 'sh', '-c', READ_ONLY, 'sh', calsyncd, ...start], {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = daemon;
    let said = '';
    for (const stream of [daemon.stdout, daemon.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    await until('the first runs', () => {
      if (daemon.exitCode !== null) throw new Error(`it ended with ${daemon.exitCode}: ${said}`);
      return said.includes('The first runs are done');
    });
    const [, check = '[]'] = / CMD (\[.*\])$/.exec(saidBy('HEALTHCHECK')[0] ?? '') ?? [];
    const [program = '', ...args] = JSON.parse(check) as string[];
    expect(spawnSync(program, args, { env }).status).toBe(0);
    daemon.kill('SIGTERM');
    await once(daemon, 'exit');
    expect(daemon.exitCode).toBe(0);
    expect(spawnSync(program, args, { env }).status).toBe(1);
  } finally {
    await server.stop();
  }
});
