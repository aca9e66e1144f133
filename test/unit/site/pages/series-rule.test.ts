import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seriesInWords, ruleInWords } from '../../../../src/site/pages/views/series-in-words.ts';
import { daysFrom, ruleOf, weekdayOf, type Rule } from '../../../../src/site/pages/views/series-rule.ts';
import { wordsIn } from '../../../../src/site/pages/words/words-in.ts';
import { dayAfter } from '../../../../src/time.ts';

const TODAY = '2026-11-25';

const inWords = (days: readonly string[], language = 'en'): string | undefined =>
  seriesInWords({ language, words: wordsIn(language) }, days, { today: TODAY, isCut: false });

const every = (step: number, first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => dayAfter(first, index * step));
const without = (days: readonly string[], ...left: readonly string[]): readonly string[] =>
  days.filter((day) => !left.includes(day));

const SECOND_THURSDAYS = ['2026-12-10', '2027-01-14', '2027-02-11'];
const LAST_FRIDAYS = ['2026-11-27', '2026-12-25', '2027-01-29', '2027-02-26'];
const WEDNESDAYS = every(7, '2026-11-25', 15);
const TWO_A_WEEK = ['2026-11-30', '2026-12-03', '2026-12-07', '2026-12-10', '2026-12-14'];

describe('the days of a series in words', () => {
  test.each([
    ['Every day until 1 December', every(1, '2026-11-27', 5)],
    ['Every Wednesday until 3 March', WEDNESDAYS],
    ['Every Wednesday until 3 March', WEDNESDAYS.toReversed()],
    ['Every Monday and Thursday until 14 December', TWO_A_WEEK],
    ['Every two weeks on Wednesday until 6 January', every(14, '2026-11-25', 4)],
    ['Every three weeks on Saturday until 30 January', every(21, '2026-11-28', 4)],
    ['Every second Thursday of the month until 11 February', SECOND_THURSDAYS],
    ['Every last Friday of the month until 26 February', LAST_FRIDAYS],
    ['On the 1st of every month until 1 February', ['2026-12-01', '2027-01-01', '2027-02-01']],
    ['On the 12th of every month until 12 February', ['2026-12-12', '2027-01-12', '2027-02-12']],
    ['Wednesdays until 3 March', without(WEDNESDAYS, '2026-12-23', '2026-12-30')],
    ['Every fifth Sunday of the month until 30 May', ['2026-11-29', '2027-01-31', '2027-05-30']],
    ['Every Wednesday until 20 October', every(7, '2026-11-25', 48)],
    // The last known date of a series that goes on for so long is not its end.
    ['Every Wednesday', every(7, '2026-11-25', 49)],
    ['Every Wednesday', every(7, '2026-11-25', 78)],
    [undefined, ['2026-11-25', '2026-12-02']],
    [undefined, ['2026-11-25', '2026-12-02', '2027-03-03']],
    [undefined, ['2026-11-25', '2026-12-01', '2027-03-04']],
    [undefined, ['9999-11-25', '9999-12-02', '9999-12-09']],
    [undefined, []],
  ])('%s', (words, days) => expect(inWords(days)).toBe(words));

  test.each([
    ['de', 'Jeden Tag bis 1. Dezember', every(1, '2026-11-27', 5)],
    ['de', 'Jeden Mittwoch bis 3. März', WEDNESDAYS],
    ['de', 'Jeden Montag und Donnerstag bis 14. Dezember', TWO_A_WEEK],
    ['de', 'Alle zwei Wochen am Mittwoch bis 6. Januar', every(14, '2026-11-25', 4)],
    ['de', 'Jeden zweiten Donnerstag im Monat bis 11. Februar', SECOND_THURSDAYS],
    ['de', 'Jeden letzten Freitag im Monat bis 26. Februar', LAST_FRIDAYS],
    ['de', 'Am 1. jedes Monats bis 1. Februar', ['2026-12-01', '2027-01-01', '2027-02-01']],
    ['de', 'Montags und donnerstags bis 14. Dezember', without(TWO_A_WEEK, '2026-12-07')],
    ['pl', 'Codziennie do 1 grudnia', every(1, '2026-11-27', 5)],
    ['pl', 'W każdą środę do 3 marca', WEDNESDAYS],
    ['pl', 'W każdy poniedziałek i każdy czwartek do 14 grudnia', TWO_A_WEEK],
    ['pl', 'Co dwa tygodnie w środę do 6 stycznia', every(14, '2026-11-25', 4)],
    ['pl', 'Co trzy tygodnie we wtorek do 5 stycznia', every(21, '2026-11-24', 3)],
    ['pl', 'W drugi czwartek miesiąca do 11 lutego', SECOND_THURSDAYS],
    ['pl', 'W trzecią sobotę miesiąca do 20 lutego', ['2026-12-19', '2027-01-16', '2027-02-20']],
    ['pl', 'W ostatni piątek miesiąca do 26 lutego', LAST_FRIDAYS],
    ['pl', '1. dnia każdego miesiąca do 1 lutego', ['2026-12-01', '2027-01-01', '2027-02-01']],
    ['pl', 'W poniedziałki i w czwartki do 14 grudnia', without(TWO_A_WEEK, '2026-12-07')],
    ['pl', 'We wtorki do 29 grudnia', without(every(7, '2026-11-24', 6), '2026-12-01')],
  ])('%s: %s', (language, words, days) => expect(inWords(days, language)).toBe(words));

  test('no last date is named if not all dates were read', () =>
    expect(seriesInWords({ language: 'en', words: wordsIn('en') }, WEDNESDAYS, { today: TODAY, isCut: true })).toBe(
      'Every Wednesday',
    ));

  test.each([
    ['en', ['1 more date', '2 more dates', '5 more dates', 'more than 119 more dates']],
    ['de', ['1 weiterer Termin', '2 weitere Termine', '5 weitere Termine', 'mehr als 119 weitere Termine']],
    ['pl', ['jeszcze 1 termin', 'jeszcze 2 terminy', 'jeszcze 5 terminów', 'ponad 119 innych terminów']],
  ])('in %s: the number of further dates', (language, expected) => {
    const { more } = wordsIn(language).series;
    expect([more(1, false), more(2, false), more(5, false), more(119, true)]).toEqual(expected);
  });
});

function firstDays(rule: Rule, first: string, count: number): readonly string[] {
  const days: string[] = [];
  for (const day of daysFrom(rule, first)) if (days.push(day) >= count) break;
  return days;
}

/** Whether a rule gives these days as its first ones. */
function isRuleOf(rule: Rule, days: readonly string[]): boolean {
  let count = 0;
  for (const day of daysFrom(rule, days[0] ?? '')) {
    if (day !== days[count]) return false;
    count += 1;
    if (count >= days.length) break;
  }
  return true;
}

const weekdays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.constant<Rule>({ kind: 'daily' }),
  fc.record({
    kind: fc.constant('weekly' as const),
    weekdays: weekdays.map((all) => all.toSorted((one, other) => one - other)),
    weeks: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant('monthly-weekday' as const),
    nth: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const, 'last' as const),
    weekday: fc.integer({ min: 0, max: 6 }),
  }),
  fc.record({ kind: fc.constant('monthly-day' as const), day: fc.integer({ min: 1, max: 28 }) }),
);
const somewhere = fc.integer({ min: 0, max: 4_000 }).map((days) => dayAfter('2020-01-01', days));

/** All rules that have words, by their words. */
function rulesByWords(language: string): ReadonlyMap<string, Rule> {
  const all: Rule[] = [{ kind: 'daily' }];
  for (let set = 1; set < 127; set += 1)
    for (const weeks of [1, 2, 3, 4])
      all.push({ kind: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6].filter((day) => (set >> day) % 2 === 1), weeks });
  for (const nth of [1, 2, 3, 4, 5, 'last'] as const)
    for (let weekday = 0; weekday < 7; weekday += 1) all.push({ kind: 'monthly-weekday', nth, weekday });
  for (let day = 1; day <= 28; day += 1) all.push({ kind: 'monthly-day', day });
  const byWords = new Map(all.map((rule) => [ruleInWords(wordsIn(language).series, rule), rule]));
  expect(byWords.size).toBe(all.length);
  return byWords;
}

describe.each(['en', 'de', 'pl'])('in %s', (language) => {
  const byWords = rulesByWords(language);

  test('the words for the days of a rule mean exactly these days', () =>
    fc.assert(
      fc.property(rules, somewhere, fc.integer({ min: 12, max: 60 }), (rule, first, count) => {
        const days = firstDays(rule, first, count);
        const found = ruleOf(days);
        const read = byWords.get(found ? ruleInWords(wordsIn(language).series, found) : '');
        expect(read && firstDays(read, days[0] ?? '', count)).toEqual(days);
      }),
    ));

  test('a rule found for days with a gap leaves out the missing day, or is one of a series with breaks', () =>
    fc.assert(
      fc.property(rules, somewhere, fc.integer({ min: 12, max: 60 }), fc.nat(), (rule, first, count, at) => {
        const days = firstDays(rule, first, count);
        const missing = days[1 + (at % (count - 2))] ?? '';
        const left = without(days, missing);
        const weekdays = [...new Set(left.map(weekdayOf))].toSorted();
        const exact = [...byWords.values()].filter((each) => isRuleOf(each, left));
        expect(exact.length > 0 ? exact : [undefined, { kind: 'some-weeks', weekdays }]).toContainEqual(ruleOf(left));
      }),
    ));
});
