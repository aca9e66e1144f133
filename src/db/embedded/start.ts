import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress } from '../database.ts';
import { poolConfig } from '../database.ts';
import { isPassing, tryDatabase } from '../wait.ts';
import { hasDatabase, homeOf, makePlace, type Home, type Place } from './home.ts';
import { LOCK_TIMEOUT_MS, withLock } from './lock.ts';
import {
  makeCluster,
  runningServer,
  signalServer,
  spawnServer,
  startFailure,
  stopServer,
  withOwnUser,
} from './server.ts';
import { checkSocketDirectory } from './socket.ts';
import { settleReplacement } from './stage.ts';
import { isInUse, markInUse } from './users.ts';

/** A server that this process uses; `stop` ends the use, and the last user shuts it down. */
export interface EmbeddedServer {
  readonly address: DatabaseAddress;
  readonly stop: () => Promise<void>;
}

// After a crash, recovery reads the whole log before the server answers.
const START_TIMEOUT_MS = 120_000;
const DEAF_MS = 3000;
const WATCH_MS = 2000;

// PostgreSQL's error codes.
const STARTING_OR_STOPPING = '57P03';
const NO_DATABASE = '3D000';
const codeOf = (error: Error): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Starts a real PostgreSQL under `<dataDir>/postgres`: created at the first start, shared if one is running already,
 * and restarted (on the same socket, so that clients reconnect) if it dies while in use. It takes a tenth of a second
 * to answer, during which this process can do other work: `onComing` is called when its own server is on the way.
 * Throws AppError.
 */
export async function startEmbedded(dataDir: string, onComing?: () => void): Promise<EmbeddedServer> {
  const place = makePlace(dataDir);
  return withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
    const mark = markInUse(place.users);
    try {
      const address = addressOf(await attachOrStart(place, onComing));
      const unwatch = watch(place);
      const leaveNow = (): void => leaveAtOnce(place, mark);
      process.once('exit', leaveNow);
      return {
        address,
        stop: async () => {
          await unwatch();
          await leave(place, mark);
          process.off('exit', leaveNow);
        },
      };
    } catch (error) {
      fs.rmSync(mark, { force: true });
      throw error;
    }
  });
}

/** The address of a data directory's running server, if there is one. Starts and creates nothing. Throws AppError. */
export function runningAddress(dataDir: string): DatabaseAddress | undefined {
  if (!hasDatabase(dataDir)) return undefined;
  const socketDirectory = runningServer(homeOf(makePlace(dataDir)).data)?.socketDirectory;
  return socketDirectory === undefined ? undefined : addressOf(socketDirectory);
}

const addressOf = (socketDirectory: string) => ({ socketDirectory, database: 'calsyncd', user: 'calsyncd' });

/** Returns the socket directory of a place's server. Call this under the lock. */
async function attachOrStart(place: Place, onComing?: () => void): Promise<string> {
  await settleReplacement(place);
  const home = homeOf(place);
  return (await attach(home)) ?? start(withOwnUser(home), onComing);
}

/** Returns the socket directory of the server that runs here, once it answers; undefined if none runs. */
async function attach(home: Home): Promise<string | undefined> {
  const begun = performance.now();
  for (let deafSince = begun; ; await sleep(20)) {
    const running = runningServer(home.data);
    if (!running) return undefined;
    const { socketDirectory } = running;
    const error = socketDirectory === undefined ? undefined : await knock(socketDirectory, home);
    if (error === null) return socketDirectory;
    const now = performance.now();
    // A server that is starting up or shutting down says so; one whose socket is gone (a cleaned /tmp) never answers
    // again.
    if (error && codeOf(error) === STARTING_OR_STOPPING) deafSince = now;
    if (now - deafSince > DEAF_MS || now - begun > START_TIMEOUT_MS) {
      await stopServer(running);
      return undefined;
    }
  }
}

async function start(home: Home, onComing?: () => void): Promise<string> {
  await makeCluster(home);
  const until = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const { child, socketDirectory } = spawnServer(home);
    onComing?.();
    const state: { ended: string | undefined } = { ended: undefined };
    child.on('error', (error) => (state.ended = error.message));
    child.on('exit', () => (state.ended ??= ''));
    while (state.ended === undefined && performance.now() < until) {
      if ((await knock(socketDirectory, home)) === null) return socketDirectory;
      await sleep(10);
    }
    const said = `${state.ended ?? 'no answer'}\n${lastLines(home.log)}`;
    // Either a server that a killed process had just started was faster, or the processes of a killed server have not
    // noticed its end yet.
    if (!/pre-existing shared memory|postmaster\.pid/.test(said) || performance.now() + 1000 > until)
      throw startFailure(said);
    await sleep(200);
    const socketOfOther = await attach(home);
    if (socketOfOther !== undefined) return socketOfOther;
  }
}

/**
 * Whether the server answers and has our database, which is created at its first start. Returns null, or why it is not
 * ready yet.
 */
async function knock(socketDirectory: string, home: Home): Promise<Error | null> {
  checkSocketDirectory(socketDirectory, home.account);
  const address = addressOf(socketDirectory);
  const error = await tryDatabase(address, START_TIMEOUT_MS);
  if (error && codeOf(error) === NO_DATABASE) {
    await makeDatabase(address);
    return null;
  }
  if (error && !isPassing(error)) throw startFailure(error.message, error);
  return error;
}

async function makeDatabase(address: ReturnType<typeof addressOf>): Promise<void> {
  const client = new pg.Client(poolConfig({ ...address, database: 'postgres' }, 1));
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(address.database)}`);
  } finally {
    await client.end();
  }
}

/** Restarts the server whenever it is found dead. Returns a function that ends the watch. */
function watch(place: Place): () => Promise<void> {
  let restart: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy || runningServer(place.data)) return;
    busy = true;
    // If this fails, every query reports it, PostgreSQL's log says why, and the next check tries again.
    restart = withLock(place.lock, LOCK_TIMEOUT_MS, () => attachOrStart(place))
      .catch(() => undefined)
      .finally(() => (busy = false));
  }, WATCH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await restart;
  };
}

async function leave(place: Place, mark: string): Promise<void> {
  if (!fs.existsSync(mark)) return;
  await withLock(place.lock, LOCK_TIMEOUT_MS, async () => {
    fs.rmSync(mark, { force: true });
    const running = runningServer(place.data);
    if (running && !isInUse(place.users)) await stopServer(running);
  });
}

/**
 * All that a process can do when it must exit immediately: if nobody else uses the server, it is asked to stop, which
 * it then does by itself.
 */
function leaveAtOnce(place: Place, mark: string): void {
  if (!fs.existsSync(mark)) return;
  fs.rmSync(mark, { force: true });
  const running = runningServer(place.data);
  if (running && !isInUse(place.users)) signalServer(running.pid, 'SIGINT');
}

const lastLines = (file: string): string => fs.readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
