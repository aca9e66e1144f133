import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { decodeText } from '../../src/ical/read/decode.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { draftsOf } from '../support/drafts-of.ts';
import { sizesAsked, tell } from './measured.ts';
import { madeFeed, numbered } from './made-feed.ts';
import { planChanges } from '../../src/sync/plan/plan-changes.ts';
import type { Policy, Snapshot } from '../../src/sync/model/plan.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

// From bytes to a plan, compared with the bare parsers on the same text: events per second, peak memory, and how both
// grow. Each figure comes from its own process, so that none affects another. Memory is what the first reading adds,
// time is the best of several readings. `node src/launch.js test/bench/reading.ts [--json] [100 100000]`.

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const LARGEST = 3;
/** Shorter readings are repeated, because the system counts processor time coarsely. */
const MS_MIN = 40;
/** The minimum for a real feed, so that a rate per second means something. */
const EVENTS_MIN = 50;
/** The same flags as the program's (src/launch.js). */
const HEAP = ['--heap-growing-percent=30', '--max-semi-space-size=4'];

const settings: DraftSettings = {
  ...DRAFT_SETTINGS,
  source: 'bench',
  window: { from: NOW - 30 * DAY_MS, to: NOW + 540 * DAY_MS },
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

interface Reader {
  readonly read: (bytes: Uint8Array) => unknown;
  readonly bound: string;
}

/** The readers that are measured, each going further than the one before. */
const READERS: Readonly<Record<string, Reader>> = {
  'node-ical': { read: (bytes) => nodeIcal.sync.parseICS(new TextDecoder().decode(bytes)), bound: '' },
  'ical.js': {
    read: (bytes) =>
      new ICAL.Component(
        ICAL.parse(new TextDecoder().decode(bytes)) as ConstructorParameters<typeof ICAL.Component>[0],
      ).getAllSubcomponents('vevent'),
    bound: 'Another parser, for comparison.',
  },
  parse: {
    read: (bytes) => parseCalendar(decodeText(bytes, 'text/calendar; charset=utf-8').text).value,
    bound: 'Decoding, unfolding and node-ical itself, giving calendar values and their problems.',
  },
  draft: { read: draftsIn, bound: 'Also expanding series, applying time zones and sanitising.' },
  plan: {
    read: (bytes) => planChanges({ reading: draftsIn(bytes), snapshot: emptySite, ledger: new Map(), policy }),
    bound: 'Also identifying events and comparing them with an empty site.',
  },
};
const FLOOR = 'node-ical';

const bodyOf = (feed: string): Uint8Array =>
  /^\d+$/.test(feed) ? madeFeed(numbered(Number(feed)), NOW) : readFileSync(feed);

interface Measurement {
  readonly ms: number;
  readonly addedMb: number;
  readonly peakMb: number;
}

/**
 * In its own process: the memory of the first reading, and the best time of up to five readings within three seconds.
 */
function measure(reader: string, feed: string): Measurement {
  const bytes = bodyOf(feed);
  const { read } = READERS[reader] as Reader;
  globalThis.gc?.();
  const base = process.memoryUsage.rss();
  const times: number[] = [];
  let peak = 0;
  const begun = performance.now();
  while (times.length === 0 || (times.length < 5 && performance.now() - begun < 3_000)) {
    // Processor time, so that other work on the machine does not count.
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

function measured(reader: string, feed: string): Measurement | undefined {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', ...HEAP, import.meta.filename, reader, feed],
    { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // A parser that fails on a feed has no figure.
  return status === 0 ? (JSON.parse(stdout) as Measurement) : undefined;
}

/** The peak memory of this process. On Linux it excludes inherited memory, which `ru_maxrss` would include. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

const eventsIn = (bytes: Uint8Array): number =>
  Buffer.from(bytes)
    .toString('latin1')
    .match(/^BEGIN:VEVENT/gm)?.length ?? 0;
/** Prints the rows of a feed, with node-ical as the floor, and returns the measurements. */
function tellOf(name: string, feed: string): Readonly<Record<string, Measurement | undefined>> {
  const events = eventsIn(bodyOf(feed));
  const found = Object.fromEntries(Object.keys(READERS).map((reader) => [reader, measured(reader, feed)]));
  const floor = found[FLOOR];
  for (const [reader, { bound }] of Object.entries(READERS)) {
    const own = found[reader];
    if (own && floor && reader !== FLOOR)
      tell({
        what: `reading ${name}, ${reader}`,
        events,
        value: own.ms,
        unit: 'ms',
        floor: floor.ms,
        beside: FLOOR,
        bound: `${bound} The peak is ${own.peakMb.toFixed(0)} MB, for the floor ${floor.peakMb.toFixed(0)}.`,
        details: { ...own },
      });
  }
  return found;
}

/** Prints how time and memory grow from the smallest to the largest size. */
function tellGrowth(grown: readonly ReturnType<typeof tellOf>[], counts: readonly number[]): void {
  const times = Math.max(...counts) / Math.min(...counts);
  for (const reader of Object.keys(READERS)) {
    const [few, many] = [grown[0]?.[reader], grown.at(-1)?.[reader]];
    if (few && many)
      tell({
        what: `growth of ${reader}`,
        value: many.ms / few.ms,
        unit: 'times',
        floor: times,
        beside: 'growth in events',
        bound: `Additional memory grows from ${few.addedMb.toFixed(0)} to ${many.addedMb.toFixed(0)} MB.`,
      });
  }
}

function benchReading(): void {
  const counts = sizesAsked([1_000, 10_000]);
  const grown = counts.map((count) => tellOf('a made feed', String(count)));
  if (counts.length > 1) tellGrowth(grown, counts);
  const folder = path.join(
    process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'),
    'feeds/real',
  );
  if (!existsSync(folder))
    return void process.stderr.write(`The largest real feeds were not read: ${folder} is not there.\n`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ics'))
    .map((file) => path.join(folder, file));
  for (const file of files
    .filter((each) => eventsIn(readFileSync(each)) >= EVENTS_MIN)
    .toSorted((one, other) => statSync(other).size - statSync(one).size)
    .slice(0, LARGEST))
    tellOf(`${path.basename(file)}, ${(statSync(file).size / 1e6).toFixed(1)} MB`, file);
}

const [reader, feed] = process.argv.slice(2);
if (reader !== undefined && feed !== undefined && reader in READERS)
  process.stdout.write(JSON.stringify(measure(reader, feed)));
else benchReading();
