import { sql } from '../../db/database.ts';
import { numberedSlug } from './sanitize-title.ts';
import type { StoreDatabase } from './tables.ts';

/** Where a slug has to be unique: in a table or, for terms, in a taxonomy. */
export type SlugScope = 'events' | 'venues' | 'organizers' | { readonly taxonomy: string };

/**
 * The slug for a row (`own` if it exists already): the wanted one, or the first of `-2`, `-3` … that is free in its
 * scope.
 */
export async function freeSlug(db: StoreDatabase, wanted: string, scope: SlugScope, own = 0): Promise<string> {
  if (wanted === '') return '';
  // Each query tries more numbers, so that a title shared by ten thousand events takes a handful of queries.
  for (let [from, to] = [1, 8]; ; [from, to] = [to + 1, to * 8]) {
    const candidates = Array.from({ length: to - from + 1 }, (_, index) => numberedSlug(wanted, from + index));
    const rows =
      typeof scope === 'string'
        ? sql`${sql.table(`site.${scope}`)}`
        : sql`(select id, slug from site.terms where taxonomy = ${scope.taxonomy}) as terms`;
    const taken = await sql<{
      slug: string;
    }>`select slug from ${rows} where slug = any (${candidates}) and id <> ${own}`.execute(db);
    const slugs = new Set(taken.rows.map(({ slug }) => slug));
    const free = candidates.find((candidate) => !slugs.has(candidate));
    if (free !== undefined) return free;
  }
}
