import { describe, expect, it } from 'vitest';
import { dateOrderOf } from '../../../src/csv/date-order.ts';
import { dateFromText, orderShownBy } from '../../../src/csv/read-date.ts';
import { timeFromText, timesFromText } from '../../../src/csv/read-time.ts';

describe('dates', () => {
  const dates: readonly (readonly [string, string | null, string | null])[] = [
    ['2026-04-11', '2026-04-11', null],
    ['2026/4/1', '2026-04-01', null],
    ['20260411', '2026-04-11', null],
    ['11.04.2026', '2026-04-11', null],
    ['1.4.26', '2026-04-01', null],
    ['2026-04-11T19:00:00', '2026-04-11', '19:00:00'],
    ['2026-04-11 19:00', '2026-04-11', '19:00:00'],
    ['11.04.2026, 19:30 Uhr', '2026-04-11', '19:30:00'],
    ['25/12/2026 7:15 PM', '2026-12-25', '19:15:00'],
    ['04/25/2026', '2026-04-25', null],
    ['25-04-2026', '2026-04-25', null],
    ['04/04/2026', '2026-04-04', null],
    ['29.02.2028', '2028-02-29', null],
    ['Sat, 11 April 2026', '2026-04-11', null],
    ['April 11th, 2026', '2026-04-11', null],
    ['11. kwietnia 2026', '2026-04-11', null],
    ['mar. 14 avr. 2026', '2026-04-14', null],
    ['mardi 3 mars 2026', '2026-03-03', null],
    ['3. März 2026', '2026-03-03', null],
    ['Mar 3, 2026', '2026-03-03', null],
    ['Mar. 3, 2026 7:30 PM', '2026-03-03', '19:30:00'],
    ['Tue, Mar 3, 2026', '2026-03-03', null],
    // Short months as spreadsheets in German, French and Dutch write them.
    ['03. Mrz 26', '2026-03-03', null],
    ['3. Maerz 2026', '2026-03-03', null],
    ['3. Febr. 2026', '2026-02-03', null],
    ['mar. 3 févr. 2026', '2026-02-03', null],
    ['3-mrt-26', '2026-03-03', null],
    ['46123', '2026-04-11', null],
    ['46123.8125', '2026-04-11', '19:30:00'],
    ['46123,8125', '2026-04-11', '19:30:00'],
    // Weekdays before the numbers, words between date and time, in the languages of those who write tables.
    ['Sa., 11.04.2026', '2026-04-11', null],
    ['Samstag, den 11. April 2026', '2026-04-11', null],
    ['Sat 04/25/2026', '2026-04-25', null],
    ['Saturday, April 11, 2026 at 7:30 PM', '2026-04-11', '19:30:00'],
    ['11.04.2026 um 19 Uhr', '2026-04-11', '19:00:00'],
    ['11 avr. 2026 à 19h30', '2026-04-11', '19:30:00'],
    ['samedi 11 avril 2026 à 20 h 30', '2026-04-11', '20:30:00'],
    ['1er mai 2026', '2026-05-01', null],
    ['11 de abril de 2026 a las 19:30', '2026-04-11', '19:30:00'],
    ['sáb. 11 abr. 2026', '2026-04-11', null],
    ['sobota, 11 kwietnia 2026 r.', '2026-04-11', null],
    ['11.04.2026 r. godz. 19:00', '2026-04-11', '19:00:00'],
    ['zaterdag 11 april 2026 om 20.00 uur', '2026-04-11', '20:00:00'],
    ['25-04-2026 20u', '2026-04-25', '20:00:00'],
    // What spreadsheets and programs write.
    ['11-Apr-26', '2026-04-11', null],
    ['2026. 04. 11.', '2026-04-11', null],
    ['11 . 04 . 2026', '2026-04-11', null],
    ['20260411T190000Z', '2026-04-11', '19:00:00'],
    ['Sat Apr 11 2026 19:00:00 GMT+0200 (CEST)', '2026-04-11', '19:00:00'],
    ['2026-04-11 noon', '2026-04-11', '12:00:00'],
    ['２０２６-04-11', '2026-04-11', null],
    ['11 avr. 2026 vers 19h30', null, null],
    ['11.04.2026 – 12.04.2026', null, null],
    ['ab 11.04.2026', null, null],
    ['11.04.', null, null],
    ['1775934000', null, null],
    [`11.04.2026${' '.repeat(1_000)}19:00`, null, null],
    ['30.02.2026', null, null],
    ['02/30/2026', null, null],
    ['13/13/2026', null, null],
    ['tomorrow', null, null],
    ['', null, null],
    ['2026-13-01', null, null],
    ['12', null, null],
    ['April 2026', null, null],
    ['11.04.2026 25:00', null, null],
  ];
  it.each(dates)('%j is %s %s', (text, day, time) => {
    const date = dateFromText(text, null);
    expect(date && [date.day, date.time]).toEqual(day === null ? null : [day, time]);
  });
  it.each([
    ['2026-04-11T19:00:00Z', 0],
    ['2026-04-11T19:00:00+02:00', 120],
    ['2026-04-11 19:00 -0530', -330],
    ['2026-04-11 19:00 GMT+0200', 120],
    ['20260411T190000Z', 0],
    ['2026-04-11T19:00:00', null],
  ])('%j has the offset %s', (text, offset) => expect(dateFromText(text, null)?.offset).toBe(offset));
  it('in 03/04/2026 the order decides, and without one there is no date', () => {
    expect([
      dateFromText('03/04/2026', 'day first')?.day,
      dateFromText('03/04/2026', 'month first')?.day,
      dateFromText('03/04/2026', null),
    ]).toEqual(['2026-04-03', '2026-03-04', null]);
  });
  it.each([
    ['03/04/2026', 'either'],
    ['13/04/2026', 'day first'],
    ['04/13/2026', 'month first'],
    ['04/04/2026', null],
    ['03.04.2026', null],
    ['2026-04-03', null],
  ])('%s shows: %s', (text, order) => expect(orderShownBy(text)).toBe(order));
});

describe('times', () => {
  const times: readonly (readonly [string, string | null])[] = [
    ['19:30', '19:30:00'],
    ['7:30 PM', '19:30:00'],
    ['7:30pm', '19:30:00'],
    ['7:30:15 p.m.', '19:30:15'],
    ['7pm', '19:00:00'],
    ['12:00 AM', '00:00:00'],
    ['12:00 PM', '12:00:00'],
    ['12 am', '00:00:00'],
    ['19.30', '19:30:00'],
    ['19h30', '19:30:00'],
    ['19 Uhr', '19:00:00'],
    ['19h', '19:00:00'],
    ['00:00', '00:00:00'],
    ['0.75', '18:00:00'],
    ['7:00\u202fPM', '19:00:00'],
    ['7:30 p. m.', '19:30:00'],
    ['7 a.m.', '07:00:00'],
    ['7:30p', '19:30:00'],
    ['noon', '12:00:00'],
    ['12 noon', '12:00:00'],
    ['Midnight', '00:00:00'],
    ['mediodía', '12:00:00'],
    ['południe', '12:00:00'],
    ['minuit', '00:00:00'],
    ['19 Uhr 30', '19:30:00'],
    ['ab 19.30 Uhr', '19:30:00'],
    ['20 h 30', '20:30:00'],
    ['20 heures', '20:00:00'],
    ['20u30', '20:30:00'],
    ['20.00 uur', '20:00:00'],
    ['godz. 19:00', '19:00:00'],
    ['kl. 19.00', '19:00:00'],
    ['20:30 hs', '20:30:00'],
    ['24:00', '24:00:00'],
    ['0,8125', '19:30:00'],
    ['25:00', null],
    ['24:01', null],
    ['13:00 PM', null],
    ['0:30 am', null],
    ['19', null],
    ['1930', null],
    ['7:60', null],
    ['TBA', null],
    ['7:30 PM EST', null],
    ['', null],
    [`19${' '.repeat(1_000)}Uhr`, null],
  ];
  it.each(times)('%j is %s', (text, time) => expect(timeFromText(text)).toBe(time));
  it.each([
    ['19:30 - 21:00', '19:30:00 21:00:00'],
    ['19-21 Uhr', '19:00:00 21:00:00'],
    ['7–9 pm', '19:00:00 21:00:00'],
    ['19h à 21h', '19:00:00 21:00:00'],
    ['od 18:00 do 24:00', '18:00:00 24:00:00'],
    ['11am-1pm', '11:00:00 13:00:00'],
    ['10-2pm', '10:00:00 14:00:00'],
    ['9-5 pm', '09:00:00 17:00:00'],
    ['11-1 P.M.', '11:00:00 13:00:00'],
    ['11:30-1:00 pm', '11:30:00 13:00:00'],
    ['12-2pm', '12:00:00 14:00:00'],
    ['10-12 pm', '10:00:00 12:00:00'],
    ['7:30-9p', '19:30:00 21:00:00'],
    ['7:30 - 9:00 PM', '19:30:00 21:00:00'],
    ['from 7:30 to 9pm', '19:30:00 21:00:00'],
    ['10-2 am', '22:00:00 02:00:00'],
    ['1-2:30 am', '01:00:00 02:30:00'],
    ['9 am - 5', undefined],
    ['9am - 5:30', '09:00:00 05:30:00'],
    ['13:30 - 3 pm', '13:30:00 15:00:00'],
    ['22:00 - 1 am', '22:00:00 01:00:00'],
    ['19.30-21 Uhr', '19:30:00 21:00:00'],
    ['0.75-0.875', '18:00:00 21:00:00'],
    ['19:30', undefined],
    ['7–9', undefined],
    ['19-20-21 Uhr', undefined],
  ])('%j is from … to %s', (text, pair) => {
    expect(timesFromText(text)?.join(' ')).toBe(pair);
  });
});

describe('the order of day and month in a file', () => {
  const plain = { dates: ['03/04/2026'], times: ['19:00'], header: ['Titel', 'Datum'], timezone: undefined };
  const orders: readonly (readonly [string, Partial<Parameters<typeof dateOrderOf>[0]>, string | null])[] = [
    ['nothing tells', {}, null],
    ['one date shows it', { dates: ['03/04/2026', '13/04/2026'] }, 'day first'],
    ['the file contradicts itself', { dates: ['13/04/2026', '04/13/2026', '03/04/2026'] }, null],
    ['impossible dates show nothing', { dates: ['13/13/2026', '03/04/2026'] }, null],
    ['hyphens', { dates: ['03-04-2026'] }, 'day first'],
    ['a zone of the United States', { timezone: 'America/New_York' }, 'month first'],
    ['another zone, and no AM or PM', { timezone: 'Europe/Warsaw' }, 'day first'],
    ['another zone, but AM and PM', { timezone: 'Europe/Warsaw', times: ['7:00 PM'] }, null],
    [
      'an export that is documented to write months first',
      { header: ['Subject', 'Start Date', 'Start Time'], timezone: 'Europe/Warsaw' },
      'month first',
    ],
    [
      'such an export that does not',
      { header: ['Subject', 'Start Date', 'Start Time'], dates: ['13/04/2026', '03/04/2026'] },
      'day first',
    ],
  ];
  it.each(orders)('%s', (_name, evidence, order) => expect(dateOrderOf({ ...plain, ...evidence })).toBe(order));
});
