#!/usr/bin/env node
// Plain JavaScript that any old Node.js can run. Runs a script on a suitable Node.js: the one of this process, or the
// one that npm installed as an optional platform package.
//   node src/launch.js [script] [arguments]        (without a script: the calsyncd program)
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SHORT_COMMANDS } from './cli/short-commands.js';
import { bundled, libraryToInstall, NOT_STARTED } from './db/embedded/platforms.js';

const NODE_MAJOR_MIN = 24;
const here = path.dirname(fileURLToPath(import.meta.url));

function bundledNode() {
  const require = createRequire(import.meta.url);
  const find = (name) => {
    try {
      return require.resolve(name);
    } catch {
      return undefined;
    }
  };
  const { platform, arch } = process;
  const file = `bin/${platform === 'win32' ? 'node.exe' : 'node'}`;
  const { place, missing } = bundled('node', file, { platform, arch, exists: existsSync, find });
  if (place) return place;
  process.stderr.write(
    `calsyncd needs Node.js ${NODE_MAJOR_MIN} or later; this is ${process.version}, and ${missing}.\n` +
      `Install Node.js ${NODE_MAJOR_MIN} or later.\n`,
  );
  process.exit(1);
}

const own = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN;
const exe = own ? process.execPath : bundledNode();
const asProgram = !/\.(?:[cm]?js|ts|mjs)$|\/bin\//.test(process.argv[2] ?? '');
const script = asProgram ? [path.join(here, 'main.ts'), ...process.argv.slice(2)] : process.argv.slice(2);

// TZ: the libraries must not see the machine's zone; every zone in the program is named.
// The compile cache makes later starts faster; Node.js does without it if the folder is not writable.
const compiled = path.join(here, '..', 'node_modules', '.cache', 'node');
// glibc keeps freed memory, in pieces and separately for each thread: the buffers of a large feed would never be
// returned.
const env = {
  NODE_COMPILE_CACHE: compiled,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  ...process.env,
  TZ: 'UTC',
  PATH: path.dirname(exe) + path.delimiter + process.env.PATH,
};
// On a large machine V8 lets garbage grow to hundreds of megabytes, which a daemon next to other programs should not.
const heap = ['--heap-growing-percent=30', '--max-semi-space-size=4'];
// An installed package is below node_modules, where Node.js does not strip types by itself.
const isPackage = here.split(path.sep).includes('node_modules');
const isProgram = path.resolve(script[0]) === path.join(here, 'main.ts');
const isShort = isProgram && SHORT_COMMANDS.includes(script[1]);
const hooks = [...(isProgram ? ['own-imports.js'] : []), ...(isPackage ? ['strip-types.js'] : [])];
const imports = hooks.map((file) => new URL(file, import.meta.url).href);

/** @param {(signal: NodeJS.Signals) => void} kill */
function stopWithNpm(kill) {
  // npm forwards signals to its child, which is this process because the scripts use `exec`. An npm that was killed
  // cannot do that, so its end counts as the request to stop.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) kill('SIGTERM');
  }, 250).unref();
}

// So that Node.js starts once instead of twice.
async function runHere() {
  Object.assign(process.env, env);
  process.argv = [exe, ...script];
  module.enableCompileCache(env.NODE_COMPILE_CACHE);
  stopWithNpm((signal) => process.kill(process.pid, signal));
  for (const file of [...imports, pathToFileURL(script[0]).href]) await import(file);
}

function runInChild() {
  const limits = isShort ? [] : heap;
  const flags = ['--disable-warning=ExperimentalWarning', ...limits, ...imports.flatMap((file) => ['--import', file])];
  // When this launcher is killed, the channel ends, which tells the program to stop, too.
  const stdio = ['inherit', 'inherit', 'inherit', ...(isProgram ? ['ipc'] : [])];
  const child = spawn(exe, [...flags, ...script], { stdio, env });
  // A terminal sends SIGINT to the whole process group. Forwarding it is harmless then, and needed when a supervisor
  // sends it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  stopWithNpm((signal) => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL' && isProgram)
      process.stderr.write('calsyncd was killed: by somebody, or by the system, if there was no memory left.\n');
    if (code === NOT_STARTED) {
      const wanted = libraryToInstall(spawnSync(exe, ['--version'], { encoding: 'utf8' }).stderr);
      if (wanted !== undefined) process.stderr.write(`${wanted}\n`);
    }
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

if (own && isShort) await runHere();
else runInChild();
