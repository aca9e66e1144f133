import type { PageWords } from './page-words.ts';
import { de } from './words-de.ts';
import { en } from './words-en.ts';
import { pl } from './words-pl.ts';

const WORDS: Readonly<Record<string, PageWords>> = { en, pl, de };

/** The words for a language (`pl`, `de-AT`); English where there are none. */
export const pageWordsIn = (language: string): PageWords => WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? en;
