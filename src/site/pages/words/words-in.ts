import { inLanguage } from '../../../look/words/in-language.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { PL } from './pl.ts';
import type { Words } from './words.ts';

/** The texts of the public pages for a language (`pl`, `de-AT`); English if there are none. */
export const wordsIn: (language: string) => Words = inLanguage({ en: EN, de: DE, pl: PL });
