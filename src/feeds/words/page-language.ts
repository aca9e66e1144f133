import { inLanguage } from '../../look/words/in-language.ts';
import type { PageWords } from './page-words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { pl } from './pl.ts';
import { isShortcut } from '../../selection/days.ts';
import type { Selection } from '../../selection/selection.ts';

/** The texts for a language (`pl`, `de-AT`), by default English. */
export const pageWordsIn: (language: string) => PageWords = inLanguage({ en, de, pl });

/** "this weekend", "on 10 January 2027", "from 10 January 2027 on". */
export function timeInWords({ locale, time }: PageWords, { when, from }: Pick<Selection, 'when' | 'from'>): string {
  if (isShortcut(when)) return time.shortcuts[when];
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return when === '' ? time.from(day.format(new Date(from))) : time.on(day.format(new Date(when)));
}
