import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysOf, isOn, SHORTCUTS } from '../../../src/selection/days.ts';
import { FREE_WORDS, isFree } from '../../../src/selection/free.ts';
import { LIST_MAX, SEARCH_MAX, selectionOf, selectionQuery, type Selection } from '../../../src/selection/selection.ts';
import { dayAfter, wallFromInstant } from '../../../src/time.ts';
import { repetitions } from '../../support/repetitions.ts';

const parsed = (query: string): unknown => selectionOf(new URLSearchParams(query));
const written = (query: string): string => {
  const selection = selectionOf(new URLSearchParams(query));
  return 'excess' in selection ? selection.excess : selectionQuery(selection).toString();
};

describe('the address of a selection', () => {
  test.each([
    ['', ''],
    ['search=&when=&from=&place=&language=', ''],
    ['search=%20jazz%20%20night%20', 'search=jazz+night'],
    ['category=music&category=art&category=music&category=', 'category=art&category=music'],
    ['category=music,art', 'category=art&category=music'],
    ['free=0', ''],
    ['free=1&place=hall&when=weekend', 'when=weekend&place=hall&free=1'],
    ['when=never', ''],
    ['when=2026-02-30', ''],
    ['when=2026-12-05', 'when=2026-12-05'],
    ['from=2026-12-05', 'from=2026-12-05'],
    ['from=nonsense&when=today', 'when=today'],
    // The hidden field and a button: the button counts, also before the day in the date field.
    ['when=weekend&when=today', 'when=today'],
    ['when=weekend&when=', ''],
    ['when=&when=today&from=2026-12-05', 'when=today'],
    ['when=&when=&from=2026-12-05', ''],
    // The hidden field and a day that was picked: the day counts.
    ['when=weekend&from=2026-12-05', 'from=2026-12-05'],
    ['when=&from=2026-12-05', 'from=2026-12-05'],
    ['search=a%00b', 'search=ab'],
    ['utm_source=x', ''],
    [`search=${'x'.repeat(SEARCH_MAX + 1)}`, 'search'],
    [`tag=${Array.from({ length: LIST_MAX + 1 }, (_, index) => index).join(',')}`, 'list'],
    [`tag=${'x'.repeat(300)}`, 'list'],
  ])('%s → %s', (query, expected) => expect(written(query)).toBe(expected));

  const name = fc
    .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    .map((text) => text.replace(/[,\s\0]/g, '-'));
  const names = fc.uniqueArray(name, { maxLength: LIST_MAX }).map((list) => list.toSorted());
  const day = fc.integer({ min: 0, max: 60_000 }).map((days) => dayAfter('1970-01-01', days));
  const time = fc.oneof(
    fc.constant({ when: '', from: '' }),
    fc.constantFrom(...SHORTCUTS).map((when) => ({ when, from: '' })),
    day.map((when) => ({ when, from: '' })),
    day.map((from) => ({ when: '', from })),
  );
  const selections: fc.Arbitrary<Selection> = fc
    .record({
      search: fc.oneof(
        fc.constant(''),
        fc.array(name, { maxLength: 3 }).map((words) => words.join(' ')),
      ),
      time,
      categories: names,
      tags: names,
      places: names,
      organizers: names,
      free: fc.boolean(),
      language: fc.constantFrom('', 'pl', 'de'),
    })
    .map(({ time: { when, from }, ...rest }) => ({ ...rest, when, from }));

  test('is read as it was written', () => {
    fc.assert(
      fc.property(selections, (selection) => {
        const query = selectionQuery(selection).toString();
        expect(parsed(query)).toEqual(selection);
        expect(written(query)).toBe(query);
      }),
      { numRuns: repetitions(500) },
    );
  });

  test('does not change when it is read and written again', () => {
    const any = fc.array(
      fc.tuple(
        fc.constantFrom('search', 'when', 'from', 'category', 'tag', 'place', 'organizer', 'free', 'language', 'x'),
        fc.oneof(name, day, fc.constantFrom('', '1', 'weekend', 'a,b')),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(any, (entries) => {
        const once = written(new URLSearchParams(entries).toString());
        expect(written(once)).toBe(once);
      }),
      { numRuns: repetitions(500) },
    );
  });
});

describe('days', () => {
  // 2026-11-25 is a Wednesday.
  test.each([
    ['today', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['tomorrow', '2026-12-31', '2027-01-01', '2027-01-01'],
    ['weekend', '2026-11-23', '2026-11-28', '2026-11-29'],
    ['weekend', '2026-11-27', '2026-11-28', '2026-11-29'],
    ['weekend', '2026-11-28', '2026-11-28', '2026-11-29'],
    ['weekend', '2026-11-29', '2026-11-29', '2026-11-29'],
    ['weekend', '2026-12-31', '2027-01-02', '2027-01-03'],
    ['seven-days', '2026-12-28', '2026-12-28', '2027-01-03'],
    ['next-week', '2026-11-23', '2026-11-30', '2026-12-06'],
    ['next-week', '2026-11-29', '2026-11-30', '2026-12-06'],
    ['next-week', '2026-12-31', '2027-01-04', '2027-01-10'],
    ['2026-12-24', '2026-11-25', '2026-12-24', '2026-12-24'],
  ])('%s on %s', (when, today, first, last) => expect(daysOf({ when, from: '' }, today)).toEqual({ first, last }));

  test('from a day on, or from today', () => {
    expect(daysOf({ when: '', from: '' }, '2026-11-25')).toEqual({ first: '2026-11-25' });
    expect(daysOf({ when: '', from: '2027-01-01' }, '2026-11-25')).toEqual({ first: '2027-01-01' });
  });

  // The clock of the site decides, also around midnight and where it is put forward or back.
  test.each([
    ['2026-11-27T22:59:59Z', 'Europe/Warsaw', '2026-11-28'],
    ['2026-11-27T23:00:00Z', 'Europe/Warsaw', '2026-11-28'],
    ['2026-11-29T22:59:59Z', 'Europe/Warsaw', '2026-11-29'],
    ['2026-11-29T23:00:00Z', 'Europe/Warsaw', '2026-12-05'],
    ['2026-11-30T04:59:00Z', 'America/New_York', '2026-11-29'],
    ['2026-03-29T21:59:59Z', 'Europe/Warsaw', '2026-03-29'],
    ['2026-03-29T22:00:00Z', 'Europe/Warsaw', '2026-04-04'],
    ['2026-10-25T22:59:59Z', 'Europe/Warsaw', '2026-10-25'],
    ['2026-10-25T23:00:00Z', 'Europe/Warsaw', '2026-10-31'],
  ])('the weekend at %s in %s begins on %s', (instant, zone, first) =>
    expect(
      daysOf({ when: 'weekend', from: '' }, wallFromInstant(Date.parse(instant), zone).slice(0, 10)),
    ).toMatchObject({
      first,
    }),
  );

  test.each([
    ['begins on the first day', '2026-11-28 00:00:00', '2026-11-28 01:00:00', true],
    ['takes no time at midnight', '2026-11-28 00:00:00', '2026-11-28 00:00:00', true],
    ['ends at the midnight before', '2026-11-27 20:00:00', '2026-11-28 00:00:00', false],
    ['ends after that midnight', '2026-11-27 20:00:00', '2026-11-28 00:00:01', true],
    ['goes on throughout', '2026-11-01 00:00:00', '2026-12-31 23:59:59', true],
    ['begins in the last minute', '2026-11-29 23:59:59', '2026-11-30 02:00:00', true],
    ['begins the day after', '2026-11-30 00:00:00', '2026-11-30 02:00:00', false],
  ])('whether an event is on that %s', (_, start_date, end_date, expected) =>
    expect(isOn({ start_date, end_date }, { first: '2026-11-28', last: '2026-11-29' })).toBe(expected),
  );
});

test.each([
  [[], false],
  [['0'], true],
  [['0.00'], true],
  [['0', '10'], false],
  [['Free'], true],
  [['Wstęp wolny!'], true],
  [['EINTRITT FREI'], true],
  [['bezpłatne'], true],
  [['free for members'], false],
  [['10'], false],
  ...FREE_WORDS.map((word): [string[], boolean] => [[word], true]),
])('a cost of %j is free: %s', (values, expected) => expect(isFree(values)).toBe(expected));
