import { DE } from './de.ts';
import { EN } from './en.ts';
import type { FrameWords } from './frame-words.ts';
import { PL } from './pl.ts';

/** The languages that pages are written in. Another one is a file of words in each place; the types name the places. */
export type PageLanguage = 'en' | 'de' | 'pl';

/** From the words of each language the function that chooses among them (`pl`, `de-AT`); English where there are none. */
export const inLanguage =
  <W>(words: Readonly<Record<PageLanguage, W>>) =>
  (language: string): W => {
    const bare = bareOf(language);
    return Object.hasOwn(words, bare) ? words[bare as PageLanguage] : words.en;
  };

const bareOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? '';

const WRITTEN: Readonly<Record<PageLanguage, true>> = { en: true, de: true, pl: true };

/**
 * The language that pages are in where a site's is this one: a page whose words are English has English dates, too, and
 * says so to those who read it out.
 */
export const pageLanguage = (language: string): string => (Object.hasOwn(WRITTEN, bareOf(language)) ? language : 'en');

/** The words of the frame for a language. */
export const frameWordsIn: (language: string) => FrameWords = inLanguage({ en: EN, de: DE, pl: PL });
