import { readableSlug } from '../../../ascii.ts';
import { isShortcut } from '../../../selection/days.ts';
import type { ListName } from '../../../selection/selection.ts';
import type { Facets } from '../../store/coming-facets.ts';
import { textFromHtml } from '../../../html/text.ts';
import { quotedIn } from '../../../look/words/quoted.ts';
import { remembered } from '../../../remembered.ts';
import { dayInWords, localeOf, longDayInWords, yearOf, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { Choice } from './question.ts';

/** Creating an Intl object takes longer than everything else on a page. */
function madeOnce<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
const numbersIn = madeOnce((language) => new Intl.NumberFormat(localeOf(language)));

/** "1,200" */
export const numberInWords = ({ language }: Frame, number: number): string => numbersIn(language).format(number);

/** The plain text of a name in HTML. */
export const plainName = remembered(textFromHtml);

/** "1,200 events" */
export const eventsInWords = (frame: Frame, count: number): string =>
  frame.words.finding.events(count, numberInWords(frame, count));

const languageNamesIn = madeOnce((language) => new Intl.DisplayNames(localeOf(language), { type: 'language' }));

/** The name of a language (`pl` → Polish); invalid codes are returned unchanged. */
export function languageName(code: string, { language }: Frame): string {
  try {
    return languageNamesIn(language).of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}

/** "1 January", with the year if it is not the current one. */
export const dayBriefly = ({ language }: Frame, day: Day, today: Day): string =>
  yearOf(day) === yearOf(today) ? longDayInWords(day, language) : `${longDayInWords(day, language)} ${yearOf(day)}`;

/** The title of a list, which is the time it covers. */
export function titleOf(
  { words: { finding }, language }: Frame,
  { when, from }: { when: string; from: string },
): string {
  if (isShortcut(when)) return finding.shortcuts[when];
  if (when !== '') return dayInWords(when, language);
  return from === '' ? finding.comingUp : finding.from(dayInWords(from, language));
}

/** Returns the name, as text, of something chosen by its slug. */
export type NameOf = (kind: ListName, slug: string) => string;

/** Names the facets as visitors know them; slugs that no upcoming event has stay as in the address. */
export const namedByFacets =
  (facets: Facets): NameOf =>
  (kind, value) => {
    const facet = facets[kind].find(({ slug }) => slug === value);
    return facet ? plainName(facet.name) : readableSlug(value);
  };

/** One choice in words. */
export function choiceInWords(frame: Frame, nameOf: NameOf, { kind, value }: Choice, today: Day): string {
  const { finding } = frame.words;
  switch (kind) {
    case 'search':
      return quotedIn(frame.language)(value);
    case 'free':
      return finding.freeTag;
    case 'language':
      return languageName(value, frame);
    case 'time':
      if (isShortcut(value)) return finding.shortcuts[value];
      return dayBriefly(frame, value, today);
    default:
      return nameOf(kind, value);
  }
}
