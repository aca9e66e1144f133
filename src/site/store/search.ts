import { sql, type Sql } from '../../db/database.ts';

const WORDS_MAX = 10;

/** What a search asks for: every word or `"quoted phrase"` must occur, a `-word` must not. */
export function searchWords(search: string): readonly { readonly word: string; readonly wanted: boolean }[] {
  return [...search.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)]
    .map(([, minus, phrase, word]) => ({ word: (phrase ?? word ?? '').trim(), wanted: minus !== '-' }))
    .filter(({ word }) => word !== '')
    .slice(0, WORDS_MAX);
}

/** The condition that a row's text matches a search, ignoring case and accents. */
export function matches(text: Sql, search: string): Sql<boolean> {
  const conditions = searchWords(search).map(({ word, wanted }) => {
    const pattern = sql`'%' || site.plain(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`;
    return wanted ? sql`${text} like ${pattern}` : sql`${text} not like ${pattern}`;
  });
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
