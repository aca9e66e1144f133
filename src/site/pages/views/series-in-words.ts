import { longDayInWords, needsYear, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { SeriesWords } from '../words/words.ts';
import { ruleOf, type Rule } from './series-rule.ts';

/** Describes days, as in "Every Wednesday until 3 March" or "Every Wednesday"; undefined if they follow no rule. */
export function seriesInWords(
  { language, words }: Pick<Frame, 'language' | 'words'>,
  days: readonly Day[],
  { today, isCut }: { readonly today: Day; readonly isCut: boolean },
): string | undefined {
  const rule = ruleOf(days);
  const last = days.toSorted().at(-1);
  if (!rule || last === undefined) return undefined;
  const told = ruleInWords(words.series, rule);
  // A longer series seldom ends with the last known date, after which its feed was not read.
  return isCut || needsYear(last, today) ? told : words.series.until(told, longDayInWords(last, language));
}

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
