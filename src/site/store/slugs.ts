import { sql } from '../../db/database.ts';
import { numberedSlug } from './sanitize-title.ts';
import type { StoreDatabase } from './tables.ts';

/** Where a slug has to be unique: in a table or, for terms, in a taxonomy. */
export type SlugScope = 'events' | 'venues' | 'organizers' | { readonly taxonomy: string };

// Each query tries more numbers, so that a title shared by ten thousand events takes a handful of queries.
const FIRST_NUMBERS = 8;

/**
 * The slug for a row (`own` if it exists already): the wanted one, or the first of `-2`, `-3` … that is free in its
 * scope.
 */
export async function freeSlug(db: StoreDatabase, wanted: string, scope: SlugScope, own = 0): Promise<string> {
  const [slug] = await freeSlugs(db, [wanted], scope, own);
  if (slug === undefined) throw new Error('one slug wanted gives one slug');
  return slug;
}

/** The same for several rows that are written together: none gets the slug of another. '' stays ''. */
export async function freeSlugs(
  db: StoreDatabase,
  wanted: readonly string[],
  scope: SlugScope,
  own = 0,
): Promise<readonly string[]> {
  const slugs = new Map<number, string>();
  const taken = new Set<string>();
  for (let [from, to] = [1, FIRST_NUMBERS]; ; [from, to] = [to + 1, to * 8]) {
    const open = wanted.flatMap((slug, index) => (slugs.has(index) ? [] : [{ slug, index }]));
    if (open.length === 0) return wanted.map((_, index) => slugs.get(index) ?? '');
    const candidates = new Map(open.map(({ slug }) => [slug, slug === '' ? [''] : numberedSlugs(slug, from, to)]));
    for (const slug of await slugsAmong(db, [...candidates.values()].flat(), scope, own)) taken.add(slug);
    for (const { slug, index } of open) {
      const free = candidates.get(slug)?.find((candidate) => !taken.has(candidate));
      if (free === undefined) continue;
      slugs.set(index, free);
      if (free !== '') taken.add(free);
    }
  }
}

const numberedSlugs = (slug: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => numberedSlug(slug, from + index));

async function slugsAmong(
  db: StoreDatabase,
  candidates: readonly string[],
  scope: SlugScope,
  own: number,
): Promise<readonly string[]> {
  const asked = candidates.filter((candidate) => candidate !== '');
  if (asked.length === 0) return [];
  const rows =
    typeof scope === 'string'
      ? sql`${sql.table(`site.${scope}`)}`
      : sql`(select id, slug from site.terms where taxonomy = ${scope.taxonomy}) as terms`;
  const taken = await sql<{
    slug: string;
  }>`select slug from ${rows} where slug = any (${asked}) and id <> ${own}`.execute(db);
  return taken.rows.map(({ slug }) => slug);
}
