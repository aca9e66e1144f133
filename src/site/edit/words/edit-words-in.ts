import { EDIT_DE } from './de.ts';
import type { EditWords } from './edit-words.ts';
import { EDIT_EN } from './en.ts';
import { EDIT_PL } from './pl.ts';

const WORDS: Readonly<Record<string, EditWords>> = { en: EDIT_EN, de: EDIT_DE, pl: EDIT_PL };

/** The texts for a language (`pl`, `de-AT`); English if there are none. */
export const editWordsIn = (language: string): EditWords =>
  WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? EDIT_EN;
