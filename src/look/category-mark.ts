import { safeLink } from '../html/link.ts';
import { sanitized } from '../html/sanitize.ts';
import { html, type Html } from '../html/template.ts';
import { textFromHtml } from '../html/text.ts';

/** How a category is marked, besides its name. */
export interface CategoryMark {
  /** The class of its colour, `c1` to `c8`; `c0` without a category. */
  readonly colour: string;
  /** '' without a category. */
  readonly letter: string;
}

/** A category as in events and in lists of terms. */
export interface Category {
  readonly slug: string;
  /** With markup characters as entities. */
  readonly name: string;
}

/** The mark of a category; undefined means no category. */
export type Mark = (category: Category | undefined) => CategoryMark;

/** How many of the largest categories have a letter of their own. */
export const MARKED_MAX = 10;

const COLOURS = 8;
const NO_MARK: CategoryMark = { colour: 'c0', letter: '' };
const [HASH_START, HASH_PRIME] = [2_166_136_261, 16_777_619];

/** The class of a category's colour, which is always the same for a slug. */
export function categoryColour(slug: string): string {
  // FNV-1a: short texts that differ in one character get different numbers.
  const hash = [...slug].reduce(
    (sum, character) => Math.imul(sum ^ (character.codePointAt(0) ?? 0), HASH_PRIME),
    HASH_START,
  );
  return `c${(((hash >>> 16) ^ (hash & 0xffff)) % COLOURS) + 1}`;
}

/**
 * The marks of a site whose `largest` categories each have a letter of their own: the first of its name or, if taken,
 * the first of another word, or else another consonant. Larger ones choose first.
 */
export function categoryMarks(largest: readonly Category[]): Mark {
  const marks = new Map<string, CategoryMark>();
  const taken = new Set<string>();
  const known = ({ slug, name }: Category, isTaken: (letter: string) => boolean): CategoryMark => {
    const letters = lettersOf(name);
    const letter = letters.find((one) => !isTaken(one)) ?? letters[0] ?? '';
    const mark = { colour: categoryColour(slug), letter };
    marks.set(slug, mark);
    return mark;
  };
  for (const category of largest.slice(0, MARKED_MAX)) taken.add(known(category, (letter) => taken.has(letter)).letter);
  return (category) => (category === undefined ? NO_MARK : (marks.get(category.slug) ?? known(category, () => false)));
}

/** The letters that can represent a name, the best first. */
function lettersOf(name: string): readonly string[] {
  const words = (
    textFromHtml(name)
      .toUpperCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word]);
  const all = words.flat();
  return [
    ...new Set([...words.flatMap((word) => word.slice(0, 1)), ...all.filter((letter) => !isVowel(letter)), ...all]),
  ];
}

const isVowel = (letter: string): boolean => /^[AEIOUY]/.test(letter.normalize('NFD'));

/** The name of a category with its colour and letter, as a link if it has an address. */
export function categoryTag(mark: Mark, category: Category, href?: string): Html {
  const { colour, letter } = mark(category);
  const shown = html`${markLetter(letter)}${sanitized(category.name)}`;
  return href === undefined
    ? html`<span class="cat ${colour}">${shown}</span>`
    : // Choices have endlessly many addresses, which search engines need not follow.
      safeLink({ class: `cat ${colour}`, href, rel: href.includes('?') ? 'nofollow' : undefined }, shown);
}

/**
 * The letter of a category, hidden from screen readers because its name or title is beside it. The blank separates the
 * two where there are no styles, such as in texts that are copied.
 */
export const markLetter = (letter: string): Html | false => letter !== '' && html`<i aria-hidden="true">${letter}</i> `;
