import { DE } from './de.ts';
import { EN } from './en.ts';
import type { FrameWords } from './frame-words.ts';
import { PL } from './pl.ts';

/** The languages of pages. Another one needs a file of texts in each place, which the types enforce. */
export type PageLanguage = 'en' | 'de' | 'pl';

/** Returns a function that chooses the texts for a language (`pl`, `de-AT`), by default English. */
export const inLanguage =
  <W>(words: Readonly<Record<PageLanguage, W>>) =>
  (language: string): W => {
    const bare = bareOf(language);
    return Object.hasOwn(words, bare) ? words[bare as PageLanguage] : words.en;
  };

const bareOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? '';

const WRITTEN: Readonly<Record<PageLanguage, true>> = { en: true, de: true, pl: true };

/**
 * The language of pages for a site's language. A page with English texts has English dates as well, and declares it to
 * screen readers.
 */
export const pageLanguage = (language: string): string => (Object.hasOwn(WRITTEN, bareOf(language)) ? language : 'en');

/** The words of the frame for a language. */
export const frameWordsIn: (language: string) => FrameWords = inLanguage({ en: EN, de: DE, pl: PL });
