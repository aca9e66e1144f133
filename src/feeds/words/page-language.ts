import type { PageWords } from './page-words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { pl } from './pl.ts';

const WORDS: Readonly<Record<string, PageWords>> = { en, pl, de };

/** The words for a language (`pl`, `de-AT`); English if there are none. */
export const pageWordsIn = (language: string): PageWords => WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? en;
