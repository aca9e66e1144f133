import { sql, type Queryable } from '../../db/database.ts';
import type { ListName } from '../../selection/selection.ts';
import { renderTitle } from './render.ts';
import { sanitizeTitle } from './sanitize-title.ts';
import { matches } from './search.ts';

/** Something whose name matches a text. */
export interface NamedLike {
  readonly slug: string;
  /** HTML. */
  readonly name: string;
}

/**
 * Returns the public items of a kind whose names contain all words of a text, ignoring case and accents, ordered by
 * name; if one has exactly this name, only that. At most `limit`.
 */
export async function namedLike(
  db: Queryable,
  kind: ListName,
  text: string,
  limit: number,
): Promise<readonly NamedLike[]> {
  const isPost = kind === 'places' || kind === 'organizers';
  const from = isPost
    ? sql`select slug, title as name from ${sql.ref(`site.${kind === 'places' ? 'venues' : 'organizers'}`)} where status = 'publish' and slug <> ''`
    : sql`select slug, name from site.terms where taxonomy = ${kind}`;
  const { rows } = await sql<NamedLike & { isIt: boolean }>`
    select slug, name, slug = ${sanitizeTitle(text)} as "isIt" from (${from}) as named
    where slug = ${sanitizeTitle(text)} or ${matches(sql`site.plain(name)`, text)}
    order by "isIt" desc, site.plain(name), slug limit ${limit}`.execute(db);
  const found = rows[0]?.isIt === true ? rows.slice(0, 1) : rows;
  return found.map(({ slug, name }) => ({ slug, name: isPost ? renderTitle(name) : name }));
}
