import { randomInt } from 'node:crypto';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runningServer, stopServer } from '../../src/db/embedded/server.ts';
import { scratchPath } from './scratch.ts';
import { until } from './until.ts';

/** A command's exit code and output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `start` process. */
export interface Daemon {
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once the process writes a text to stderr after the call. */
  readonly heard: (text: string) => Promise<void>;
  /** The process id of the program itself, not of its launcher. */
  readonly pid: () => number;
  readonly launcher: number;
  /** Waits for the last line that `start` prints. Resolves with the milliseconds since the process was spawned. */
  readonly ready: (msMax?: number) => Promise<number>;
  readonly ended: Promise<Ended>;
  /** Sends a signal to the launcher, as a supervisor does, and waits for the process to end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Ended>;
  /** Kills the program with SIGKILL. */
  readonly kill: () => Promise<void>;
}

/** A running command. */
export interface Command {
  readonly ended: Promise<Ended>;
  readonly stderr: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Sends a signal and waits for the command to end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Ended>;
}

/** A place to run the program in: a directory with configuration and data, and the processes that are started there. */
export interface Home {
  readonly directory: string;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly write: (file: string, text: string | Uint8Array) => Promise<string>;
  readonly start: (args?: readonly string[], env?: Readonly<Record<string, string>>) => Daemon;
  readonly command: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly run: (args: readonly string[]) => Command;
  /** The process id of its embedded PostgreSQL; undefined if none is running or the pid file is still being written. */
  readonly postmaster: () => number | undefined;
  /** Processes that belong to this home (Linux only). */
  readonly processes: () => readonly string[];
  /** Ends everything that was started and removes the directory. */
  readonly close: () => Promise<void>;
}

/** Cleans up when nobody closes a home: a benchmark that is piped to `head`, for example, ends halfway. */
const notClosed = new Set<() => void>();
process.once('exit', () => {
  for (const killAll of notClosed) killAll();
});

/** `as` is put before the command line, for a program that changes the user. */
export async function programHome(yaml: string, as: readonly string[] = []): Promise<Home> {
  const directory = await mkdtemp(scratchPath('e2e'));
  const dataDir = path.join(directory, 'data');
  const server = (): ReturnType<typeof runningServer> => runningServer(path.join(dataDir, 'postgres', 'data'));
  const running = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of running) for (const pid of [...childrenOf(child.pid!), child.pid!]) killHard(pid);
    const left = server();
    if (left) killHard(left.pid);
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  notClosed.add(killAll);
  const env: Record<string, string> = {
    CONFIG: path.join(directory, 'calsyncd.yaml'),
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
  };
  const write = async (file: string, text: string | Uint8Array): Promise<string> => {
    await writeFile(path.join(directory, file), text);
    return path.join(directory, file);
  };
  await write('calsyncd.yaml', yaml);
  const launch = (args: readonly string[], more: Readonly<Record<string, string>>): Spawned => {
    const [command, ...rest] = [...as, process.execPath, 'src/launch.js', 'src/main.ts', ...args] as [
      string,
      ...string[],
    ];
    const child = spawn(command, rest, {
      env: { PATH: process.env['PATH'], HOME: directory, ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    return collect(child, () => running.delete(child));
  };
  return {
    directory,
    dataDir,
    env,
    write,
    start: (args = [], more = {}) =>
      daemonOf(launch(['start', ...args], more), `http://127.0.0.1:${more['PORT'] ?? env['PORT']!}`),
    command: (args, more = {}) => launch(args, more).ended,
    run: (args) => {
      const { child, said, ended } = launch(args, {});
      const signal = (name: NodeJS.Signals): void => {
        child.kill(name);
      };
      return {
        ended,
        stderr: () => said.stderr,
        signal,
        stop: async (name) => {
          signal(name);
          return ended;
        },
      };
    },
    postmaster: () => server()?.pid,
    processes: () => processesOf(directory),
    close: async () => {
      for (const child of running) {
        // Another process may still hold the pipes of one that has ended. It emits no second `exit` event.
        if (child.exitCode !== null || child.signalCode !== null) continue;
        for (const pid of [...childrenOf(child.pid!), child.pid!]) killHard(pid);
        await once(child, 'exit').catch(() => undefined);
      }
      const left = server();
      if (left) await stopServer(left);
      notClosed.delete(killAll);
      // A server that is shutting down may still write files.
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
}

function collect(child: ChildProcess, onEnd: () => void): Spawned {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]!.on('data', (chunk: Buffer) => {
      said[stream] += chunk.toString();
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      onEnd();
      resolve({ code, ...said });
    });
  });
  return { child, said, ended };
}

/** The last line that `start` prints: after the first runs, or if there are none to wait for. */
const READY = /^(?:The first runs are done|This process only serves|There are no sources yet)/m;

function daemonOf({ child, said, ended }: Spawned, url: string): Daemon {
  const begun = performance.now();
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const pid = (): number => {
    const [program] = childrenOf(child.pid!);
    if (program === undefined) throw new Error(`the launcher has no child: ${said.stderr}`);
    return program;
  };
  return {
    url,
    ended,
    pid,
    launcher: child.pid!,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    heard: async (text) => {
      const from = said.stderr.length;
      while (!said.stderr.includes(text, from)) {
        if (over) throw new Error(`it ended without "${text}":\n${said.stderr}`);
        await Promise.race([once(child.stderr!, 'data'), ended]);
      }
    },
    ready: (msMax = 120_000) =>
      until(
        'the addresses',
        () => {
          if (over) throw new Error(`it ended early:\n${said.stdout}\n${said.stderr}`);
          return READY.test(said.stdout) ? performance.now() - begun : undefined;
        },
        msMax,
      ),
    stop: async (signal) => {
      child.kill(signal);
      return ended;
    },
    // Right after its start, the launcher has no child yet.
    kill: async () => {
      killHard(await until('the program', () => childrenOf(child.pid!)[0]));
      await ended;
    },
  };
}

/**
 * Below the range for outgoing connections, because such a connection could take the port before the program starts.
 */
const PORTS = { first: 10_000, last: 32_767 };

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

function childrenOf(pid: number): readonly number[] {
  return spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Processes whose command line or environment names a directory (Linux; none elsewhere). */
function processesOf(directory: string): readonly string[] {
  return globSync('/proc/[0-9]*')
    .filter((each) => existsSync(each))
    .flatMap((each) => {
      const told = `${read(`${each}/cmdline`).replaceAll('\0', ' ')} ${read(`${each}/environ`).includes(directory) ? directory : ''}`;
      return told.includes(directory) ? [`${path.basename(each)} ${told}`] : [];
    });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
