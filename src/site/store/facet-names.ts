import { sql, type Queryable } from '../../db/database.ts';
import type { ListName } from '../../selection/selection.ts';
import { renderTitle } from './render.ts';

/** Something that events refer to, with the name that pages show. */
export interface FacetName {
  readonly kind: ListName;
  readonly id: number;
  readonly slug: string;
  /** HTML. */
  readonly name: string;
  /** The parent category. */
  readonly parent: number | null;
}

/**
 * Reads the names of terms, including the ancestors of categories, and of public places and organizers. The last two
 * share one sequence of ids.
 */
export async function facetNames(
  db: Queryable,
  terms: readonly number[],
  linked: readonly number[],
): Promise<readonly FacetName[]> {
  const { rows } = await sql<FacetName>`
    with recursive named as (
      select id, taxonomy, slug, name, parent from site.terms where id = any (${[...terms]}::integer[])
      union select above.id, above.taxonomy, above.slug, above.name, above.parent
        from named join site.terms as above on above.id = named.parent)
    select taxonomy::text as kind, id, slug, name, parent from named
    union all select 'places', id, slug, title, null from site.venues
      where id = any (${[...linked]}::integer[]) and status = 'publish'
    union all select 'organizers', id, slug, title, null from site.organizers
      where id = any (${[...linked]}::integer[]) and status = 'publish'`.execute(db);
  return rows.map((row) =>
    row.kind === 'places' || row.kind === 'organizers' ? { ...row, name: renderTitle(row.name) } : row,
  );
}
