import { foldedWords } from '../../ascii.ts';

/** The comparable parts of a venue or organizer; contacts are addresses of any kind that belong to it alone. */
export interface Named {
  readonly name: string;
  readonly city: string | undefined;
  readonly contacts: readonly string[];
}

/** The ways in which two things can be similar. */
export type Nearness = 'spelling' | 'head' | 'part' | 'abbreviation' | 'typo' | 'contact';

/** Whether a person should check if two things are the same; things in different cities are not. */
export const isNear = (one: Named, other: Named): boolean => whyNear(one, other) !== null;

/** Why two things may be the same, by the strongest reason; null if nothing suggests it. */
export function whyNear(one: Named, other: Named): Nearness | null {
  if (one.city !== undefined && other.city !== undefined && foldedWords(one.city) !== foldedWords(other.city))
    return null;
  const [worded, otherWorded] = [withWords(one), withWords(other)];
  if (worded.words.length === 0 || otherWorded.words.length === 0) return null;
  return REASONS.find(([, holds]) => holds(worded, otherWorded))?.[0] ?? null;
}

/** A thing with the words of its name. */
interface Worded extends Named {
  readonly words: readonly string[];
}

const withWords = (thing: Named): Worded => ({ ...thing, words: wordsOf(thing.name) });

// The strongest reason comes first.
const REASONS: readonly (readonly [why: Nearness, holds: (one: Worded, other: Worded) => boolean])[] = [
  ['spelling', ({ words }, other) => words.join('') === other.words.join('')],
  ['head', (one, other) => isHead(one.words, other.name) || isHead(other.words, one.name)],
  ['part', (one, other) => isPart(one.words, other.words) || isPart(other.words, one.words)],
  ['abbreviation', (one, other) => isAbbreviation(...onlyOtherWord(one.words, other.words))],
  ['typo', (one, other) => isTypingError(...onlyOtherWord(one.words, other.words))],
  ['contact', ({ contacts }, other) => contacts.some((text) => other.contacts.some((each) => isSameText(text, each)))],
];

const isSameText = (one: string, other: string): boolean => foldedWords(one) === foldedWords(other);

const wordsOf = (name: string): readonly string[] =>
  foldedWords(name)
    .split(' ')
    .filter((word) => word !== '');

/**
 * Whether a name equals another's part before the first comma, dash or bracket; the rest is an address, city or room.
 */
const isHead = (words: readonly string[], name: string): boolean => wordsOf(headOf(name)).join(' ') === words.join(' ');

/** A name up to its first comma, dash or bracket. */
export const headOf = (name: string): string => /^(.+?)\s*(?:[,;|(]|\s[-–—]\s)/u.exec(name)?.[1] ?? name;

/** Whether two or more words all occur in a longer name that adds no number, since Hall 2 is not the hall. */
const isPart = (words: readonly string[], longer: readonly string[]): boolean =>
  words.length > 1 &&
  longer.length > words.length &&
  words.every((word) => longer.includes(word)) &&
  longer.every((word) => words.includes(word) || (word.length > 1 && !/\d/.test(word)));

/** The shorter and longer form of the only word in which two names differ; empty if they differ in more. */
function onlyOtherWord(words: readonly string[], others: readonly string[]): readonly [string, string] {
  if (words.length !== others.length || words.length < 2) return NO_WORDS;
  const [pair = NO_WORDS, ...more] = words.flatMap((word, index): readonly (readonly [string, string])[] => {
    const other = others[index] ?? '';
    if (word === other) return [];
    return [word.length <= other.length ? [word, other] : [other, word]];
  });
  return more.length === 0 ? pair : NO_WORDS;
}

const NO_WORDS = ['', ''] as const;
const TYPED_WRONG_MIN = 5;

const isTypingError = (short: string, long: string): boolean =>
  short.length >= TYPED_WRONG_MIN && isOneLetterOff(short, long);

const ABBREVIATION_MAX = 5;

/**
 * Whether one word abbreviates another (`st` saint or street, `univ` university): the same first letter, then other
 * letters in order.
 */
function isAbbreviation(short: string, long: string): boolean {
  if (
    short.length < 2 ||
    short.length > ABBREVIATION_MAX ||
    long.length < short.length + 2 ||
    short[0] !== long[0] ||
    /\d/.test(short + long)
  )
    return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}

function isOneLetterOff(short: string, long: string): boolean {
  if (long.length - short.length > 1 || /\d/.test(short + long)) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = long.slice(same + 1);
  return (
    rest === short.slice(long.length === short.length ? same + 1 : same) ||
    (long.length === short.length && isSwap(short, long, same))
  );
}

const isSwap = (one: string, other: string, at: number): boolean =>
  one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
