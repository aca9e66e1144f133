import { describe, expect, test } from 'vitest';
import { goneColumns } from '../../../src/csv/gone-columns.ts';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import { dateFromText } from '../../../src/csv/read-date.ts';
import { parseFeed, type ParseOutput } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings, FeedReading } from '../../../src/sync/model/draft.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

function reading(text: string, settings: Partial<DraftSettings> = {}): FeedReading {
  const parsed = parseRows(Buffer.from(text), null);
  if (parsed.kind === 'notRows') throw new Error(parsed.problem.message);
  return draftsFromRows(parsed, { ...DRAFT_SETTINGS, ...settings });
}
const starts = (text: string, settings?: Partial<DraftSettings>): readonly string[] =>
  reading(text, settings).drafts.map(({ fields }) => fields.start_date);

describe('a column with recurrence rules', () => {
  const HEAD = 'ID,Title,Start,End,RRULE,EXDATE\n';
  test.each<[string, string, readonly string[]]>([
    [
      'weekly, over a change of the clocks',
      '1,A,2026-03-22 19:00,2026-03-22 20:00,FREQ=WEEKLY;COUNT=3,',
      ['2026-03-22 19:00:00', '2026-03-29 19:00:00', '2026-04-05 19:00:00'],
    ],
    [
      'with the name of the property, and excluded days',
      '1,A,2026-03-22 19:00,,"RRULE:FREQ=DAILY;COUNT=4","2026-03-23; 24.03.2026"',
      ['2026-03-22 19:00:00', '2026-03-25 19:00:00'],
    ],
    ['all day', '1,A,2026-03-22,2026-03-23,FREQ=MONTHLY;COUNT=2,', ['2026-03-22 00:00:00', '2026-04-22 00:00:00']],
    [
      'begun long before the window',
      '1,A,2001-01-01,,FREQ=YEARLY,',
      ['2026-01-01 00:00:00', '2027-01-01 00:00:00', '2028-01-01 00:00:00'],
    ],
    [
      'beside rows without a rule',
      '1,A,2026-03-22 19:00,,FREQ=DAILY;COUNT=2,\n2,B,2026-05-01 19:00,,,',
      ['2026-05-01 19:00:00', '2026-03-22 19:00:00', '2026-03-23 19:00:00'],
    ],
  ])('%s', (_, rows, expected) => expect(starts(HEAD + rows)).toEqual(expected));

  test('gives each occurrence its own identity and times', () => {
    const { drafts, outside, coversUntil } = reading(`${HEAD}1,A,2025-12-30,2025-12-31,FREQ=DAILY;COUNT=4,`);
    expect(drafts.map(({ rungs, fields }) => [rungs.uid, rungs.recurrenceId, fields.end_date])).toEqual([
      ['1', '20251231', '2026-01-01 23:59:59'],
      ['1', '20260101', '2026-01-02 23:59:59'],
      ['1', '20260102', '2026-01-03 23:59:59'],
    ]);
    expect(outside).toEqual(['1']);
    expect(reading(`${HEAD}1,A,2026-01-01,,FREQ=DAILY,`).coversUntil).toBe(DRAFT_SETTINGS.window.to);
    expect(coversUntil).toBeLessThan(DRAFT_SETTINGS.window.to);
  });
  test('a rule that cannot be read is reported at its row', () => {
    expect(reading(`${HEAD}1,A,2026-01-01,,FREQ=NEVER,`).problems).toMatchObject([
      { where: { row: 2, field: 'recurrence' } },
    ]);
    expect(reading(`${HEAD}1,A,2026-01-01,,sometimes,`).problems).toMatchObject([
      { code: 'row-recurrence', where: { row: 2 } },
    ]);
  });
  test('an endless rule of every second stops at its limit', () => {
    const { drafts, unread, problems } = reading(
      `${HEAD}1,A,2026-01-01 00:00,,FREQ=SECONDLY,\n2,B,2026-05-01 19:00,,,`,
    );
    expect(drafts.length).toBeLessThan(50_001);
    expect([unread.length > 0, problems.length > 0, drafts.some(({ fields }) => fields.title === 'B')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('a column with weekdays', () => {
  const HEAD = 'ID,Title,Start,End,Recurrence\n';
  test.each<[string, string, readonly string[]]>([
    [
      'as letters, on the last day too',
      '1,A,2026-03-02 19:00,2026-03-09 21:00,"M,W"',
      ['2026-03-02 19:00:00 21:00', '2026-03-04 19:00:00 21:00', '2026-03-09 19:00:00 21:00'],
    ],
    [
      'as names',
      '1,A,2026-03-02 19:00,2026-03-08 21:00,Sat Sunday',
      ['2026-03-07 19:00:00 21:00', '2026-03-08 19:00:00 21:00'],
    ],
    [
      'daily, past midnight',
      '1,A,2026-03-02 22:00,2026-03-03 02:00,daily',
      ['2026-03-02 22:00:00 02:00', '2026-03-03 22:00:00 02:00'],
    ],
    ['all day', '1,A,2026-03-02,2026-03-12,Thursday', ['2026-03-05 00:00:00 23:59', '2026-03-12 00:00:00 23:59']],
    ['that the window cuts', '1,A,2025-12-01 19:00,2026-01-02 21:00,F', ['2026-01-02 19:00:00 21:00']],
  ])('%s', (_, rows, expected) => {
    const { drafts, problems } = reading(HEAD + rows);
    expect(drafts.map(({ fields }) => `${fields.start_date} ${fields.end_date.slice(11, 16)}`)).toEqual(expected);
    expect(problems).toEqual([]);
  });
  test('a word that is not a weekday is reported at its row', () => {
    expect(reading(`${HEAD}1,A,2026-03-02 19:00,2026-03-09 21:00,"M,X"`)).toMatchObject({
      drafts: [],
      problems: [{ code: 'row-recurrence', where: { row: 2, field: 'Recurrence' } }],
    });
  });
});

test.each([
  ['46402', '2027-01-15', null],
  ['46402.8125', '2027-01-15', '19:30:00'],
  ['46402,8125', '2027-01-15', '19:30:00'],
  ['46402.0', '2027-01-15', null],
  ['46402.99999', '2027-01-16', '00:00:00'],
])('a spreadsheet’s number %s is a day, with its time', (text, day, time) =>
  expect(dateFromText(text, null)).toEqual({ day, time, offset: null }),
);

test('coordinates may have a comma or a point, and invalid ones are dropped', () => {
  const venue = (cells: string): unknown =>
    reading(`Title;Start;Venue;Latitude;Longitude\nA;2026-05-01;Hall;${cells}`).drafts[0]!.fields.venue;
  expect(venue('52,2297;21.0122')).toEqual([{ venue: 'Hall', geo_lat: 52.2297, geo_lng: 21.0122 }]);
  for (const cells of ['52,2297;', ';', '152;21', 'x;y', '0;0']) expect(venue(cells)).toEqual([{ venue: 'Hall' }]);
});

describe('columns joined with a plus sign', () => {
  const text = 'Name,Day,Room\nJazz,2026-05-01,1\nJazz,2026-05-08,2';
  test('identify a row where no single one does', () => {
    expect(
      reading(text, { columns: { title: 'Name', start_date: 'Day', uid: 'Name + Day' } }).drafts.map(
        ({ rungs }) => rungs.uid,
      ),
    ).toEqual(['Jazz | 2026-05-01', 'Jazz | 2026-05-08']);
  });
  test('make one text', () =>
    expect(
      reading(text, { columns: { title: 'Name + Room', start_date: 'Day' } }).drafts.map(({ fields }) => fields.title),
    ).toEqual(['Jazz 1', 'Jazz 2']));
  test('must all be there', () =>
    expect(reading(text, { columns: { title: 'Name', start_date: 'Day', uid: 'Name + Hour' } }).problems).toMatchObject(
      [{ code: 'column-missing' }],
    ));
  test('are one column if a header has the sign itself', () =>
    expect(reading('A + B,A,B,Start\nx,y,z,2026-05-01', { columns: { title: 'A + B' } }).drafts[0]!.fields.title).toBe(
      'x',
    ));
});

describe('a column that has disappeared since the last run', () => {
  const ruled = new Set(['categories', 'url']);
  test.each<[string, string, string, string, boolean]>([
    ['none', 'ID,Title,Start', 'Start,ID,Title', '', false],
    [
      'a text column',
      'ID,Title,Start,Cost',
      'ID,Title,Start',
      'The column "Cost", which held cost, is no longer there. Its values stay as they are on the site.',
      false,
    ],
    [
      'renamed in its place',
      'ID,Title,Start,Cost',
      'ID,Title,Start,Fee at the door',
      'Is it "Fee at the door" now? Then write columns: { cost: "Fee at the door" }',
      false,
    ],
    ['renamed to another known name', 'ID,Title,Start', 'UID,Event name,Begins', '', false],
    [
      'the identifying column',
      'ID,Title,Start',
      'Code,Title,Start',
      '"ID", which held uid, is no longer there. Is it "Code" now?',
      true,
    ],
    [
      'the column of start times',
      'ID,Title,Start date,Start time',
      'ID,Title,Start date,Hours',
      '"Start time", which held start_time, is no longer there. Is it "Hours" now?',
      true,
    ],
    [
      'the column that marks private rows',
      'ID,Title,Start,Private',
      'ID,Title,Start',
      'The column "Private", which held private, is no longer there.',
      true,
    ],
    [
      'the column of recurrence rules',
      'ID,Title,Start,RRULE',
      'ID,Title,Start',
      'which held recurrence, is no longer there',
      true,
    ],
    [
      'the column of excluded dates',
      'ID,Title,Start,RRULE,EXDATE',
      'ID,Title,Start,RRULE',
      'which held exdates, is no longer there',
      true,
    ],
    [
      'a column that a rule looks at',
      'ID,Title,Start,Category',
      'ID,Title,Start',
      'which held categories, is no longer there',
      true,
    ],
    [
      'a column that a rule looks at by another name',
      'ID,Title,Start,Website',
      'ID,Title,Start',
      'which held website, is no longer there',
      true,
    ],
    [
      'a column that identifies rows where no other does',
      'Title,Start,Venue',
      'Title,Start',
      'which held venue, is no longer there',
      true,
    ],
    [
      'the same column beside an identifying one',
      'ID,Title,Start,Venue',
      'ID,Title,Start',
      'Its values stay as they are on the site.',
      false,
    ],
  ])('%s', (_, before, now, message, isDeciding) => {
    const gone = goneColumns(before.split(','), now.split(','), {}, ruled);
    expect(gone.problems.map((problem) => problem.message).join()).toContain(message);
    expect([gone.problems.length > 0, gone.isDeciding]).toEqual([message !== '', isDeciding]);
  });

  test('is a problem of the run, or stops it if rows depend on it', () => {
    expect(parseAfter('ID,Title,Start,Cost\n1,A,2026-05-01,5', 'ID,Title,Start\n1,A,2026-05-01')).toMatchObject({
      kind: 'reading',
      reading: { drafts: [{}], problems: [{ code: 'column-gone' }] },
    });
    expect(parseAfter('ID,Title,Start\n1,A,2026-05-01', 'Title,Start\nA,2026-05-01')).toMatchObject({
      kind: 'notAFeed',
      problem: { code: 'column-gone', message: expect.stringContaining('Nothing is changed until') },
    });
  });
});

/** Parses a table, given the one that was read before it. */
const parseAfter = (before: string, now: string): ParseOutput =>
  parseFeed({
    bytes: Buffer.from(now),
    before: Buffer.from(before),
    contentType: 'text/csv',
    format: 'csv',
    settings: DRAFT_SETTINGS,
  });
