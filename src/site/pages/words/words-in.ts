import { DE } from './de.ts';
import { EN } from './en.ts';
import { PL } from './pl.ts';
import type { Words } from './words.ts';

// Another language is one file of words and one entry here; a text that it lacks is an error of types.
const WORDS: Readonly<Record<string, Words>> = { en: EN, pl: PL, de: DE };

/** The words for a language (`pl`, `de-AT`); English where there are none. */
export const wordsIn = (language: string): Words => WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? EN;
