import { foldedWords } from '../ascii.ts';

/** What stands for no cost where it is written in words: without case, accents and punctuation. */
export const FREE_WORDS: readonly string[] = [
  'free',
  'free of charge',
  'free entry',
  'free entrance',
  'free admission',
  'admission free',
  'entry free',
  'no charge',
  'gratis',
  'kostenlos',
  'kostenfrei',
  'frei',
  'eintritt frei',
  'freier eintritt',
  'bezplatny',
  'bezplatna',
  'bezplatne',
  'bezplatnie',
  'za darmo',
  'darmowy',
  'darmowa',
  'darmowe',
  'wstep wolny',
  'wstep bezplatny',
  'wolny wstep',
  'bezplatny wstep',
  'gratuit',
  'gratuito',
  'entree libre',
];
const FREE = new Set(FREE_WORDS);

/** Whether the parts of a cost say that there is none. Where no cost is named, it is not known. */
// `site.is_free` of the database says the same.
export const isFree = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => /^0+(?:\.0+)?$/.test(value.trim()) || FREE.has(foldedWords(value)));
