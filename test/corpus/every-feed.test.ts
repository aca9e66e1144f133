import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/ical/read/decode.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { parseFeed } from '../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../src/sync/model/draft.ts';
import { peakMemoryOf, type PeakMemory } from '../support/peak-memory.ts';
import { differencesFrom, truthOf } from '../support/truth.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';

// Reads every file of the corpus as the daemon does, and reports what it contains, what that costs, and whether
// independent engines read the same.
// CALSYNCD_CORPUS_TABLE=FILE writes a table with a line for each file and measures memory. That needs a garbage
// collection before each file and doubles the time.
const TABLE = process.env['CALSYNCD_CORPUS_TABLE'];

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
const present = existsSync(join(feeds, 'truth'));
if (!present) process.stdout.write(`The corpus was not run: ${feeds} is not there.\n`);

const SEQUENCE =
  'a lower SEQUENCE with the same start or title is an older revision, which the higher one replaces (RFC 5545, 3.8.7.4; RFC 5546, 2.1.5)';
const UNUSABLE_RULE =
  'a rule that cannot be used leaves the first date, with a problem (3.3.10; EXPECTED.json wants the event kept)';
const FIRST_DATE =
  'DTSTART is the first date of a series even if its rule ends long before it (3.8.5.3), with a problem';
const BYTE_ORDER_MARK =
  'a byte order mark between concatenated files is not part of a name (3.1): both events are read';
const NAMED_OFFSET =
  'a time whose TZID names an offset or zone is not floating, even if the feed does not define it (3.2.19)';

const FLOATING_END =
  'an end without a zone is in the zone of its start (3.8.2.2): in any other, these events would end before they begin';
const FLOATING_ENDS = {
  ByMonth1: 31,
  ByMonth2: 31,
  Daily1: 4998,
  DailyByHourMinute1: 4998,
  DailyCount2: 5,
  MinutelyByHour1: 4998,
  MinutelyCount1: 6,
  MonthlyByDay1: 788,
  MonthlyByMonthDay1: 51,
  MonthlyBySetPos2: 360,
  MonthlyCountByDay1: 10,
  MonthlyCountByDay2: 10,
  MonthlyCountByDay3: 6,
  MonthlyCountByMonthDay1: 10,
  MonthlyCountByMonthDay3: 10,
  MonthlyUntilByDay1: 4,
  WeeklyCount1: 10,
  WeeklyCountWkst1: 10,
  WeeklyCountWkst2: 8,
  WeeklyCountWkst3: 4,
  WeeklyUntil1: 17,
  WeeklyWkst1: 783,
  YearlyByMonth1: 4,
  YearlyByMonth2: 134,
  YearlyByMonth3: 395,
  YearlyByMonthDay1: 8,
  YearlyByWeekNo1: 30,
  YearlyByWeekNo4: 97,
};

// Where we deliberately differ from the engines behind the expected results, and why: how many of their occurrences we
// lack, and how many we have in addition. Nothing else may differ.
const DECIDED: Readonly<Record<string, readonly [because: string, missing: number, extra: number]>> = {
  'library/sabre-vobject/from-tests/TimeZoneUtilTest.1.ics': [NAMED_OFFSET, 1, 1],
  ...Object.fromEntries(
    Object.entries(FLOATING_ENDS).map(
      ([name, count]) => [`library/ical.net/Calendars/Recurrence/${name}.ics`, [FLOATING_END, count, count]] as const,
    ),
  ),
  'hostile/bom-in-the-middle.ics': [BYTE_ORDER_MARK, 0, 1],
  'node-ical-defects/25-bom-inside.ics': [BYTE_ORDER_MARK, 0, 1],
  'hostile/leading-spaces-everywhere.ics': [
    'a calendar laid out like source code: its lines are read as lines, not as folds of BEGIN (3.1)',
    0,
    1,
  ],
  'hostile/vevent-in-vevent.ics': [
    'an event cannot contain an event (3.6.1): the END of the first is missing, and both are read',
    0,
    1,
  ],
  'hostile/date-iso-format.ics': [
    'a date in ISO 8601 extended format can be read in one way only (3.3.5; EXPECTED.json counts it as usable)',
    0,
    1,
  ],
  'library/collective-icalendar/tests/calendars/multiple_calendar_components.ics': [
    'a blank line inside a fold ends nothing (3.1): the event around it is read',
    0,
    1,
  ],
  'library/collective-icalendar/tests/calendars/multiple_timezones.ics': [
    'an RDATE with times is forbidden here (3.8.5.2): it is ignored, but its event is read',
    0,
    3,
  ],
  'library/node-ical/test/fixtures/test_date_duration.ics': [
    'PT1W (P1W in 3.3.6), as Synology writes it, is a week',
    1,
    1,
  ],
  'library/libical/test-data/process-incoming.ics': ['a time without seconds (required by 3.3.12) is read', 1, 1],
  'hostile/date-tzid-gmt-offset.ics': [NAMED_OFFSET, 1, 1],
  'hostile/date-tzid-lowercase.ics': [NAMED_OFFSET, 1, 1],
  'library/libical/test-data/recur-errors.ics': [NAMED_OFFSET, 20, 20],
  'library/node-ical/test/fixtures/music-school-weekly-until.ics': [NAMED_OFFSET, 9, 9],
  'library/node-ical/test/fixtures/windows-quoted-tz-rrule.ics': [
    `${NAMED_OFFSET}; an EXDATE in another zone excludes that instant, not those digits (3.8.5.1)`,
    8,
    10,
  ],
  'library/libical/test-data/incoming.ics': [SEQUENCE, 1, 0],
  'library/libical/src/Net-ICal-Libical/test-data/rfc2446.ics': [
    `${SEQUENCE}; a recurring component is a series despite its RECURRENCE-ID if there is no other (3.8.4.4), with a problem`,
    943,
    943,
  ],
  'library/libical/test-data/2446.ics': [SEQUENCE, 793, 0],
  'library/libical/test-data/large.ics': [SEQUENCE, 31, 0],
  'hostile/libical-fuzz/fuzzusban5.ics': [SEQUENCE, 30, 0],
  'hostile/older-sequence-later-in-file.ics': [`${SEQUENCE}; EXPECTED.json wants SEQUENCE 5 alone`, 1, 0],
  'hostile/rrule-until-before-start.ics': [`${FIRST_DATE}; EXPECTED.json allows it`, 0, 1],
  'library/ical4j/samples/valid/lotr.ics': [FIRST_DATE, 0, 1],
  'library/ical4j/samples/valid/lotr-updated.ics': [FIRST_DATE, 0, 1],
  'hostile/rrule-empty.ics': [UNUSABLE_RULE, 0, 1],
  'hostile/rrule-no-freq.ics': [UNUSABLE_RULE, 0, 1],
  'hostile/rrule-freq-twice.ics': [`${UNUSABLE_RULE}: no part may stand twice`, 4996, 0],
};

const WINDOW = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2030, 0, 1) };
const settings: DraftSettings = {
  ...DRAFT_SETTINGS,
  source: 'corpus',
  window: WINDOW,
  siteTimezone: 'UTC',
  everything: true,
};

interface Row {
  readonly file: string;
  readonly events: number;
  readonly occurrences: number;
  readonly problems: number;
  readonly ms: number;
  readonly peak: PeakMemory | undefined;
  readonly verdict: 'agrees' | 'decided' | 'differs' | 'no truth' | 'refused';
  readonly because: string;
}

const measured: typeof peakMemoryOf = TABLE ? peakMemoryOf : (act) => ({ value: act(), peak: undefined });

function rowOf(file: string): Row {
  const bytes = readFileSync(join(feeds, file));
  const {
    value: { output, ms },
    peak,
  } = measured(() => {
    const begun = performance.now();
    return {
      output: parseFeed({ bytes, contentType: null, format: undefined, settings }),
      ms: Math.round(performance.now() - begun),
    };
  });
  const truth = truthOf(feeds, file);
  const calendar = parseCalendar(decodeText(bytes, null).text).value;
  if (output.kind === 'notAFeed' && !truth)
    return {
      file,
      events: 0,
      occurrences: 0,
      problems: 1,
      ms,
      peak,
      verdict: 'refused',
      because: output.problem.message,
    };
  const reading = output.kind === 'reading' ? output.reading : { drafts: [], excluded: [], problems: [output.problem] };
  const facts = {
    file,
    events: calendar.events.length + calendar.unread.length,
    occurrences: reading.drafts.length + reading.excluded.length,
    problems: reading.problems.length,
    ms,
    peak,
  };
  return truth
    ? { ...facts, ...verdictOn(file, differencesFrom(truth, calendar)) }
    : {
        ...facts,
        verdict: 'no truth',
        because: file.startsWith('csv/') ? 'EXPECTED.json says what is in it (csv.test.ts)' : '',
      };
}

function verdictOn(
  file: string,
  { missing, extra }: ReturnType<typeof differencesFrom>,
): Pick<Row, 'verdict' | 'because'> {
  const [because, lessByDecision, moreByDecision] = DECIDED[file] ?? ['', 0, 0];
  if (missing.length === lessByDecision && extra.length === moreByDecision)
    return because === '' ? { verdict: 'agrees', because } : { verdict: 'decided', because };
  return {
    verdict: 'differs',
    because: `${missing.length} missing, ${extra.length} extra; missing ${missing.slice(0, 3).join(' ')}, extra ${extra.slice(0, 3).join(' ')}`,
  };
}

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
const most = (rows: readonly Row[], of: (row: Row) => number): number => Math.max(0, ...rows.map(of));

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(18) : String(cell).padStart(12))).join('');

function summaryOf(rows: readonly Row[]): string {
  const folders = Object.entries(Object.groupBy(rows, ({ file }) => file.split('/')[0]!)) as [string, readonly Row[]][];
  const shown = (name: string, of: readonly Row[]): string =>
    line([
      name,
      of.length,
      sum(of, ({ events }) => events),
      sum(of, ({ occurrences }) => occurrences),
      sum(of, ({ problems }) => problems),
      sum(of, ({ ms }) => ms),
      most(of, ({ ms }) => ms),
      ...(TABLE ? [most(of, ({ peak }) => peak?.mb ?? 0), most(of, ({ peak }) => peak?.moreMb ?? 0)] : []),
      ...(['agrees', 'decided', 'differs', 'no truth', 'refused'] as const).map(
        (kind) => of.filter(({ verdict }) => verdict === kind).length,
      ),
    ]);
  return [
    line([
      '',
      'files',
      'events',
      'occurrences',
      'problems',
      'ms',
      'ms at most',
      ...(TABLE ? ['MB at most', 'MB more'] : []),
      'agree',
      'decided',
      'differ',
      'no truth',
      'refused',
    ]),
    ...folders.map(([name, of]) => shown(name, of)),
    shown('all', rows),
  ].join('\n');
}

const tableOf = (rows: readonly Row[]): string =>
  [
    '| file | events | occurrences | problems | ms | peak MB | MB more | agreement |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...rows.map(
      ({ file, events, occurrences, problems, ms, peak, verdict, because }) =>
        `| ${file} | ${events} | ${occurrences} | ${problems} | ${ms} | ${peak?.mb ?? ''} | ` +
        `${peak?.moreMb ?? ''} | ` +
        `${verdict}${because === '' ? '' : `: ${because.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}`} |`,
    ),
    '',
  ].join('\n');

describe.runIf(present)('every feed of the corpus', () => {
  it('is read as independent engines read it', () => {
    const files = globSync('{real,library,node-ical-defects,timelines,hostile}/**/*.ics', { cwd: feeds })
      .concat(globSync('csv/*.csv', { cwd: feeds }))
      .toSorted();
    const rows = files.map(rowOf);
    if (TABLE) writeFileSync(TABLE, tableOf(rows));
    const decided = Object.entries(
      Object.groupBy(
        rows.filter(({ verdict }) => verdict === 'decided'),
        ({ because }) => because,
      ),
    ) as [string, readonly Row[]][];
    process.stdout.write(
      `${summaryOf(rows)}\n${decided.map(([because, of]) => `decided: ${because}\n${of.map(({ file }) => `    ${file}\n`).join('')}`).join('')}`,
    );
    expect(files.length).toBeGreaterThan(1_200);
    expect(
      rows.filter(({ verdict }) => verdict === 'differs').map(({ file, because }) => `${file}: ${because}`),
    ).toEqual([]);
    expect(
      Object.keys(DECIDED).filter((file) => rows.find((row) => row.file === file)?.verdict !== 'decided'),
      'decided to differ, but agree',
    ).toEqual([]);
  });
});
