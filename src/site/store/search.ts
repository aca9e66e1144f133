import { sql, type Sql } from '../../db/database.ts';
import { likeEscaped } from '../../db/like.ts';
import { formsInHtml } from '../../html/references.ts';
import { ampersands } from './texturize.ts';

const WORDS_MAX = 10;

/**
 * Parses a search: every word or `"quoted phrase"` must occur, a `-word` must not. As on real sites, blanks and commas
 * separate words, and a phrase may lack its second quotation mark.
 */
export function searchWords(search: string): readonly { readonly word: string; readonly wanted: boolean }[] {
  return [...search.matchAll(/(-?)(?:"([^"]*)(?:"|$)|([^\s,]+))/g)]
    .map(([, minus, phrase, word]) => ({ word: (phrase ?? word ?? '').trim(), wanted: minus !== '-' }))
    .filter(({ word }) => word !== '')
    .slice(0, WORDS_MAX);
}

/** The condition that a row's text matches a search, ignoring case and accents. */
export function matches(text: Sql, search: string): Sql<boolean> {
  const conditions = searchWords(search).map(({ word, wanted }) =>
    wanted ? contains(text, word) : sql`not ${contains(text, word)}`,
  );
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/**
 * The condition for what a search excludes, if it does nothing else: too many rows remain for an index to help.
 * Otherwise undefined.
 */
export function leftOut(text: Sql, search: string): Sql<boolean> | undefined {
  const words = searchWords(search);
  if (words.length === 0 || words.some(({ wanted }) => wanted)) return undefined;
  return anyOf(words.map(({ word }) => contains(text, word)));
}

/** The condition that a row's text, which may be HTML, contains a word, ignoring case and accents. */
export const contains = (text: Sql, word: string): Sql<boolean> =>
  anyOf([...formsOf(word)].map((form) => sql`${text} like ${patternOf(form)}`));

const anyOf = (conditions: readonly Sql[]): Sql<boolean> => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/**
 * The forms that a word may have in a text: as texts are stored, and as answers show them, which clients send back.
 * Nearly all words have one.
 */
const formsOf = (word: string): ReadonlySet<string> =>
  new Set([...formsInHtml(word), ampersands(word).replaceAll("'", '&#8217;')]);

/** A LIKE pattern for text that contains a word, ignoring case and accents. */
export const patternOf = (word: string): Sql => sql`'%' || site.plain(${likeEscaped(word)}) || '%'`;
