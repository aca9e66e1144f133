import { dayAfter } from '../../../time.ts';
import { longDayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { SeriesWords } from '../words/words.ts';
import { ruleOf, type Rule } from './series-rule.ts';

/** "Every Wednesday until 3 March": when something takes place on some days; undefined where they follow no rule. */
export function seriesInWords(
  { language, words }: Pick<Frame, 'language' | 'words'>,
  days: readonly Day[],
  { today, isCut }: { readonly today: Day; readonly isCut: boolean },
): string | undefined {
  const rule = ruleOf(days);
  const last = days.toSorted().at(-1);
  if (!rule || last === undefined) return undefined;
  const told = ruleInWords(words.series, rule);
  return isCut
    ? told
    : words.series.until(told, longDayInWords(last, language, { withYear: last > dayAfter(today, YEAR) }));
}

// A day this far away has the name of one that is nearer.
const YEAR = 330;

/** "Every Wednesday" */
export function ruleInWords(words: SeriesWords, rule: Rule): string {
  switch (rule.kind) {
    case 'daily':
      return words.daily;
    case 'weekly':
      return words.weekly(rule.weekdays, rule.weeks);
    case 'some-weeks':
      return words.someWeeks(rule.weekdays);
    case 'monthly-weekday':
      return words.monthlyWeekday(rule.nth, rule.weekday);
    case 'monthly-day':
      return words.monthlyDay(rule.day);
  }
}
