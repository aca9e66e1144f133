import { describe, expect, test } from 'vitest';
import { durationFromText } from '../../../src/csv/read-duration.ts';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { FeedReading } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

test.each<readonly [string, number | null]>([
  ['90 min', 90],
  ['90 Min.', 90],
  ['1:30', 90],
  ['01:30:00', 90],
  ['1:30 h', 90],
  ['1h30', 90],
  ['1 h 30 min', 90],
  ['1 hour and 30 minutes', 90],
  ['1,5 Std.', 90],
  ['2 Stunden', 120],
  ['2 heures', 120],
  ['2 godziny', 120],
  ['PT1H30M', 90],
  ['P1DT1H', 1500],
  ['2 días', 2880],
  ['0 min', 0],
  ['90', null],
  ['P', null],
  ['short', null],
  ['2-3 h', null],
  ['12 km', null],
  ['9999 days', null],
  ['', null],
])('%j lasts %j minutes', (text, minutes) => {
  expect(durationFromText(text)).toBe(minutes);
});

test.each<readonly [string, number | null]>([
  ['Duration (min)', 90],
  ['Dauer in Stunden', 5400],
  ['Duration', null],
])('90 in a column %j lasts %j minutes', (header, minutes) => {
  expect(durationFromText('90', header)).toBe(minutes);
});

function reading(text: string): FeedReading {
  const settings = { ...DRAFT_SETTINGS, window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) } };
  const output = parseFeed({ bytes: Buffer.from(text), contentType: 'text/csv', format: 'csv', settings });
  if (output.kind === 'notAFeed') throw new Error(output.problem.message);
  return output.reading;
}

describe('the end of an event with a duration', () => {
  test.each([
    ['2027-02-01 10:00,90 min,', '2027-02-01 11:30:00', false],
    ['2027-02-01 22:00,3h30,', '2027-02-02 01:30:00', false],
    ['2027-02-01 22:00,3 days,', '2027-02-04 22:00:00', false],
    ['2027-02-01T22:00:00+01:00,45 min,', '2027-02-01 22:45:00', false],
    ['2027-02-01 10:00,90 min,2027-02-01', '2027-02-01 11:30:00', false],
    ['2027-02-01 10:00,90 min,2027-02-01 11:00', '2027-02-01 11:00:00', false],
    ['2027-02-01 10:00,90 min,2027-02-03', '2027-02-03 23:59:59', false],
    ['2027-02-01,2 days,', '2027-02-02 23:59:59', true],
    ['2027-02-01,90 min,', '2027-02-01 23:59:59', true],
  ])('%s', (row, end, allDay) => {
    const { drafts, problems } = reading(`Title,Start,Duration,End\nA,${row}`);
    expect(drafts[0]?.fields).toMatchObject({ end_date: end, all_day: allDay });
    expect(problems).toEqual([]);
  });

  test('a duration that cannot be read is reported, and the event stays', () => {
    const { drafts, problems } = reading('Titel;Beginn;Dauer\nA;1.2.2027 19:00;kurz');
    expect(drafts).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'row-duration', where: { row: 2, field: 'Dauer', column: 3 } }]);
  });
});
