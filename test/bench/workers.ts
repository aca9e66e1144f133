import { openFleet } from '../support/fleet.ts';
import { postsOf } from '../support/real-site/store.ts';
import { cpuMsOf } from '../support/processor-time.ts';
import { until } from '../support/until.ts';
import { hasRedis, ownRedis } from '../faults/own-redis.ts';

// How the first runs of many sources grow with the workers: 1, 2 and 4 of them, and two web processes, as
// docker-compose.yml starts them, against a site that takes 50 ms for a request. Time runs from the first feed that is
// asked for to the end of the last run. `node src/launch.js test/bench/workers.ts 1000 --limit=32`, with `--json` for
// machines.

const isJson = process.argv.includes('--json');
const argument = (name: string, standard: number): number =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard);
const count = Number(process.argv.slice(2).find((arg) => /^\d+$/.test(arg)) ?? 200);
const [limit, events, latencyMs] = [argument('limit', 32), argument('events', 5), argument('latency', 50)];
const only = argument('workers', 0);
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
      `${String(workers).padStart(7)}${seconds.toFixed(1).padStart(10)}${sourcesPerSecond.toFixed(1).padStart(12)}${times.toFixed(2).padStart(9)}${requestsPerSecond.toFixed(0).padStart(13)}${`${writesAtOnce} of ${limit}`.padStart(16)}${workerCpuMs.toFixed(0).padStart(12)}${databaseCpuMs.toFixed(0).padStart(12)}\n`,
    );
}

async function bench(workers: number, alone: number | undefined): Promise<number> {
  const redis = hasRedis() ? await ownRedis() : undefined;
  const fleet = await openFleet({
    sources: Array.from({ length: count }, (_, index) => `source-${index}`),
    events,
    latencyMs,
    requestsInFlight: limit,
    ...(redis ? { redisUrl: redis.url } : {}),
  });
  try {
    // All of them are up before the first feed is asked for, or the first worker would be ahead.
    const webs = [await fleet.startWeb(), await fleet.startWeb()];
    for (const web of webs) await web.ready();
    const fleetOf = Array.from({ length: workers }, () => fleet.startWorker());
    await until('the first feed', () => fleet.asked.length > 0, MS_MAX);
    const used = (): readonly [number, number] => [
      cpuMsOf(fleetOf.map((one) => one.pid())),
      cpuMsOf(fleet.serverPids()),
    ];
    const [program, server] = used();
    await until('all sources', async () => (await fleet.ended('done')) === count, MS_MAX);
    const seconds = (performance.now() - (fleet.asked[0]?.at ?? 0)) / 1000;
    if (postsOf(fleet.site.store(), 'events').length !== count * events) throw new Error('the site lacks events');
    const [programNow, serverNow] = used();
    const sourcesPerSecond = count / seconds;
    tell({
      workers,
      sources: count,
      seconds,
      sourcesPerSecond,
      times: alone === undefined ? 1 : sourcesPerSecond / alone,
      requestsPerSecond: fleet.site.requests.length / seconds,
      writesAtOnce: fleet.site.writesAtOnce(),
      limit,
      workerCpuMs: (programNow - program) / count,
      databaseCpuMs: (serverNow - server) / count,
    });
    return sourcesPerSecond;
  } finally {
    await fleet.close();
    await redis?.close();
  }
}

if (!isJson)
  process.stdout.write(
    `${'workers'.padStart(7)}${'seconds'.padStart(10)}${'sources/s'.padStart(12)}${'times'.padStart(9)}${'requests/s'.padStart(13)}${'writes at once'.padStart(16)}${'ms a source'.padStart(12)}${'its database'.padStart(14)}\n`,
  );
let alone: number | undefined;
for (const workers of only > 0 ? [only] : [1, 2, 4]) {
  const reached = await bench(workers, alone);
  alone ??= reached;
}
