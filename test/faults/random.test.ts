import { setTimeout as sleep } from 'node:timers/promises';
import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import type { Daemon } from '../support/daemon.ts';
import { until } from '../support/until.ts';
import { changingTown, type ChangingTown } from './changing-town.ts';
import { farSite, type FarSite } from './far-site.ts';
import { tell } from './site.ts';

// Faults at random moments while the feed keeps changing: after each one, the site has what the feed says.
// FAULTS_HOURS sets for how long, FAULTS_SEED at which moments; without FAULTS_HOURS, each fault strikes once.

const HOURS = Number(process.env['FAULTS_HOURS'] ?? 0);
const SEED = Number(process.env['FAULTS_SEED'] ?? 20_261_123);
const WAIT_MS_MAX = 3_000;
const FREEZE_MS = 5_000;
const LIE_MS = 5_000;
const HANG_MS = 240_000;
/** Prints each fault as it strikes, so that a failure can be traced. */
const note = (what: string): void => {
  process.stderr.write(`${what}\n`);
};

let far: FarSite | undefined;
let town: ChangingTown | undefined;
let daemon: Daemon | undefined;
let frozen: readonly number[] = [];
afterEach(async () => {
  thaw();
  await town?.home.close();
  await far?.close();
  [town, far] = [undefined, undefined];
});

function thaw(): void {
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  frozen = [];
}

/** Pseudo-random numbers from 0 up to 1, the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const childrenOf = (pid: number): readonly number[] =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);

async function freeze(pids: readonly number[]): Promise<void> {
  frozen = pids;
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await sleep(FREEZE_MS);
  thaw();
}

interface Running {
  readonly town: ChangingTown;
  readonly daemon: Daemon;
  readonly server: number;
  readonly far: FarSite;
  /** A number from 0 to 1 that picks one of several. */
  readonly chance: () => number;
}
/** Each fault returns the daemon that runs afterwards. */
const FAULTS: Readonly<Record<string, (running: Running) => Promise<Daemon>>> = {
  'the program: kill -9, and a start': async ({ town, daemon }) => {
    await daemon.kill();
    return town.home.start([], { LOG_LEVEL: 'fatal' });
  },
  'the program: SIGTERM, and a start': async ({ town, daemon }) => {
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
    return town.home.start([], { LOG_LEVEL: 'fatal' });
  },
  'the program: frozen for 5 s': async ({ daemon }) => {
    await freeze([daemon.pid()]);
    return daemon;
  },
  'PostgreSQL: kill -9': async ({ daemon, server }) => {
    process.kill(server, 'SIGKILL');
    return daemon;
  },
  'PostgreSQL: kill -9 of one of its processes': async ({ daemon, server }) => {
    const [one] = childrenOf(server).toReversed();
    if (one !== undefined) process.kill(one, 'SIGKILL');
    return daemon;
  },
  'PostgreSQL: frozen for 5 s': async ({ daemon, server }) => {
    await freeze([server, ...childrenOf(server)]);
    return daemon;
  },
  'another site: slow for 5 s': async ({ daemon, far }) => {
    await far.siteIsSlow(LIE_MS);
    return daemon;
  },
  'another site: lies for 5 s': async ({ daemon, far, chance }) => {
    note(await far.siteLies(LIE_MS, chance()));
    return daemon;
  },
  'a feed: slow for 5 s': async ({ town, daemon, far, chance }) => {
    note(await far.feedIsSlow(LIE_MS, chance()));
    return readAgain(town, daemon);
  },
  'a feed: lies for 5 s': async ({ town, daemon, far, chance }) => {
    note(await far.feedLies(LIE_MS, chance()));
    return readAgain(town, daemon);
  },
};

/** A feed that could not be read is not tried again for minutes, unless a person asks for it. */
async function readAgain(town: ChangingTown, daemon: Daemon): Promise<Daemon> {
  await until('the feed to be read', async () => (await town.home.command(['sync', 'far'])).code === 0, HANG_MS);
  return daemon;
}

test('faults at random moments leave the site as its feed says', { timeout: HOURS * 3_600_000 + 600_000 }, async () => {
  const chance = random(SEED);
  far = await farSite();
  town = await changingTown(far);
  daemon = town.home.start([], { LOG_LEVEL: 'fatal' });
  await town.follows(daemon);
  const names = Object.keys(FAULTS);
  const struck = new Map<string, number>();
  const end = performance.now() + HOURS * 3_600_000;
  for (let turn = 0; turn < names.length || performance.now() < end; turn += 1) {
    const name = names[turn < names.length ? turn : Math.floor(chance() * names.length)] ?? '';
    note(`${turn}: ${name}`);
    await town.publish();
    await sleep(chance() * WAIT_MS_MAX);
    const server = town.home.postmaster();
    const strike = FAULTS[name];
    if (server === undefined || strike === undefined) throw new Error(`nothing to strike for ${name}`);
    daemon = await strike({ town, daemon, server, far, chance });
    await town.follows(daemon);
    struck.set(name, (struck.get(name) ?? 0) + 1);
  }
  for (const [name, times] of struck)
    tell(
      `${name}, at random moments (seed ${SEED})`,
      `${times === 1 ? 'once' : `${times} times`}: the site followed its feed`,
    );
  expect([...struck.keys()].toSorted()).toEqual(names.toSorted());
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
});
