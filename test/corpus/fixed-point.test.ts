import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ExpandSettings } from '../../src/ical/occurrences/expand-calendar.ts';
import { parseFeed } from '../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { calendarReaders, comparableLines, readingsOfList, type Read } from '../support/calendar-readers.ts';
import { importedAndExported, exportDifferences, onlyIn } from '../support/fixed-point.ts';
import { violationsOf } from '../support/ical-check.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

// Exports, imports into an empty site and exports again: apart from ids and times of change, the result must be the
// same.
// FIXED_POINT_OCCURRENCES is the approximate number of occurrences to take from each feed, or `all` between 1980 and
// 2030. The import's own limits still apply: 5,000 occurrences per series and 50,000 repetitions per feed
// (`series-cut`, `feed-cut`; what they cut is printed), and private events and busy times are not imported. With `all`,
// that is 400,000 events and 80 minutes on two processors.
// FIXED_POINT_FEEDS is a regular expression that selects feeds by name; FIXED_POINT_PART (`2/3`) selects a part of
// them, so that several processes can share the work.
const OCCURRENCES = occurrencesAsked(process.env['FIXED_POINT_OCCURRENCES'] ?? '12');
const CHOSEN = new RegExp(process.env['FIXED_POINT_FEEDS'] ?? '');
const [PART, PARTS] = partAsked(process.env['FIXED_POINT_PART'] ?? '1/1');

const folder = path.join(process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'), 'feeds');
const names = existsSync(folder)
  ? globSync('{real,library,node-ical-defects,timelines,hostile}/**/*.{ics,ical,ifb,vcs,ICS}', { cwd: folder })
      .toSorted()
      .filter((name) => CHOSEN.test(name))
  : [];
if (names.length === 0)
  process.stderr.write(
    `Not run: no feeds in ${folder} (set CALSYNCD_CORPUS)${CHOSEN.source === '(?:)' ? '' : ` that match ${CHOSEN}`}.\n`,
  );

const EVER = { from: Date.UTC(1980, 0, 1), to: Date.UTC(2030, 0, 1) };
/**
 * If only the first occurrences are taken, a day may have at most this many. An event that recurs every second or
 * minute would have thousands, all alike.
 */
const EVENTS_MAX = 300;
const FEEDS_PER_SITE = 100;
/** The maximum for feeds that share a site. The site exports one feed, of which at most 50,000 events are imported. */
const EVENTS_PER_SITE = 10_000;
const DAY = 86_400_000;

/** The settings for finding the first events. They limit each series to what is needed, instead of fifty years. */
const SETTINGS: DraftSettings & ExpandSettings = {
  ...DRAFT_SETTINGS,
  source: 'corpus',
  window: EVER,
  ...(OCCURRENCES === 'all' ? {} : { occurrencesPerSeries: 2 * Math.max(EVENTS_MAX, OCCURRENCES) }),
};

interface Feed extends Readonly<{
  name: string;
  file: string;
  from: number;
  to: number;
  /** How many events of that period are imported. */ events: number;
}> {}

/** A feed, the period of its first events, and their number. */
function feedOf(name: string): Feed {
  const file = path.join(folder, name);
  const output = parseFeed({ bytes: readFileSync(file), contentType: null, format: undefined, settings: SETTINGS });
  const starts =
    output.kind === 'reading'
      ? output.reading.drafts
          // A cancellation without a title only cancels an event that is on the site.
          .filter(({ unsaid }) => unsaid?.includes('title') !== true)
          .map(({ startsAt }) => Math.max(startsAt, EVER.from))
          .toSorted((a, b) => a - b)
      : [];
  if (OCCURRENCES === 'all' || OCCURRENCES >= starts.length) return { name, file, ...EVER, events: starts.length };
  const [from, last] = [starts[0]!, starts[OCCURRENCES - 1]!];
  const to = Math.max(last + 1, from + DAY);
  return { name, file, from, to, events: starts.filter((start) => start < to).length };
}

function occurrencesAsked(asked: string): number | 'all' {
  if (asked === 'all') return asked;
  if (!/^[1-9]\d{0,5}$/.test(asked))
    throw new Error(`FIXED_POINT_OCCURRENCES is "${asked}": a number or "all" is wanted.`);
  return Number(asked);
}

function partAsked(asked: string): readonly [part: number, parts: number] {
  const [part = 0, parts = 0] = /^\d+\/\d+$/.test(asked) ? asked.split('/').map(Number) : [];
  if (part < 1 || part > parts)
    throw new Error(`FIXED_POINT_PART is "${asked}": a part of so many, as 1/3, is wanted.`);
  return [part, parts];
}

/** Groups feeds into sites whose export is still a single feed. */
function sitesOf(feeds: readonly Feed[]): readonly (readonly Feed[])[] {
  const sites: Feed[][] = [];
  for (const feed of feeds) {
    const site = sites.at(-1);
    if (site && site.length < FEEDS_PER_SITE && eventsOf(site) + feed.events <= EVENTS_PER_SITE) site.push(feed);
    else sites.push([feed]);
  }
  return sites.filter((_, index) => index % PARTS === PART - 1);
}

const eventsOf = (feeds: readonly Feed[]): number => feeds.reduce((total, { events }) => total + events, 0);

test.skipIf(names.length === 0)(
  'an export is valid, is read by other programs as the list shows it, and is imported unchanged',
  { timeout: OCCURRENCES === 'all' || OCCURRENCES > 50 ? 8 * 3_600_000 : 1_800_000 },
  async () => {
    const readers =
      OCCURRENCES === 'all'
        ? Object.fromEntries(Object.entries(calendarReaders()).filter(([name]) => FAST_READERS.has(name)))
        : calendarReaders();
    const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-fixed-point-'));
    const different = [
      ...new Map(names.map((name) => [readFileSync(path.join(folder, name)).toString('base64'), name])).values(),
    ];
    const all = different.map(feedOf).filter(({ events }) => events > 0);
    const dense = OCCURRENCES === 'all' ? [] : all.filter(({ events }) => events > EVENTS_MAX);
    const sites = sitesOf(all.filter((feed) => !dense.includes(feed)));
    const [wrong, cut]: [string[], string[]] = [[], []];
    try {
      for (const [index, feeds] of sites.entries()) {
        const begun = performance.now();
        const around = await aroundOnce(feeds, readers, path.join(directory, `${index}.ics`)).catch(
          (error: unknown): Around => ({
            found: [`${feeds.map(({ name }) => name).join(', ')}: ${String((error as Error).stack)}`],
            cut: [],
          }),
        );
        const found = around.found.slice(0, SHOWN_MAX);
        wrong.push(...found);
        cut.push(...around.cut);
        process.stdout.write(
          `site ${index + 1} of ${sites.length}: ${eventsOf(feeds)} events of ${feeds.length} feeds from ` +
            `${feeds[0]!.name}, ${Math.round((performance.now() - begun) / 1_000)} s, ${around.found.length} ` +
            `differences\n${found.map((one) => `    ${one}\n`).join('')}`,
        );
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    const taken = sites.flat();
    process.stdout.write(
      `exported, read by ${Object.keys(readers).join(', ')}, imported and exported again: ` +
        `${eventsOf(taken)} events, ${OCCURRENCES === 'all' ? 'all' : `about the first ${OCCURRENCES}`} of each ` +
        `of ${taken.length} feeds. Without public events, or no feeds: ${different.length - all.length}; ` +
        `the same as others: ${names.length - different.length}. Left out, with too many events a day: ` +
        `${dense.map(({ name }) => name).join(', ') || 'none'}.\n${cut.map((one) => `cut: ${one}\n`).join('')}`,
    );
    expect(wrong).toEqual([]);
  },
);

/**
 * Readers that can read all occurrences. The others learn nothing from the thousandth of a series that the sixth does
 * not show.
 */
const FAST_READERS: ReadonlySet<string> = new Set(['node-ical', 'libical']);
const SHOWN_MAX = 20;

interface Around {
  /** Differences and violations. */ readonly found: readonly string[];
  /** What limits have cut. */ readonly cut: readonly string[];
}

/**
 * Imports feeds into a site, exports them, lets other programs read the export, imports it into a second site and
 * exports that; returns all differences.
 */
async function aroundOnce(
  feeds: readonly Feed[],
  readers: Readonly<Record<string, Read>>,
  file: string,
): Promise<Around> {
  const first = await importedAndExported(feeds, EVER, true);
  const second = await importedAndExported([{ text: first.text, ...EVER }], EVER);
  await writeFile(file, first.text);
  const list = readingsOfList(first.listed);
  const reports = feeds.map((feed, index) => ({ ...feed, ...first.reports[index]! }));
  const found = [
    ...reports
      .filter(({ created, events }) => created < events)
      .map(
        ({ name, created, events, problems }) =>
          `${name}: ${created} events are created of ${events}; ${problems.map(({ message }) => message).join(' ')}`,
      ),
    ...violationsOf(Buffer.from(first.text)),
    ...Object.entries(readers).flatMap(([name, read]) => differences(name, list, comparableLines(read(file)))),
    ...exportDifferences(first.text, second.text).map((difference) => `the first and the second export: ${difference}`),
  ];
  return {
    found,
    cut: reports.flatMap(({ name, problems }) =>
      problems
        .filter(({ code }) => code === 'series-cut' || code === 'feed-cut')
        .map(({ message }) => `${name}: ${message}`),
    ),
  };
}

const differences = (reader: string, list: readonly string[], read: readonly string[]): readonly string[] => [
  ...onlyIn(list, read).map((event) => `only the list has, and ${reader} does not read ${event}`),
  ...onlyIn(read, list).map((event) => `the list has not what ${reader} reads: ${event}`),
];
