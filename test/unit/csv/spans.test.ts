import { describe, expect, test } from 'vitest';
import { spanFromText } from '../../../src/csv/read-span.ts';
import { timeFromText } from '../../../src/csv/read-time.ts';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { FeedReading } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

describe('first and last day in one cell', () => {
  test.each([
    ['03.02.2027 - 05.02.2027'],
    ['03.02.2027-05.02.2027'],
    ['03.02.-05.02.2027'],
    ['3.–5.2.27'],
    ['3. – 5. Februar 2027'],
    ['vom 3. bis 5.2.2027'],
    ['Mi 3.2. – Fr 5.2.2027'],
    ['Feb 3-5 2027'],
    ['February 3 – 5, 2027'],
    ['3-5 Feb 2027'],
    ['from 3 to 5 February 2027'],
    ['du 3 au 5 février 2027'],
    ['del 3 al 5 de febrero de 2027'],
    ['od 3 do 5 lutego 2027'],
    ['3/2/2027 - 5/2/2027'],
    ['2027-02-03/2027-02-05'],
    ['с 3 до 5 февраля 2027 г.'],
    ['3 t/m 5 februari 2027'],
    ['3-2-2027 t/m 5-2-2027'],
    ['3. – 5. februára 2027'],
    ['2027年2月3日～2月5日'],
    ['2027年2月3日（水）〜5日（金）'],
    ['2027. 2. 3. ~ 2027. 2. 5.'],
  ])('%s', (text) => {
    expect(spanFromText(text, 'day first')?.map(({ day }) => day)).toEqual(['2027-02-03', '2027-02-05']);
  });

  test.each([
    ['30.12.2026-2.1.2027', ['2026-12-30 null', '2027-01-02 null']],
    ['20.12.-6.1.2027', ['2026-12-20 null', '2027-01-06 null']],
    ['20 December – 6 January 2027', ['2026-12-20 null', '2027-01-06 null']],
    ['30 Nov - 2 Dec 2026', ['2026-11-30 null', '2026-12-02 null']],
    ['3. November bis 5. Dezember 2026', ['2026-11-03 null', '2026-12-05 null']],
    ['26 de abril a 27 de agosto de 2026', ['2026-04-26 null', '2026-08-27 null']],
    ['16 Mar – 17 Apr 2026', ['2026-03-16 null', '2026-04-17 null']],
    ['mar. 28 juillet - sam. 22 août 2026', ['2026-07-28 null', '2026-08-22 null']],
    ['du mar. 3 nov. au sam. 5 déc. 2026', ['2026-11-03 null', '2026-12-05 null']],
    ['Dec 30, 2026 - Jan 2, 2027', ['2026-12-30 null', '2027-01-02 null']],
    ['1.2.2027 19:00 - 22:00', ['2027-02-01 19:00:00', '2027-02-01 22:00:00']],
    ['1.2.2027 19:00 - 01:00', ['2027-02-01 19:00:00', '2027-02-02 01:00:00']],
    ['2027-02-01 19:00-22:00', ['2027-02-01 19:00:00', '2027-02-01 22:00:00']],
    ['01.02.2027 22:00-02:00', ['2027-02-01 22:00:00', '2027-02-02 02:00:00']],
    ['1/2/2027, 9:00-10:00', ['2027-02-01 09:00:00', '2027-02-01 10:00:00']],
    ['February 1, 2027, 6-8 pm', ['2027-02-01 18:00:00', '2027-02-01 20:00:00']],
    ['Monday, February 1st 2027 from 10am to 4pm', ['2027-02-01 10:00:00', '2027-02-01 16:00:00']],
    ['Mo, 1. Februar 2027 von 19 bis 21 Uhr', ['2027-02-01 19:00:00', '2027-02-01 21:00:00']],
    ['1 février 2027 (18h-20h)', ['2027-02-01 18:00:00', '2027-02-01 20:00:00']],
    ['1.2.2027 19:00 - 2.2.2027 02:00', ['2027-02-01 19:00:00', '2027-02-02 02:00:00']],
  ])('%s, across a year or with times', (text, ends) => {
    expect(spanFromText(text, 'day first')?.map(({ day, time }) => `${day} ${time}`)).toEqual(ends);
  });

  test.each([
    '5.2.2027 - 3.2.2027',
    '5.2. - 3.2.2027',
    '5 December - 3 December 2027',
    '3 Nov 5 Dec 2026',
    '3 Smarch - 5 December 2026',
    '1/2/2027',
    '2026-27',
    '8.2.',
    'Mon-Fri',
    'tba - 2027',
    '1.2.-3.2.',
    '2020 - 2027',
    '',
  ])('%j is not a span', (text) => {
    expect(spanFromText(text, 'day first')).toBeNull();
  });

  test.each(['10 - 12/15/2026', '10 - 10/16/2026'])('%s is not a span, as its first day is unclear', (text) => {
    expect(spanFromText(text, 'month first')).toBeNull();
  });

  test('a span in numbers is not read while the order of day and month is unknown', () => {
    expect(spanFromText('1/2/2027 - 3/2/2027', null)).toBeNull();
  });
});

test.each([
  ['19:00-', '19:00:00'],
  ['19:00 – open end', '19:00:00'],
  ['7pm - late', '19:00:00'],
  ['6pm onwards', '18:00:00'],
  ['godz. 18', '18:00:00'],
  ['ab 19', '19:00:00'],
  ['à 20', '20:00:00'],
  ['at 8', null],
  ['8', null],
  ['-', null],
])('the time in %j is %j', (text, time) => {
  expect(timeFromText(text)).toBe(time);
});

function reading(text: string): FeedReading {
  const settings = { ...DRAFT_SETTINGS, window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) } };
  const output = parseFeed({ bytes: Buffer.from(text), contentType: 'text/csv', format: 'csv', settings });
  if (output.kind === 'notAFeed') throw new Error(output.problem.message);
  return output.reading;
}

describe('a column of AM and PM', () => {
  test.each([
    ['7:00,PM,9:30,pm', '19:00:00', '21:30:00'],
    ['11,a.m.,12:15,p.m.', '11:00:00', '12:15:00'],
    ['7:00 PM,PM,9:30 PM,', '19:00:00', '21:30:00'],
  ])('belongs to the time before it: %s', (row, start, end) => {
    const table = `Title,Date,Start Time,AM/PM,End Time,AM/PM\nA,2027-02-03,${row}\nB,2027-02-04,tba,,,\nC,2027-02-05,8:00,AM,9:00,AM`;
    const { drafts, problems } = reading(table);
    expect(drafts[0]?.fields).toMatchObject({ start_date: `2027-02-03 ${start}`, end_date: `2027-02-03 ${end}` });
    expect(drafts[1]?.fields).toMatchObject({ start_date: '2027-02-04 00:00:00', all_day: true });
    expect(problems).toEqual([]);
  });
});

describe('a row', () => {
  test.each([
    ['3.2.2027 - 5.2.2027;', '2027-02-03 00:00:00', '2027-02-05 23:59:59', true],
    ['3.2.2027 - 5.2.2027;19:00', '2027-02-03 19:00:00', '2027-02-05 23:59:59', false],
    ['3.2.2027 19:00 – 22:00;', '2027-02-03 19:00:00', '2027-02-03 22:00:00', false],
    ['2027-02-03 19:00-22:00;', '2027-02-03 19:00:00', '2027-02-03 22:00:00', false],
    ['3.2.2027;tba', '2027-02-03 00:00:00', '2027-02-03 23:59:59', true],
    ['3.2.2027;–', '2027-02-03 00:00:00', '2027-02-03 23:59:59', true],
    ['3.2.2027;wird noch bekannt gegeben', '2027-02-03 00:00:00', '2027-02-03 23:59:59', true],
    ['3.2.2027;0800', '2027-02-03 08:00:00', '2027-02-03 08:00:00', false],
    ['3.2.2027;730 pm', '2027-02-03 19:30:00', '2027-02-03 19:30:00', false],
    ['3.2.2027;1930 hrs', '2027-02-03 19:30:00', '2027-02-03 19:30:00', false],
    ['3.2.2027;1900-2130', '2027-02-03 19:00:00', '2027-02-03 21:30:00', false],
    ['3.2.2027;1899-12-30 19:30:00', '2027-02-03 19:30:00', '2027-02-03 19:30:00', false],
    ['3.2.2027;ganztägig', '2027-02-03 00:00:00', '2027-02-03 23:59:59', true],
    ['3.2.2027;All-day', '2027-02-03 00:00:00', '2027-02-03 23:59:59', true],
    ['3.2.2027 - 5.2.2027;toute la journée', '2027-02-03 00:00:00', '2027-02-05 23:59:59', true],
  ])('with the date and time %s is read', (row, start, end, allDay) => {
    const { drafts, problems } = reading(`Titel;Datum;Uhrzeit\nA;${row}`);
    expect(drafts[0]?.fields).toMatchObject({ start_date: start, end_date: end, all_day: allDay });
    expect(problems).toEqual([]);
  });

  test.each([
    ['05.06.2027;22:00;05.06.2027;02:00', '2027-06-06 02:00:00'],
    ['05.06.2027 18:30;;05.06.2027 06:30;', '2027-06-06 06:30:00'],
    ['05.06.2027;22:00;06.06.2027;02:00', '2027-06-06 02:00:00'],
  ])('that gives the date of the evening twice ends on the next day: %s', (row, end) => {
    const { drafts, problems } = reading(`Titel;Beginn;Beginn Uhrzeit;Ende;Ende Uhrzeit\nA;${row}`);
    expect(drafts.map(({ fields }) => fields.end_date)).toEqual([end]);
    expect(problems).toEqual([]);
  });

  test.each([
    '05.06.2027;20:00;05.06.2027;19:00',
    '05.06.2027;09:00;05.06.2027;05:00',
    '05.06.2027;22:00;04.06.2027;02:00',
    '2027-06-05T22:00:00+02:00;;2027-06-05T02:00:00+02:00;',
  ])('that ends before it begins and is no night is left out: %s', (row) => {
    const { drafts, problems } = reading(`Titel;Beginn;Beginn Uhrzeit;Ende;Ende Uhrzeit\nA;${row}`);
    expect(drafts).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual(['row-end-before-start']);
  });

  test.each([
    ['8.2.', 'has no year'],
    ['Mo, 8.2.', 'has no year'],
    ['February 8', 'has no year'],
    ['3-Mar', 'has no year'],
    ['8/2', 'has no year'],
    ['8. Smarch 2027', 'is not a date'],
    ['soon', 'is not a date'],
    ['30.2.', 'is not a date'],
  ])('on %j is left out, as that %s', (date, message) => {
    const { drafts, problems } = reading(`Titel;Datum\nA;${date}\nB;1.2.2027`);
    expect(drafts).toHaveLength(1);
    expect(problems[0]?.message).toBe(`"${date}" ${message}; write it as 2026-04-03. The row is left out.`);
  });

  test.each(['evening', '0860', '2500', '8 or 9'])('at %j is left out', (time) => {
    const { drafts, problems } = reading(`Titel;Datum;Uhrzeit\nA;3.2.2027;${time}`);
    expect([drafts.length, problems.map(({ code }) => code)]).toEqual([0, ['row-time']]);
  });

  test.each(['soon', '8.2.'])('that ends on %j is left out', (date) => {
    const { drafts, problems } = reading(`Titel;Beginn;Ende\nA;3.2.2027;${date}\nB;3.2.2027;4.2.2027`);
    expect([drafts.length, problems]).toMatchObject([1, [{ code: 'row-date', where: { row: 2, field: 'Ende' } }]]);
  });

  test('may end with a date and time, a time or an open end in the same column', () => {
    const rows = ['5.2.2027 22:00', '22:00', '1 Uhr', '24:00', 'offen', '-'].map((end) => `A;5.2.2027 20:00;${end}`);
    const { drafts, problems } = reading(`Titel;Beginn;Ende\n${rows.join('\n')}`);
    expect([drafts.map(({ fields }) => fields.end_date.slice(5, 16)), problems]).toEqual([
      ['02-05 22:00', '02-05 22:00', '02-06 01:00', '02-06 00:00', '02-05 20:00', '02-05 20:00'],
      [],
    ]);
  });
  test('without a known end has none', () => {
    const { drafts } = reading('Titel;Datum;Beginn;Ende\nA;3.2.2027;0900;1100\nB;4.2.2027;1900;tba\nC;5.2.2027;tba;');
    expect(drafts.map(({ fields }) => `${fields.start_date} ${fields.end_date} ${fields.all_day}`)).toEqual([
      '2027-02-03 09:00:00 2027-02-03 11:00:00 false',
      '2027-02-04 19:00:00 2027-02-04 19:00:00 false',
      '2027-02-05 00:00:00 2027-02-05 23:59:59 true',
    ]);
  });
});
