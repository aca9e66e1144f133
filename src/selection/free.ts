import { foldedWords } from '../ascii.ts';

/** Words that mean there is no charge, without case, accents and punctuation. */
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

/** Whether the parts of a cost say that there is none. If no cost is given, it is unknown. */
// Must agree with `site.is_free` in the database.
export const isFree = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => /^0+(?:\.0+)?$/.test(value.trim()) || FREE.has(foldedWords(value)));
