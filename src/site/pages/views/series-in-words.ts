import { longDayInWords, needsYear, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { SeriesWords } from '../words/words.ts';
import { ruleOf, type Rule } from './series-rule.ts';

/** "Every Wednesday until 3 March", "Every Wednesday": when something takes place on some days; undefined where they follow no rule. */
export function seriesInWords(
  { language, words }: Pick<Frame, 'language' | 'words'>,
  days: readonly Day[],
  { today, isCut }: { readonly today: Day; readonly isCut: boolean },
): string | undefined {
  const rule = ruleOf(days);
  const last = days.toSorted().at(-1);
  if (!rule || last === undefined) return undefined;
  const told = ruleInWords(words.series, rule);
  // What goes on for longer seldom ends with the last date that is known: no more of its feed was read.
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
