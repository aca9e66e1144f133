import { sql, type Sql } from '../../db/database.ts';
import { likeEscaped } from '../../db/like.ts';

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
    wanted ? sql`${text} like ${patternOf(word)}` : sql`${text} not like ${patternOf(word)}`,
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
  return sql<boolean>`(${sql.join(
    words.map(({ word }) => sql`${text} like ${patternOf(word)}`),
    sql` or `,
  )})`;
}

/** A LIKE pattern for text that contains a word, ignoring case and accents. */
export const patternOf = (word: string): Sql => sql`'%' || site.plain(${likeEscaped(word)}) || '%'`;
