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

// From bytes to a plan, beside the bare parsers on the same text: events per second, peak memory, and how both grow.
// Each number is of a process of its own, so that none is paid for by another; memory is what the first reading added,
// time the best reading of a few. `node src/launch.js test/bench/reading.ts [--json] [100 100000]`.

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const LARGEST = 3;
/** Shorter readings are repeated: the system's count of processor time is coarse. */
const MS_MIN = 40;
/** Of a real feed, for a number per second to mean something. */
const EVENTS_MIN = 50;
/** As the program runs itself (src/launch.js). */
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

/** What is measured: who reads, and how far. */
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
    bound: 'Decoding, unfolding and node-ical itself: calendar values, and what is wrong with them.',
  },
  draft: { read: draftsIn, bound: 'Also expanded, in zones, and sanitised.' },
  plan: {
    read: (bytes) => planChanges({ reading: draftsIn(bytes), snapshot: emptySite, ledger: new Map(), policy }),
    bound: 'Also identified, and compared with an empty site.',
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

/** In a process of its own: the first reading's memory, the best time of up to five readings within three seconds. */
function measure(reader: string, feed: string): Measurement {
  const bytes = bodyOf(feed);
  const { read } = READERS[reader] as Reader;
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

function measured(reader: string, feed: string): Measurement | undefined {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', ...HEAP, import.meta.filename, reader, feed],
    { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // A parser that fails at a feed has no number.
  return status === 0 ? (JSON.parse(stdout) as Measurement) : undefined;
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
/** Rows of a feed, of which node-ical is the floor; gives the measurements back. */
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
        bound: `${bound} At most ${own.peakMb.toFixed(0)} MB, ${floor.peakMb.toFixed(0)} with the floor.`,
        details: { ...own },
      });
  }
  return found;
}

/** How time and memory grow from the least to the most events. */
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
        beside: 'the events',
        bound: `${few.addedMb.toFixed(0)} MB more become ${many.addedMb.toFixed(0)} MB.`,
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
