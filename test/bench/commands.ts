import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { madeFeed, numbered } from './made-feed.ts';
import { least, shortest, sizesAsked, tell } from './measured.ts';
import { BY, FROM, nextRun, oneSource, saying, succeed } from './one-source.ts';

// What a person waits for: the warm start of the daemon, and commands while it runs. The floor of each is a Node.js
// process that connects to the same database and runs one query. `node src/launch.js test/bench/commands.ts [--json]
// [10000]`: the size is that of the first sync, which is measured for the daemon and for the command.

const TURNS = 5;

/** A bare process that connects to the database with the program's driver. */
async function bareConnection({ dataDir }: Home): Promise<number> {
  const server = await startEmbedded(dataDir);
  const driver = path.resolve('node_modules/pg/esm/index.mjs');
  const script = `const { Client } = (await import(${JSON.stringify(driver)})).default;
    const client = new Client(${JSON.stringify({ ...server.address, host: 'socketDirectory' in server.address ? server.address.socketDirectory : '' })});
    await client.connect(); await client.query('select 1'); await client.end();`;
  try {
    return await shortest(TURNS, () => {
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
      if (status !== 0) throw new Error(stderr.toString());
    });
  } finally {
    await server.stop();
  }
}

const beside = 'node -e with one connection';

/** The shortest time from the start of the daemon until `reached` resolves, in milliseconds. */
const startedUntil = (home: Home, reached: (daemon: Daemon) => Promise<unknown>): Promise<number> =>
  least(TURNS, async () => {
    const begun = performance.now();
    const daemon = home.start();
    await reached(daemon);
    const ms = performance.now() - begun;
    await daemon.stop('SIGTERM');
    return ms;
  });

/** The slug of the first event in the list. */
async function someSlug({ url }: Daemon): Promise<string> {
  const listed = await fetch(`${url}/api/calendar/events/v1/events`);
  const { events } = (await listed.json()) as { readonly events: readonly { readonly slug: string }[] };
  return events[0]?.slug ?? '';
}

/** Resolves once the readiness probe succeeds. */
async function answersReady({ url }: Daemon): Promise<void> {
  const asked = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await asked())) await sleep(5);
}

async function startAndCommands(): Promise<void> {
  const home = await programHome(`builtin: { title: Bench, timezone: Europe/Warsaw }
sources:
  bench: { url: 'file:feed.ics', every: 1h }
`);
  try {
    await home.write('feed.ics', madeFeed(numbered(3), FROM));
    await succeed(home, ['sync']);
    const floor = await bareConnection(home);
    tell({
      what: 'start, warm, to ready',
      value: await startedUntil(home, answersReady),
      unit: 'ms',
      floor,
      beside,
      goal: { value: 700 },
      bound: 'Loading 1,000 modules, a quarter of them BullMQ and its dependencies, while PostgreSQL starts.',
    });
    tell({
      what: 'start, warm, to the end of the first run',
      value: await startedUntil(home, (daemon) => daemon.ready()),
      unit: 'ms',
      floor,
      beside,
      bound: 'The start, and the thread that reads the feed, which loads another 140 modules.',
    });
    const daemon = home.start();
    await daemon.ready();
    const commands: readonly (readonly [bound: string, ...args: string[]])[] = [
      ['Loading 240 modules, a third of them from yaml; the database answers in a few milliseconds.', 'runs'],
      [
        'Loading 480 modules, a quarter of them for the built-in site, which provides the event.',
        'explain',
        await someSlug(daemon),
      ],
    ];
    for (const [bound, ...args] of commands)
      tell({
        what: `${args[0]}, beside a daemon`,
        value: await shortest(TURNS, () => succeed(home, args)),
        unit: 'ms',
        floor,
        beside,
        goal: { value: 300 },
        bound,
      });
    await daemon.stop('SIGTERM');
  } finally {
    await home.close();
  }
}

async function firstSync(count: number, by: keyof typeof BY): Promise<number> {
  const source = await oneSource(saying(madeFeed(numbered(count), FROM)));
  try {
    return await BY[by](source);
  } finally {
    await source.close();
  }
}

/** Explains an event of a large feed. Because a rule changes events, the command has to read the feed. */
async function explained(count: number): Promise<number> {
  const source = await oneSource(saying(madeFeed(numbered(count), FROM)));
  try {
    await source.configure('set: [{ when: [{ field: title, matches: "number 7" }], cost: free }]');
    const daemon = source.home.start();
    await nextRun(daemon, source);
    const slug = await someSlug(daemon);
    const ms = await shortest(TURNS, () => succeed(source.home, ['explain', slug]));
    await daemon.stop('SIGTERM');
    return ms;
  } finally {
    await source.close();
  }
}

await startAndCommands();
for (const events of sizesAsked([10_000])) {
  tell({
    what: 'explain where rules change events, beside a daemon',
    events,
    value: await explained(events),
    unit: 'ms',
    bound: 'Loading 650 modules, and the thread that reads feeds; it reads only this event of the feed and one other.',
  });
  tell({
    what: 'first sync, command sync',
    events,
    value: await firstSync(events, 'sync'),
    unit: 'ms',
    floor: await firstSync(events, 'daemon'),
    beside: 'the daemon',
    goal: { ratio: 1 },
    bound: 'The same steps in the same code; the command also stops the database, which writes everything to disk.',
  });
}
