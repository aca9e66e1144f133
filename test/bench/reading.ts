import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { decodeText } from '../../src/ical/read/decode.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { draftsOf } from '../support/drafts-of.ts';
import { madeFeed, numbered } from './made-feed.ts';
import { planChanges } from '../../src/sync/plan/plan-changes.ts';
import type { Policy, Snapshot } from '../../src/sync/model/plan.ts';

// From bytes to a plan, beside the bare parsers on the same text: events per second, peak memory, and how both grow.
// Each number is of a process of its own, so that none is paid for by another; memory is what the first reading added,
// time the best reading of a few.

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const COUNTS = [100, 1_000, 10_000, 100_000];
const LARGEST = 6;
/** Shorter readings are repeated: the system's count of processor time is coarse. */
const MS_MIN = 40;
/** Of a real feed, for a number per second to mean something. */
const EVENTS_MIN = 50;
/** As the program runs itself (src/launch.js). */
const HEAP = ['--heap-growing-percent=30', '--max-semi-space-size=8'];

const settings: DraftSettings = {
  source: 'bench',
  window: { from: NOW - 30 * DAY_MS, to: NOW + 540 * DAY_MS },
  timezone: undefined,
  siteTimezone: 'Europe/Warsaw',
  status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' },
  tags: { add: [] },
  defaultVenue: undefined,
  only: [],
  skip: [],
  columns: {},
  everything: false,
};
const policy: Policy = {
  source: 'bench',
  now: NOW,
  authority: { default: 'preserve', fields: {} },
  missing: { action: 'trash', after: 3 },
  hold: { share: 0.2, moreThan: 3 },
  language: 'en',
  venueCoordinates: true,
};
const emptySite: Snapshot = { events: new Map(), categories: [], tags: [], venues: [], organizers: [] };

const draftsIn = (bytes: Uint8Array) =>
  draftsOf(parseCalendar(decodeText(bytes, 'text/calendar; charset=utf-8').text).value, settings);

/** What is measured: who reads, and how far. */
const READERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  'node-ical': (bytes) => nodeIcal.sync.parseICS(new TextDecoder().decode(bytes)),
  'ical.js': (bytes) =>
    new ICAL.Component(
      ICAL.parse(new TextDecoder().decode(bytes)) as ConstructorParameters<typeof ICAL.Component>[0],
    ).getAllSubcomponents('vevent'),
  parse: (bytes) => parseCalendar(decodeText(bytes, 'text/calendar; charset=utf-8').text).value,
  draft: draftsIn,
  plan: (bytes) => planChanges({ reading: draftsIn(bytes), snapshot: emptySite, ledger: new Map(), policy }),
};

const bodyOf = (feed: string): Uint8Array =>
  /^\d+$/.test(feed) ? madeFeed(numbered(Number(feed)), NOW) : readFileSync(feed);

interface Measured {
  readonly ms: number;
  readonly addedMb: number;
  readonly peakMb: number;
}

/** In a process of its own: the first reading's memory, the best time of up to five readings within three seconds. */
function measure(reader: string, feed: string): Measured {
  const bytes = bodyOf(feed);
  const read = READERS[reader]!;
  globalThis.gc?.();
  const base = process.memoryUsage.rss();
  const times: number[] = [];
  let peak = 0;
  const begun = performance.now();
  while (times.length === 0 || (times.length < 5 && performance.now() - begun < 3_000)) {
    // Of the processor: a busy machine makes no parser slower than another.
    const start = process.cpuUsage();
    let ms = 0;
    let readings = 0;
    while (ms < MS_MIN) {
      read(bytes);
      readings += 1;
      ms = process.cpuUsage(start).user / 1_000;
      if (peak === 0) peak = peakBytes();
    }
    times.push(ms / readings);
  }
  return { ms: Math.min(...times), addedMb: Math.max(0, peak - base) / 1e6, peakMb: peak / 1e6 };
}

function measured(reader: string, feed: string): Measured | undefined {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', ...HEAP, import.meta.filename, reader, feed],
    { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // A parser that fails at a feed has no number.
  return status === 0 ? (JSON.parse(stdout) as Measured) : undefined;
}

/** The most memory of this process; on Linux not what it inherited (`ru_maxrss` is handed down). */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

const eventsIn = (bytes: Uint8Array): number =>
  Buffer.from(bytes)
    .toString('latin1')
    .match(/^BEGIN:VEVENT/gm)?.length ?? 0;
const cell = (number: number | undefined, digits: number): string =>
  (number === undefined ? 'fails' : number.toFixed(digits)).padStart(10);

/** A line of the table; gives the measurements back. */
function row(name: string, feed: string): Readonly<Record<string, Measured | undefined>> {
  const events = eventsIn(bodyOf(feed));
  const found = Object.fromEntries(Object.keys(READERS).map((reader) => [reader, measured(reader, feed)]));
  const speeds = Object.values(found).map((one) => cell(one && (events / one.ms) * 1_000, 0));
  const memory = Object.values(found).map((one) => cell(one?.peakMb, 0));
  const floor = found['node-ical'];
  process.stdout.write(
    `${name.slice(0, 34).padEnd(34)}${String(events).padStart(8)}${speeds.join('')}${cell(floor && found['parse'] && found['parse'].ms / floor.ms, 2)}${cell(floor && found['draft'] && found['draft'].ms / floor.ms, 2)} |${memory.join('')}\n`,
  );
  return found;
}

function benchReading(): void {
  const names = Object.keys(READERS)
    .map((name) => name.padStart(10))
    .join('');
  process.stdout.write(
    `\nReading (parse: calendar values; draft: also expanded and sanitised; plan: also compared with an empty site)\n${''.padEnd(42)}events per second${''.padEnd(33)}time / node-ical       peak RSS, MB\n${'feed'.padEnd(34)}${'events'.padStart(8)}${names}${'parse'.padStart(10)}${'draft'.padStart(10)} |${names}\n`,
  );
  const grown = COUNTS.map((count) => row(`made, ${count} events`, String(count)));
  const [first, last] = [grown[0]!, grown.at(-1)!];
  process.stdout.write(`${COUNTS.at(-1)! / COUNTS[0]!} times the events:\n`);
  for (const reader of Object.keys(READERS)) {
    const [few, many] = [first[reader], last[reader]];
    if (few && many)
      process.stdout.write(
        `  ${reader.padEnd(10)} ${(many.ms / few.ms).toFixed(0)} times the time; ${few.addedMb.toFixed(0)} MB of memory more → ${many.addedMb.toFixed(0)} MB (${((many.addedMb * 1e3) / COUNTS.at(-1)!).toFixed(1)} kB an event)\n`,
      );
  }
  const folder = path.join(
    process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'),
    'feeds/real',
  );
  if (!existsSync(folder))
    return void process.stdout.write(`The largest real feeds were not read: ${folder} is not there.\n`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ics'))
    .map((file) => path.join(folder, file));
  for (const file of files
    .filter((each) => eventsIn(readFileSync(each)) >= EVENTS_MIN)
    .toSorted((one, other) => statSync(other).size - statSync(one).size)
    .slice(0, LARGEST))
    row(`${path.basename(file)} (${(statSync(file).size / 1e6).toFixed(1)} MB)`, file);
}

const [reader, feed] = process.argv.slice(2);
if (reader !== undefined && feed !== undefined) process.stdout.write(JSON.stringify(measure(reader, feed)));
else benchReading();
