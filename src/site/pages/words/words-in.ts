import { inLanguage } from '../../../look/words/in-language.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { PL } from './pl.ts';
import type { Words } from './words.ts';

/** The words of the public pages for a language (`pl`, `de-AT`); English where there are none. */
export const wordsIn: (language: string) => Words = inLanguage({ en: EN, de: DE, pl: PL });
