import type { Daemon } from '../support/daemon.ts';
import { distinctSourceNames, openFleet, type Fleet } from '../support/fleet.ts';
import { postsOf } from '../support/real-site/store.ts';
import { cpuMsOf } from '../support/processor-time.ts';
import { until } from '../support/until.ts';
import { hasRedis, ownRedis } from '../faults/own-redis.ts';

// How the throughput of first runs grows with the number of workers: 1, 2 and 4 of them and two web processes, as in
// docker-compose.yml, with a site that takes 50 ms per request. Once enough runs have ended for all workers to be warm
// (`--warm`), a number of runs is measured (`--measured`), so the site is equally full each time. The last measurement
// continues until all sources are read, while workers leave and join.
// `node src/launch.js test/bench/workers.ts 1000 --limit=32`. `--workers=4` measures that number of workers only,
// `--brief` leaves out the continuation, `--json` is for machines.

const isJson = process.argv.includes('--json');
const argument = (name: string, standard: number): number =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard);
const count = Number(process.argv.slice(2).find((arg) => /^\d+$/.test(arg)) ?? 1_000);
const [limit, events, latencyMs] = [argument('limit', 32), argument('events', 5), argument('latency', 50)];
const [warm, measured] = [argument('warm', 80), argument('measured', 160)];
const only = argument('workers', 0);
const isBrief = process.argv.includes('--brief');
const MS_MAX = 30 * 60_000;

interface Row {
  readonly workers: number;
  readonly sources: number;
  readonly seconds: number;
  readonly sourcesPerSecond: number;
  readonly times: number;
  readonly requestsPerSecond: number;
  readonly writesAtOnce: number;
  readonly limit: number;
  readonly workerCpuMs: number;
  readonly databaseCpuMs: number;
}

function tell(row: Row): void {
  const { workers, seconds, sourcesPerSecond, times, requestsPerSecond, writesAtOnce, workerCpuMs, databaseCpuMs } =
    row;
  if (isJson) process.stdout.write(`${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      lineOf([
        String(workers),
        seconds.toFixed(1),
        sourcesPerSecond.toFixed(1),
        times.toFixed(2),
        requestsPerSecond.toFixed(0),
        `${writesAtOnce} of ${limit}`,
        workerCpuMs.toFixed(0),
        databaseCpuMs.toFixed(0),
      ]),
    );
}

function lineOf(cells: readonly string[]): string {
  const widths = [7, 10, 12, 9, 13, 16, 12, 14];
  return `${cells.map((cell, index) => cell.padStart(widths[index]!)).join('')}\n`;
}

/**
 * Continues until all sources are read, while workers leave and join, and checks that nothing is lost or written twice.
 */
async function toTheEnd(fleet: Fleet, workers: readonly Daemon[]): Promise<void> {
  const quarter = (part: number): Promise<unknown> =>
    until(`${part} quarters of the runs`, async () => (await fleet.ended('done')) >= (count * part) / 4, MS_MAX);
  const began = performance.now();
  const before = await fleet.ended('done');
  await quarter(1);
  fleet.startWorker();
  await quarter(2);
  await workers[0]?.stop('SIGTERM');
  fleet.startWorker();
  await quarter(3);
  await workers[1]?.kill();
  await quarter(4);
  const seconds = (performance.now() - began) / 1000;
  const written = postsOf(fleet.site.store(), 'events').length;
  if (written !== count * events) throw new Error(`the site has ${written} events`);
  if (fleet.site.writesAtOnce() > limit) throw new Error(`${fleet.site.writesAtOnce()} writes were under way at once`);
  const row = {
    sources: count,
    events: written,
    seconds,
    sourcesPerSecond: (count - before) / seconds,
    writesAtOnce: fleet.site.writesAtOnce(),
    limit,
  };
  if (isJson) process.stdout.write(`${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      `the other ${count - before} runs, while two workers leave and two join: ` +
        `${seconds.toFixed(1)} s, ${row.sourcesPerSecond.toFixed(1)} a second, ${row.writesAtOnce} of ${limit} ` +
        `writes at once, ${written} events\n`,
    );
}

async function bench(workers: number, alone: number | undefined, isLast: boolean): Promise<number> {
  const redis = hasRedis() ? await ownRedis() : undefined;
  const fleet = await openFleet({
    sources: distinctSourceNames(count),
    events,
    latencyMs,
    requestsInFlight: limit,
    ...(redis ? { redisUrl: redis.url } : {}),
  });
  try {
    const webs = [await fleet.startWeb(), await fleet.startWeb()];
    for (const web of webs) await web.ready();
    const fleetOf = Array.from({ length: workers }, () => fleet.startWorker());
    await until('all workers at work', async () => (await fleet.ended('done')) >= warm, MS_MAX);
    const [began, before, asked] = [performance.now(), await fleet.ended('done'), fleet.site.requests.length];
    const used = (): readonly [number, number] => [
      cpuMsOf(fleetOf.map((one) => one.pid())),
      cpuMsOf(fleet.serverPids()),
    ];
    const [program, server] = used();
    await until('the runs that are measured', async () => (await fleet.ended('done')) >= before + measured, MS_MAX);
    const seconds = (performance.now() - began) / 1000;
    const [ended, requests] = [(await fleet.ended('done')) - before, fleet.site.requests.length - asked];
    const [programNow, serverNow] = used();
    const sourcesPerSecond = ended / seconds;
    tell({
      workers,
      sources: count,
      seconds,
      sourcesPerSecond,
      times: alone === undefined ? 1 : sourcesPerSecond / alone,
      requestsPerSecond: requests / seconds,
      writesAtOnce: fleet.site.writesAtOnce(),
      limit,
      workerCpuMs: (programNow - program) / ended,
      databaseCpuMs: (serverNow - server) / ended,
    });
    if (isLast && !isBrief) await toTheEnd(fleet, fleetOf);
    return sourcesPerSecond;
  } finally {
    await fleet.close();
    await redis?.close();
  }
}

if (!isJson)
  process.stdout.write(
    lineOf(['workers', 'seconds', 'sources/s', 'times', 'requests/s', 'writes at once', 'ms a source', 'its database']),
  );
let alone: number | undefined;
const numbers = only > 0 ? [only] : [1, 2, 4];
for (const workers of numbers) {
  const reached = await bench(workers, alone, workers === numbers.at(-1));
  alone ??= reached;
}
