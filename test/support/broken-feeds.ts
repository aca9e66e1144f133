import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFeed, type ParseOutput } from '../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { mutate, seeded } from './mutate.ts';
import { DRAFT_SETTINGS } from './draft-settings.ts';

/** Processor time, so that other work on the machine does not count. */
const MS_MAX = 10_000;
const HOURS = 3_600_000;

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
if (!existsSync(feeds)) process.stdout.write(`Only our own feeds are broken and read: ${feeds} is not there.\n`);

const CALENDAR =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//town//EN\r\nBEGIN:VTIMEZONE\r\n' +
  'TZID:Town\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n' +
  'TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n' +
  'BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Town:20270105T180000\r\nDURATION:PT2H\r\n' +
  'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=20\r\nEXDATE;TZID=Town:20270107T180000\r\n' +
  'SUMMARY:Jazz \u2013 live\r\nDESCRIPTION:Two\\nlines\\, and a\r\n' +
  '  fold\r\nCATEGORIES:Music,Jazz\r\nLOCATION:Town Hall\r\nEND:VEVENT\r\n' +
  'BEGIN:VEVENT\r\nUID:1\r\nRECURRENCE-ID;TZID=Town:20270112T180000\r\n' +
  'DTSTART;TZID=Town:20270112T190000\r\nSUMMARY:Later\r\nEND:VEVENT\r\n' +
  'END:VCALENDAR\r\n';
const TABLE =
  'ID,Title,Start date,Start time,End time,Price,Categories,RRULE\n' +
  '1,"Jazz, live",2027-01-05,19:00,21:00,"12,50","Music;Jazz",\n2,Talk,05/01/2027,7 ' +
  'PM,,,,"FREQ=WEEKLY;COUNT=3"\n3,"Two\nlines",46402.5,,,,,\n';

const bodiesIn = (folder: string, ending: string): Uint8Array[] =>
  existsSync(join(feeds, folder))
    ? readdirSync(join(feeds, folder), { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => join(feeds, folder, name))
        .filter((file) => file.endsWith(ending) && statSync(file).size < 60_000)
        .map((file) => readFileSync(file))
    : [];

const settings: DraftSettings = {
  ...DRAFT_SETTINGS,
  source: 'fuzz',
  categories: { map: {}, add: [], unknown: 'create', words: { Music: ['jazz'] } },
  skip: [{ field: 'title', matches: '^hidden' }],
};

/** Content types that a server may send with them, and unusual settings of a source. */
const TYPES = [
  null,
  null,
  null,
  'text/calendar; charset=utf-8',
  'text/csv; charset=iso-8859-1',
  'text/plain; charset=utf-16',
  'text/html; charset=shift_jis',
  'application/octet-stream; charset=klingon',
];
const odd: DraftSettings = {
  ...settings,
  timezone: 'Asia/Kolkata',
  columns: { uid: 'Title + Start date', categories: 'none', venue: 'Price' },
  venueAliases: { 'town hall': 'Hall' },
  defaultOrganizer: 'Town',
  only: [{ field: 'description', matches: '' }],
  set: [
    {
      when: [{ field: 'title', matches: '^(.)(.*)$' }],
      only_where_empty: false,
      title: '{2}{1}',
      add_tags: ['{1}'],
      venue: '{2}',
      description: '{0}',
    },
  ],
};

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Checks what must hold for the output, whatever the bytes were; returns the first violation. */
function faultIn(output: ParseOutput): string | undefined {
  const problems = output.kind === 'reading' ? output.reading.problems : [output.problem];
  const silent = problems.find(({ code, message }) => !/^[a-z][a-z0-9-]+$/.test(code) || message.length < 10);
  if (silent) return `a problem that says nothing: ${JSON.stringify(silent)}`;
  if (output.kind === 'notAFeed') return undefined;
  const { drafts } = output.reading;
  if (drafts.length > 50_001) return `${drafts.length} drafts`;
  const odd = drafts.find(
    ({ fields, startsAt, endsAt }) =>
      fields.title.trim() === '' ||
      !WALL.test(fields.start_date) ||
      !WALL.test(fields.end_date) ||
      !(startsAt <= endsAt) ||
      fields.timezone === '' ||
      /<script/i.test(fields.description ?? ''),
  );
  return odd && `an odd draft: ${JSON.stringify(odd)}`;
}

/** Tests with `runs` broken calendars and tables, always the same ones for a seed. 50,000 take about ten minutes. */
export function testBrokenFeeds(runs: number, seed: number): void {
  describe.each(KINDS)('broken %s', (_, format, bodies) => {
    it(
      `are read or refused in time, with a message about what is wrong (${runs}, seed ${seed})`,
      { timeout: 10 * HOURS },
      () => {
        expect(faultsOf(format, bodies, runs, seed).slice(0, 5)).toEqual([]);
        expect(process.memoryUsage().heapUsed).toBeLessThan(1_500_000_000);
      },
    );
  });
}

const KINDS = [
  [
    'calendars',
    'ical',
    [Buffer.from(CALENDAR), ...['real', 'hostile', 'node-ical-defects'].flatMap((folder) => bodiesIn(folder, '.ics'))],
  ],
  ['tables', 'csv', [Buffer.from(TABLE), ...bodiesIn('csv', '.csv')]],
] as const;

function faultsOf(format: 'ical' | 'csv', bodies: readonly Uint8Array[], runs: number, seed: number): string[] {
  const faults: string[] = [];
  let slowest = 0;
  for (let run = 0; run < runs; run += 1) {
    const chance = seeded(seed + run);
    const bytes = mutate(
      bodies[Math.floor(chance() * bodies.length)]!,
      bodies[Math.floor(chance() * bodies.length)]!,
      chance,
    );
    const begun = process.cpuUsage();
    try {
      const before =
        chance() < 0.2 ? { before: bodies[Math.floor(chance() * bodies.length)]!.subarray(0, 16_384) } : {};
      const fault = faultIn(
        parseFeed({
          bytes,
          contentType: TYPES[Math.floor(chance() * TYPES.length)] ?? null,
          format: chance() < 0.9 ? format : undefined,
          settings: chance() < 0.8 ? settings : odd,
          ...before,
        }),
      );
      if (fault !== undefined) faults.push(`FUZZ_SEED=${seed + run} FUZZ_RUNS=1: ${fault}`);
    } catch (error) {
      faults.push(`FUZZ_SEED=${seed + run} FUZZ_RUNS=1: ${(error as Error).stack?.split('\n').slice(0, 4).join(' ')}`);
    }
    const { user } = process.cpuUsage(begun);
    const ms = user / 1_000;
    slowest = Math.max(slowest, ms);
    if (ms > MS_MAX) faults.push(`FUZZ_SEED=${seed + run} FUZZ_RUNS=1: took ${Math.round(ms)} ms`);
  }
  process.stdout.write(
    `${runs} broken ${format} feeds from seed ${seed} on, the slowest took ${Math.round(slowest)} ms.\n`,
  );
  return faults;
}
