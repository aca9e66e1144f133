import { readFileSync } from 'node:fs';
import { madeFeed, numbered } from './made-feed.ts';
import { sizesAsked, tell } from './measured.ts';
import { FROM, nextRun, oneSource } from './one-source.ts';

// The memory of the daemon's process (Linux): its peak until the end of the first sync, and its size after many runs.
// `node src/launch.js test/bench/memory.ts [--json] [10000 100000]`; `BENCH_RUNS=500` makes a thousand runs.

/**
 * Half the number of unchanged runs (`BENCH_RUNS=500` makes 1,000). Each takes a second, the shortest interval of a
 * source.
 */
const UNCHANGED_RUNS = Number(process.env['BENCH_RUNS'] ?? 10);
const CHANGED_RUNS = 10;
const GOALS_MB: Readonly<Record<number, number>> = { 10_000: 200, 100_000: 400 };

/** `VmHWM` is the peak memory of a process, `VmRSS` its current memory. */
function megabytes(pid: number, key: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes] =
    new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

const AFTERWARDS: readonly (readonly [what: string, change: boolean, turns: number, bound: string])[] = [
  ['unchanged', false, UNCHANGED_RUNS, 'Nothing is kept from one unchanged run to the next.'],
  ['changed', true, CHANGED_RUNS, 'The body and its text are in memory while the changed part is located.'],
];

async function bench(count: number): Promise<void> {
  let [published, title] = [0, 'as it was'];
  const source = await oneSource((request, response) => {
    const etag = `"${title}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    published += 1;
    const events = numbered(count).map((event) => (event.number === 5 ? { ...event, title } : event));
    response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(madeFeed(events, FROM));
  }, '1s');
  try {
    const daemon = source.home.start();
    await nextRun(daemon, source);
    tell({
      what: 'memory, first sync',
      events: count,
      value: megabytes(daemon.pid(), 'VmHWM'),
      unit: 'MB',
      goal: { value: GOALS_MB[count] ?? 200 },
      bound:
        'The idle daemon has 140 MB, 66 of them Node.js, and 166 with its parser. Another 50 are needed twice: ' +
        'while the feed is read and, after the parser has ended, for the plan, which is stored before the first write.',
    });
    const runs = async (many: number, change: boolean): Promise<number> => {
      for (let turn = 0; turn < many; turn += 1) {
        if (change) title = `Title ${published} ${turn}`;
        await nextRun(daemon, source);
      }
      return megabytes(daemon.pid(), 'VmRSS');
    };
    for (const [what, change, turns, bound] of AFTERWARDS) {
      const floor = await runs(turns, change);
      tell({
        what: `memory after ${2 * turns} ${what} runs`,
        events: count,
        value: await runs(turns, change),
        unit: 'MB',
        floor,
        beside: `after ${turns}`,
        goal: { ratio: 1.05 },
        bound,
      });
    }
    await daemon.stop('SIGTERM');
  } finally {
    await source.close();
  }
}

for (const count of sizesAsked([10_000])) await bench(count);
