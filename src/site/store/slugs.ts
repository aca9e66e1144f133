import { sql, type Queryable } from '../../db/database.ts';
import { numberedSlug } from './sanitize-title.ts';

/** Within what a slug is unique: a table or, for terms, a taxonomy. */
export type SlugScope = 'events' | 'venues' | 'organizers' | { readonly taxonomy: string };

/** The slug wanted for a row; `own` is the row's id if it already exists, and may hold that slug. */
export interface SlugWish {
  readonly slug: string;
  readonly own?: number;
}

/** Slugs in the order of the wishes. */
export interface FreeSlugs {
  readonly slugs: readonly string[];
  /** One row wants a slug that another of the rows still holds, so the result depends on the order of writing. */
  readonly isContested: boolean;
}

// Most slugs are free. Each further query tries more numbers, so that a title shared by ten thousand events takes only
// a handful.
const NUMBERS_TIMES = 8;

/**
 * Returns a free slug for a row (`own` if it already exists): the wanted one, or the first free one of `-2`, `-3` ….
 */
export async function freeSlug(db: Queryable, slug: string, scope: SlugScope, own?: number): Promise<string> {
  const {
    slugs: [free],
  } = await freeSlugs(db, [{ slug, ...(own !== undefined && { own }) }], scope);
  if (free === undefined) throw new Error('one slug wanted gives one slug');
  return free;
}

/** The same for rows written together, which all get different slugs. '' stays ''. */
export async function freeSlugs(db: Queryable, wishes: readonly SlugWish[], scope: SlugScope): Promise<FreeSlugs> {
  const holders = new Map<string, number>();
  for (let [from, to] = [1, 1]; ; [from, to] = [to + 1, to * NUMBERS_TIMES]) {
    const asked = new Set(wishes.flatMap(({ slug }) => numberedSlugs(slug, from, to)));
    for (const [slug, id] of await holdersOf(db, [...asked], scope)) holders.set(slug, id);
    const free = distributed(wishes, holders, to);
    if (free) return free;
  }
}

/** Assigns slugs with numbers up to `to`, in order; undefined if these are not enough. */
function distributed(
  wishes: readonly SlugWish[],
  holders: ReadonlyMap<string, number>,
  to: number,
): FreeSlugs | undefined {
  const given = new Set<string>();
  const owners = new Set(wishes.flatMap(({ own }) => own ?? []));
  let isContested = false;
  const slugs: string[] = [];
  for (const { slug: wanted, own } of wishes) {
    const free = numberedSlugs(wanted, 1, to).find((slug) => {
      const holder = holders.get(slug) ?? own;
      isContested ||= holder !== own && holder !== undefined && owners.has(holder);
      return holder === own && !given.has(slug);
    });
    if (wanted !== '' && free === undefined) return undefined;
    slugs.push(free ?? '');
    given.add(free ?? '');
  }
  return { slugs, isContested };
}

const numberedSlugs = (slug: string, from: number, to: number): readonly string[] =>
  slug === '' ? [] : Array.from({ length: to - from + 1 }, (_, index) => numberedSlug(slug, from + index));

/** The ids of the rows that hold these slugs, by slug. */
async function holdersOf(
  db: Queryable,
  candidates: readonly string[],
  scope: SlugScope,
): Promise<ReadonlyMap<string, number>> {
  if (candidates.length === 0) return new Map();
  const rows =
    typeof scope === 'string'
      ? sql`${sql.ref(`site.${scope}`)}`
      : sql`(select id, slug from site.terms where taxonomy = ${scope.taxonomy}) as terms`;
  // Not prepared: a plan made while the table is small would scan all of it once it has grown.
  const taken = await sql<{
    slug: string;
    id: number;
  }>`select slug, id from ${rows} where slug = any (${candidates})`.execute(db);
  return new Map(taken.rows.map(({ slug, id }) => [slug, id]));
}
