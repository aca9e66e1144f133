import { readFileSync } from 'node:fs';
import { madeFeed, numbered } from './made-feed.ts';
import { sizesAsked, tell } from './measured.ts';
import { FROM, nextRun, oneSource } from './one-source.ts';

// The memory of the daemon's process (Linux): the most it had until the first sync was over, and what it has after
// many runs. `node src/launch.js test/bench/memory.ts [--json] [10000 100000]`; `BENCH_RUNS=500`
// is a thousand runs.

/** Each takes a second, because a source is read no more often. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 10);
const GOALS_MB: Readonly<Record<number, number>> = { 10_000: 200, 100_000: 400 };

/** `VmHWM` is the most that a process ever had, `VmRSS` what it has now. */
function megabytes(pid: number, key: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes] =
    new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

const AFTERWARDS: readonly (readonly [what: string, change: boolean, bound: string])[] = [
  ['unchanged', false, 'Nothing is kept from one unchanged run to the next.'],
  ['changed', true, 'The process keeps about as much as its largest read took.'],
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
        'A daemon with three events has 190 MB already, 150 without its parser; the parser of a large feed takes most of the rest, while it reads.',
    });
    const runs = async (many: number, change: boolean): Promise<number> => {
      for (let turn = 0; turn < many; turn += 1) {
        if (change) title = `Title ${published} ${turn}`;
        await nextRun(daemon, source);
      }
      return megabytes(daemon.pid(), 'VmRSS');
    };
    for (const [what, change, bound] of AFTERWARDS) {
      const floor = await runs(RUNS, change);
      tell({
        what: `memory after ${2 * RUNS} ${what} runs`,
        events: count,
        value: await runs(RUNS, change),
        unit: 'MB',
        floor,
        beside: `after ${RUNS}`,
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
